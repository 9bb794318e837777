import Analysis
import Results
import TestSupport
import Testing

/// A point that is kept: the p99 response is 10 ms, as at the lowest rate.
private func point(
    _ rate: Double, kept: Double? = 1, response: Double? = 10e6, lag: Double? = 1e3
) -> LoadCurve.Point {
    .init(rate: rate, throughput: rate, kept: kept, responseP50: 5e6, responseP99: response, lagP99: lag)
}

@Suite("The knee of a growing load") struct LoadCurveTests {
    @Test(
        "is the last rate before the first that is not kept",
        arguments: [
            (point(200, kept: 0.989), LoadCurve.Breach?.some(.behind(0.989))), (point(200, kept: 0.99), nil),
            (point(200, lag: 1e6), .lateGenerator(0.1)), (point(200, lag: 0.99e6), nil),
            (point(200, response: 100e6), nil), (point(200, response: 101e6), .slow(10.1)),
            (point(200, response: nil), .untold), (point(200, kept: nil), .untold), (point(200, lag: nil), .untold),
        ])
    func rules(_ second: LoadCurve.Point, _ breach: LoadCurve.Breach?) {
        let knee = LoadCurve(name: "a", points: [point(400), second, point(100)]).knee
        #expect(knee == (breach.map { .init(rate: 100, broken: (200, $0)) } ?? .init(rate: 400)))
    }

    @Test("there is none where not even the lowest rate was kept, and a higher one that was does not help")
    func none() {
        let knee = LoadCurve(name: "a", points: [point(100, kept: 0.5), point(200)]).knee
        #expect(knee == .init(rate: nil, broken: (100, .behind(0.5))))
        #expect(LoadCurve(name: "a", points: []).knee == .init())
    }

    /// An open loop of two strategies at two rates, 1,000 tasks each. “slow” needs 8 ms a task, one after the other, “quick” none but
    /// 2 ms of its own.
    private func run() throws -> RunData {
        let names = ["slow", "quick"].flatMap { name in
            [100, 200].map { "S/open[bytes=1,rate=\($0),strategy=\(name)]" }
        }
        var run = try PhasedRun(names + ["S/open[bytes=1,rate=x,strategy=slow]"], trials: 1)
        for name in names {
            let gap: Int64 = name.contains("rate=100") ? 10_000_000 : 5_000_000
            var free: Int64 = 0
            try run.add(
                name,
                (0..<1000).map { index in
                    let due = Int64(index) * gap
                    let begin = name.contains("slow") ? max(free, due + 1000) : due + 1000
                    let end = begin + (name.contains("slow") ? 8_000_000 : 2_000_000)
                    free = end
                    return .init(due: due, submitted: due + 1000, begin: begin, end: end)
                })
        }
        return try RunData.load(run.runFolder)
    }

    @Test("a family is all rates of what differs in nothing else, a curve for each strategy")
    func family() throws {
        let data = try run()
        let family = try #require(data.loadFamilies(data.summaries()).first)
        #expect(data.loadFamilies(data.summaries()).count == 1)
        #expect(family.compares == "strategy" && family.parameters == [.init(axis: "bytes", value: "1")])
        #expect(family.curves.map(\.name) == ["slow", "quick"])
        #expect(family.curves.map { $0.points.map(\.rate) } == [[100, 200], [100, 200]])
        let slow = family.curves[0].points
        // Arrivals take 999 × 5 ms, ends 999 × 8 ms.
        #expect(abs((slow[1].kept ?? 0) - 5.0 / 8) < 1e-12)
        #expect(slow[0].kept == 1 && slow[0].responseP99 == 8_001_000 && slow[0].lagP99 == 1000)
        #expect(family.curves[0].knee == .init(rate: 100, broken: (200, .behind(slow[1].kept ?? 0))))
        #expect(family.curves[1].knee == .init(rate: 200))
    }

    @Test("how long the last task takes does not count as falling behind, and failed tasks do")
    func kept() throws {
        var run = try PhasedRun(["S/n[strategy=a]"], trials: 1)
        // Ten tasks in 9 ms, each of which takes 100 ms.
        try run.add(
            "S/n[strategy=a]",
            (0..<10).map {
                .init(
                    due: $0 * 1_000_000, submitted: $0 * 1_000_000 + 1, begin: $0 * 1_000_000 + 1,
                    end: $0 * 1_000_000 + 100_000_000)
            })
        let columns = try #require(try RunData.load(run.runFolder).tasks[0])
        #expect(keptShare(of: columns, ok: 10, submitted: 10) == 1)
        #expect(keptShare(of: columns, ok: 9, submitted: 10) == 0.9)
        #expect(keptShare(of: columns, ok: 0, submitted: 0) == nil)
    }
}
