import Analysis
import Reporting
import Results
import TestSupport
import Testing

@Suite("What is said about strategies") struct AdviceSentenceTests {
    /// Twenty tasks that all wait and take as long as one another, in milliseconds, and come so far apart.
    private struct Behaviour {
        var every = 20.0
        var late = 0.0
        var wait: Double
        var spent: Double

        var tasks: [PhasedRun.Task] {
            (0..<20).map { number in
                func moment(_ milliseconds: Double) -> Int64 { Int64((milliseconds * 1e6).rounded()) }
                let due = Double(number) * every
                let submitted = due + late
                return .init(
                    due: moment(due), submitted: moment(submitted), begin: moment(submitted + wait),
                    end: moment(submitted + wait + spent))
            }
        }
    }

    /// The text of a run of two strategies, in which all blocks are alike.
    private func text(_ a: Behaviour, _ b: Behaviour, trials: Int = 6, workClass: String? = nil) throws -> String {
        var run = try PhasedRun(["S/n[strategy=a]", "S/n[strategy=b]"], trials: trials) { run in
            for index in run.benchmarks.indices { run.benchmarks[index].workClass = workClass }
        }
        for block in 0..<trials {
            try run.add("S/n[strategy=a]", block: block, a.tasks)
            try run.add("S/n[strategy=b]", block: block, b.tasks)
        }
        let data = try RunData.load(run.runFolder)
        let exporter = try #require(ResultExporters.named("text"))
        return exporter.export(data, data.summaries(), style: TextStyle()).replacing("\n", with: " ")
    }

    @Test("names what to take, in what nothing is better, its price, and who makes tasks wait")
    func choice() throws {
        // 20 tasks in 19 · 10 + 100 ms and in 19 · 20 + 400 ms: a does more a second, and each of its tasks waits for 90 times as long.
        let text = try text(.init(every: 10, wait: 90, spent: 10), .init(every: 20, wait: 1, spent: 399))
        #expect(
            text.contains(
                "For n, take a: nothing is shown to be better in tasks/s and spent p50; its price is wait p50, 90.0× that of b; "
                    + "a makes tasks wait 90.0× as long as b (p50 90.0 ms against 1.00 ms)."), "\(text)")
    }

    @Test("has no price where nothing is lost, warns from one and a half times on, and calls the work by its kind")
    func warning() throws {
        let quick = Behaviour(wait: 1, spent: 10)
        let warned = try text(quick, .init(wait: 1, spent: 15), workClass: "work of 10 ms")
        // 20 tasks in 19 · 20 + 11 ms are more a second than in 19 · 20 + 16 ms.
        #expect(
            warned.contains(
                "For work of 10 ms, take a: nothing is shown to be better in tasks/s, wait p50 and spent p50; "
                    + "b makes tasks take 1.50× as long as a (p50 15.0 ms against 10.0 ms)."), "\(warned)")
        let within = try text(quick, .init(wait: 1, spent: 14.9))
        #expect(
            within.contains("For n, take a: nothing is shown to be better in tasks/s, wait p50 and spent p50."),
            "\(within)")
    }

    @Test("of an open loop is led by the response, which counts from when a task was due")
    func openLoop() throws {
        // Both spend 10 ms after no wait; a task of b is submitted 10 ms late.
        let text = try text(.init(late: 0.001, wait: 0, spent: 9.999), .init(late: 10, wait: 0, spent: 10))
        #expect(
            text.contains("For n, take a: nothing is shown to be better in response p50,")
                && text.contains("b answers 2.00× as long as a (p50 20.0 ms against 10.0 ms)."), "\(text)")
    }

    @Test("is silent where too few trials can bear anything out")
    func silent() throws {
        let text = try text(.init(wait: 1, spent: 10), .init(wait: 1, spent: 100), trials: 5)
        #expect(!text.contains("For n") && !text.contains("take a"), "\(text)")
    }
}
