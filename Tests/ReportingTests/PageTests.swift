import Analysis
import Foundation
import Reporting
import Results
import Testing

@Suite("The page")
struct PageTests {
    private func page(_ run: SyntheticRun) throws -> String {
        try withFolder { path in
            let data = try run.write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            return try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
        }
    }

    @Test("names are text wherever they stand, never markup")
    func escaping() throws {
        let name = "</script><img src=x onerror=alert(1)>\"'&\u{0}\u{202E}"
        var run = SyntheticRun(workloads: [
            .init(
                suite: name, name: name.replacingOccurrences(of: "/", with: "|"),
                contenders: [
                    .init(
                        name: name.replacingOccurrences(of: "=", with: "~").replacingOccurrences(of: "/", with: "|"),
                        behaviour: .pool(1))
                ],
                tasks: 30, spent: 5000, failEvery: 7)
        ])
        // A slash ends the suite's name, so the identity reads back differently; what matters is what the page shows.
        run.command = ["taskmeter", "--filter", name]
        let html = try page(run)
        #expect(!html.contains("<img"))
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;img src"))
        #expect(!html.contains("\u{202E}"))
        #expect(!html.contains("\u{0}"))
    }

    @Test("the page needs no network and no script, and forbids both")
    func selfContained() throws {
        let html = try page(
            SyntheticRun(workloads: [
                .init(suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(3)), tasks: 200, spent: 90_000)
            ]))
        #expect(html.contains("<meta charset=\"utf-8\">"))
        #expect(html.contains("default-src &#39;none&#39;"))
        #expect(!html.contains("<script"))
        for attribute in ["src=", "href=\"http", "href=\"//", "@import", "url(http"] {
            #expect(!html.contains(attribute))
        }
    }

    @Test("no name is given twice on a page with many pictures, and every reference inside it finds its place")
    func uniqueNames() throws {
        let html = try page(
            SyntheticRun(
                workloads: (0..<3).map {
                    .init(
                        suite: "S", name: "n\($0)", contenders: Array(SyntheticRun.usual.prefix(3)), tasks: 60,
                        spent: 90_000)
                }, trials: 2))
        let ids = html.matches(of: /\bid=["']([^"']*)["']/).map { String($0.1) }
        let plots = ids.filter { $0 != "gnuplot_canvas" }
        #expect(Set(plots).count == plots.count)
        #expect(!ids.contains("gnuplot_canvas"))
        for reference in html.matches(of: /href=["']#([^"']*)["']/) { #expect(ids.contains(String(reference.1))) }
    }

    @Test("a run that was stopped says so at the top, with what is missing")
    func interrupted() throws {
        let html = try page(
            SyntheticRun(
                workloads: [
                    .init(
                        suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(3)), tasks: 60, spent: 90_000
                    )
                ], state: .interrupted, lostTrials: 5))
        let place = try #require(html.range(of: "The run was stopped: 5 of 24 planned trials are missing."))
        let answer = try #require(html.range(of: "The answer"))
        #expect(place.lowerBound < answer.lowerBound)
    }

    @Test("where every task fails nothing is ranked, and the trials are not said to have failed")
    func allFail() throws {
        let html = try page(
            SyntheticRun(workloads: [
                .init(
                    suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 60, spent: 90_000,
                    failEvery: 1)
            ]))
        #expect(html.contains("Nothing to rank: no task ended well."))
        #expect(!html.contains("no trial completed"))
        #expect(html.contains("960 tasks failed; they do not count for throughput"))
    }

    @Test("a crashed trial is counted, told with its reason, and takes no part in the numbers")
    func crashed() throws {
        let html = try page(
            SyntheticRun(
                workloads: [
                    .init(
                        suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 60, spent: 90_000
                    )
                ], crashedTrials: [4]))
        #expect(html.contains("1 trial failed; the reason stands with its workload."))
        #expect(html.contains("Trial 4 failed: the suite ended with signal 6 (Aborted)"))
        #expect(html.contains("7/8, 1 failed"))
        #expect(html.contains("n = 7"))
    }

    @Test("a percentile that the count does not support is a dash with its reason")
    func unsupported() throws {
        let html = try page(
            SyntheticRun(workloads: [
                .init(suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(1)), tasks: 60, spent: 90_000)
            ]))
        #expect(html.contains("title=\"needs 1,000 tasks, 480 ended\">–<"))
        #expect(html.contains("p99.9 needs 10,000 tasks"))
    }

    @Test("the sentence on a starved pool has its numbers and those of a thread per task")
    func growth() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "Blocking", name: "sleep", contenders: SyntheticRun.usual, tasks: 100, spent: 200_000_000,
                    spread: 0.01)
            ]).write(to: path)
            let summaries = data.summaries()
            let starved = try #require(summaries.first { $0.benchmark.strategy == "global-queue" })
            #expect(starved.workers?.workersAtStart == 2)
            let inAll = Int(try #require(starved.workers?.workersInAll).rounded())
            let text = try #require(ResultExporters.named("text")).export(data, summaries, style: TextStyle())
            #expect(
                text.contains(
                    "global-queue began with 2 workers and gained about 1.0 a second, to \(inAll): half of its tasks"))
            #expect(text.contains("thread-per-task ran up to 100 tasks at once: half of its tasks waited"))
            #expect(!text.contains("pool-8 began"))
        }
    }

    @Test("too few trials give no ranking, but say how many are needed")
    func undecided() throws {
        try withFolder { path in
            let data = try SyntheticRun(
                workloads: [
                    .init(
                        suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(3)), tasks: 60, spent: 90_000
                    )
                ], trials: 3
            ).write(to: path)
            let text = try #require(ResultExporters.named("text")).export(data, data.summaries(), style: TextStyle())
            // Two comparisons at once: 1 − 0.05/2 each, which 1 − 2·(1/2)^n reaches from n = 7 on.
            #expect(text.contains("Undecided: 3 trials, needs 7; "))
        }
    }
}
