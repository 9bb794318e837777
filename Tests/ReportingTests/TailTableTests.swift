import Analysis
import Foundation
import Reporting
import Results
import TestSupport
import Testing

@Suite("The table of the slowest responses") struct TailTableTests {
    /// Two servers under two closed loops, compared as an experiment. The first answers within 1 ms, but for two requests that it lets wait
    /// for 1 s; the second takes 4 ms for each.
    private func run() throws -> PhasedRun {
        let servers = ["one", "two"]
        func name(_ server: String, _ inFlight: Int) -> String {
            "load/get[server=\(server),inflight=\(inFlight),strategy=curl-multi]"
        }
        let names = servers.flatMap { server in [1, 8].map { name(server, $0) } }
        var run = try PhasedRun(names, trials: 1) { run in
            for index in run.benchmarks.indices {
                run.benchmarks[index].experiment = ExperimentDescription(
                    question: "Which server answers better?", compares: "server", along: nil, decides: .throughput)
                run.benchmarks[index].isClosedLoop = true
                run.benchmarks[index].lasts = .seconds(3)
            }
        }
        for inFlight in [1, 8] {
            for server in servers {
                var now: Int64 = 0
                try run.add(
                    name(server, inFlight),
                    (0..<1_000).map { number in
                        let spent: Int64 =
                            server == "two" ? 4_000_000 : number == 300 || number == 600 ? 1_000_000_000 : 1_000_000
                        defer { now += spent }
                        return .init(begin: now, end: now + spent)
                    })
            }
        }
        return run
    }

    private func text(_ format: String) throws -> String {
        let run = try run()
        let data = try RunData.load(run.runFolder)
        let exporter = try #require(ResultExporters.named(format))
        return exporter.export(data, data.summaries(), style: TextStyle(width: 200))
    }

    @Test("stands in the text of an experiment, under each of its conditions, and is explained once")
    func inText() throws {
        let lines = try text("text").split(separator: "\n").map(String.init)
        #expect(lines.count { $0.contains("median over trials of each trial’s percentile") } == 1)
        for condition in ["inflight=1, strategy=curl-multi", "inflight=8, strategy=curl-multi"] {
            #expect(lines.contains { $0.hasSuffix(condition) }, "\(lines)")
        }
        func cells(_ name: String) -> [[Substring]] {
            lines.filter { $0.trimmingCharacters(in: .whitespaces).hasPrefix(name + "  ") }
                .map { $0.split(separator: " ") }
        }
        let measured = cells("one")
        #expect(measured.count == 2, "\(lines)")
        for row in measured {
            // Of 1,000 two lie beyond p99, and ten are needed beyond p99.9.
            #expect(row.joined(separator: " ").hasPrefix("one 1.00 ms 1.00 ms 1.00 ms – – 1.00 s"), "\(row)")
        }
        #expect(cells("two").count == 2)
        // With each wait of 1 s come those who would have waited for 999 ms, 998 ms… down to 1 ms: of 2,998, p99 is the 2,969th, and 29
        // are longer, fifteen pairs less one: 1,000 ms − 14 or 15 ms.
        let corrected = try #require(lines.first { $0.contains("one, corrected") })
        #expect(corrected.contains(" 985 ms ") || corrected.contains(" 986 ms "), "\(corrected)")
    }

    @Test("stands in the Markdown of an experiment with the name of what is compared")
    func inMarkdown() throws {
        let text = try text("markdown")
        #expect(text.contains("How long responses took, inflight=8, strategy=curl-multi:"), "\(text)")
        #expect(text.contains("| server | p50 | p90 | p99 | p99.9 | p99.99 | max |"), "\(text)")
        #expect(text.contains("| one | 1.00 ms | 1.00 ms | 1.00 ms | – | – | 1.00 s |"), "\(text)")
        #expect(text.contains("| two, corrected | 4.00 ms "), "\(text)")
    }

    @Test("stands on the page of an experiment, with its condition in the caption")
    func onThePage() throws {
        let run = try run()
        let data = try RunData.load(run.runFolder)
        let outcome = try ReportWriter().write(data, summaries: data.summaries())
        let page = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
        #expect(page.contains("Response times over trials, inflight=1, strategy=curl-multi"))
        #expect(page.contains("one, corrected"))
    }
}
