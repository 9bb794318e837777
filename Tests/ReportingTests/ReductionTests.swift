import Foundation
import Reporting
import Results
import Statistics
import Testing

@Suite("Points and bars reduced to what a picture can show")
struct ReductionTests {
    @Test("thinning keeps the least, the median and the greatest value of every column, and every task is counted")
    func thinning() {
        var random = SplitMix64(seed: 3)
        let count = 20_000
        let span: Int64 = 1_000_000
        let moments = (0..<count).map { _ in Int64(random.next(below: Int(span) + 1)) }
        var values = (0..<count).map { _ in Int64(1000 + random.next(below: 50)) }
        values[777] = 9_999_999
        values[12_345] = 0
        let columns = Thinning.columns(moments, values, span: span, columns: 133)
        #expect(columns.count == 133)
        #expect(columns.reduce(0) { $0 + $1.count } == count)
        #expect(columns.map(\.greatest).max() == 9_999_999)
        #expect(columns.map(\.least).min() == 0)
        for (index, column) in columns.enumerated() {
            let inside = zip(moments, values).filter {
                min(Int(Double($0.0) / Double(span) * 133), 132) == index
            }.map(\.1).sorted()
            #expect(column.least == inside.first)
            #expect(column.greatest == inside.last)
            #expect(column.median == nearestRank(0.5, ofSorted: inside))
        }
    }

    @Test("the extremes of a run's tasks stand in the plot's data file")
    func extremesInTheFile() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(1)), tasks: 4000, spent: 90_000)
            ]).write(to: path)
            _ = try ReportWriter().write(data, summaries: data.summaries())
            let spent = data.tasks.values.flatMap { columns in (0..<columns.count).map { columns.spent($0) } }
            let name = try #require(
                FileManager.default.contentsOfDirectory(atPath: path + "/plots").first {
                    $0.hasSuffix("spent-over-time.dat")
                })
            let drawn = try String(contentsOfFile: path + "/plots/" + name, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") }.compactMap { Int64($0.split(separator: " ")[1]) }
            #expect(drawn.max() == spent.max())
            #expect(drawn.min() == spent.min())
            #expect(drawn.count < spent.count / 10)
        }
    }

    @Test("bars that the eye could not part become one, others stay as they are")
    func merging() {
        typealias Bar = BarMerging.Bar
        let bars = [Bar(begin: 0, end: 10), Bar(begin: 12, end: 20), Bar(begin: 40, end: 50), Bar(begin: 45, end: 47)]
        #expect(
            BarMerging.merged(bars, gap: 5) == [Bar(begin: 0, end: 20, tasks: 2), Bar(begin: 40, end: 50, tasks: 2)])
        #expect(
            BarMerging.merged(bars, gap: 1) == [
                Bar(begin: 0, end: 10), Bar(begin: 12, end: 20), Bar(begin: 40, end: 50, tasks: 2),
            ])
        // Long neighbours stay apart when asked to: a task of 100 can be told from the next.
        let long = [Bar(begin: 0, end: 100), Bar(begin: 100, end: 200)]
        #expect(BarMerging.merged(long, gap: 5, keepsLong: true) == long)
        #expect(BarMerging.merged(long, gap: 5).count == 1)
        // Mixed with short ones they do not, for the eye would see a pattern where there is none.
        let mixed = long + [Bar(begin: 200, end: 203), Bar(begin: 203, end: 206)]
        #expect(BarMerging.merged([long], gap: 5, limit: 9, keepsLong: true).lanes == [long])
        #expect(
            BarMerging.merged([mixed], gap: 5, limit: 9, keepsLong: true).lanes == [[Bar(begin: 0, end: 206, tasks: 4)]]
        )
    }

    @Test("lanes are merged until a limit is kept, and no time that was busy becomes free")
    func limit() {
        let lane = (0..<10_000).map { BarMerging.Bar(begin: Int64($0) * 10, end: Int64($0) * 10 + 5) }
        let (lanes, gap) = BarMerging.merged([lane, lane], gap: 1, limit: 100, keepsLong: true)
        #expect(lanes.reduce(0) { $0 + $1.count } <= 100)
        #expect(gap >= 5)
        for lane in lanes {
            #expect(lane.first?.begin == 0)
            #expect(lane.last?.end == 99_995)
            #expect(lane.reduce(0) { $0 + $1.tasks } == 10_000)
        }
    }

    @Test("lanes are sampled evenly, both ends among them")
    func sampling() {
        #expect(BarMerging.evenly(48, of: 10) == Array(0..<10))
        let lanes = BarMerging.evenly(48, of: 1204)
        #expect(lanes.count == 48)
        #expect(Set(lanes).count == 48)
        #expect(lanes.first == 0 && lanes.last == 1203)
        #expect(zip(lanes, lanes.dropFirst()).allSatisfy { (25...26).contains($1 - $0) })
    }

    @Test("labels move apart as little as they must, in order, and inside the plot")
    func labels() {
        #expect(LabelPlaces.spread([0.1, 0.9], distance: 0.2) == [0.1, 0.9])
        let same = LabelPlaces.spread([0.5, 0.5, 0.5], distance: 0.1).sorted()
        for (place, expected) in zip(same, [0.4, 0.5, 0.6]) { #expect(abs(place - expected) < 1e-9) }
        let crowded = LabelPlaces.spread(Array(repeating: 1.0, count: 12), distance: 0.05)
        #expect(crowded.allSatisfy { $0 >= 0 && $0 <= 1 + 1e-9 })
        let sorted = crowded.sorted()
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 0.05 - 1e-9 })
    }
}
