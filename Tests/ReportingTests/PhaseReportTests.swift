import Analysis
import Foundation
import Reporting
import Results
import TestSupport
import Testing

@Suite("The report of phases") struct PhaseReportTests {
    private static let hostile = "</td> it's, \"`touch PWNED`\" {a}_^ \\ $HOME é"

    /// Two strategies: “told” comes to a hostile phase after 1 ms and to “last” after 3 ms of 4, “less” to “last” only, after 6 of 8.
    private func write(
        to path: String, reason: String? = nil, trials: Int = 6, change: (inout Run) -> Void = { _ in }
    ) throws -> RunData {
        let names = ["S/n[strategy=told]", "S/n[strategy=less]"]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var run = try PhasedRun(at: path, names, trials: trials, change: change)
        for block in 0..<trials {
            for (index, name) in names.enumerated() {
                let scale = Int64(index + 1) * 1_000_000
                try run.add(
                    name, block: block,
                    (0..<50).map { number in
                        let begin = Int64(number) * 10_000_000
                        let marks = [(phase: Self.hostile, at: begin + scale), (phase: "last", at: begin + 3 * scale)]
                        return .init(
                            submitted: begin - 1000, begin: begin, end: begin + 4 * scale,
                            status: number == 7 ? reason.map { .failed(reason: $0) } : nil,
                            index == 0 ? marks : [marks[1]])
                    })
            }
        }
        return try RunData.load(RunFolder(path))
    }

    private func exported(_ format: String) throws -> String {
        try withFolder { path in
            let data = try write(to: path)
            let exporter = try #require(ResultExporters.named(format))
            return exporter.export(data, data.summaries(), style: TextStyle(width: nil, colour: false))
        }
    }

    @Test("has a table with medians and shares, and two plots, whatever the names are")
    func page() throws {
        try withFolder { path in
            let data = try write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.missingPlots == [])
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("Where the time of a task goes"))
            #expect(
                html.contains("1.00 ms · 25 %") && html.contains("2.00 ms · 50 %") && html.contains("6.00 ms · 75 %"))
            #expect(html.contains(">not told<") && html.contains("What is not told is not zero"))
            #expect(!html.contains("</td> it"))
            #expect(html.contains("A task of less spends 8.00 ms on average, 75 % of it up to “last”."))
            #expect(html.contains("Drawn are means over all tasks"))
            for kind in ["phases", "waterfall"] {
                let names = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
                let name = try #require(names.first { $0.hasSuffix("-\(kind).svg") })
                let picture = try Data(contentsOf: URL(fileURLWithPath: path + "/plots/" + name))
                let texts = try #require(XMLTexts.of(picture) as XMLTexts?).texts
                #expect(texts.contains { $0.hasPrefix("</td> it's, \"`touch") })
                #expect(texts.contains("last") && texts.contains("to the end"))
                #expect(names.contains(name.replacing(".svg", with: ".dat")))
            }
            #expect(!FileManager.default.fileExists(atPath: path + "/plots/PWNED"))
        }
    }

    @Test("the waterfall names tasks by their ID, and tells where the slowest spent its time")
    func waterfall() throws {
        try withFolder { path in
            let data = try write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(
                html.contains(
                    "told: a task around the median takes 4.00 ms from due to end, the slowest, task 49, 4.00 ms, 50 % of it on the way to “last”."
                ))
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            let name = try #require(names.first { $0.hasSuffix("-waterfall.dat") })
            let text = try String(contentsOfFile: path + "/plots/" + name, encoding: .utf8)
            // Begins 1 µs after it was due, and comes to “last” 2 ms after the phase before it.
            #expect(text.contains("1001000 0\n3001000 0\n"))
        }
    }

    @Test("a run without phases has no place for them")
    func none() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "S", name: "n", contenders: [.init(name: "a", behaviour: .pool(2))], tasks: 60, spent: 9_000)
            ]).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(!html.contains("Where time goes") && !html.contains("Tasks that failed, by class"))
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            #expect(!names.contains { $0.contains("phases") || $0.contains("waterfall") })
        }
    }

    @Test("benchmarks of an experiment tell their phases by what is compared")
    func experiment() throws {
        try withFolder { path in
            let data = try write(to: path) { run in
                for index in run.benchmarks.indices {
                    run.benchmarks[index].experiment = ExperimentDescription(
                        question: "Who is quicker?", compares: "strategy", along: nil, decides: .throughput)
                }
            }
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.plots == 3)
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("6.00 ms · 75 %") && html.contains(">not told<"))
        }
    }

    @Test("failed tasks stand in a table by class, with their share")
    func failures() throws {
        try withFolder { path in
            let data = try write(to: path, reason: "HTTP status: <404> instead of 200")
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("Tasks that failed, by class"))
            #expect(
                html.contains("<bdi>HTTP status</bdi></td><td class=\"number\">6</td><td class=\"number\">2.0 %</td>"))
            #expect(html.contains("&lt;404&gt; instead of 200") && !html.contains("<404>"))
            // Not again among the warnings.
            #expect(!html.contains("6 tasks failed: HTTP status"))
        }
    }

    @Test("Markdown and text have the table in short")
    func tables() throws {
        let markdown = try exported("markdown")
        #expect(markdown.contains("| told | 1.00 ms · 25 % | 2.00 ms · 50 % | 1.00 ms · 25 % |"))
        #expect(markdown.contains("| less | not told | 6.00 ms · 75 % | 2.00 ms · 25 % |"))
        #expect(markdown.contains("&lt;/td&gt; it"))
        let text = try exported("text")
        #expect(text.contains("median · share of spent, to") && text.contains("6.00 ms · 75 %"))
    }

    @Test("JSON has every segment with its numbers")
    func json() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(exported("json").utf8)) as? [String: Any])
        let benchmarks = try #require(document["benchmarks"] as? [[String: Any]])
        let phases = try #require(benchmarks[0]["phases"] as? [String: Any])
        #expect(phases["tasks"] as? Int == 300 && phases["tasksOutOfOrder"] as? Int == 0)
        let segments = try #require(phases["segments"] as? [[String: Any]])
        #expect(segments.map { $0["name"] as? String } == [Self.hostile, "last", "end"])
        #expect(segments[0]["share"] as? Double == 0.25)
        let times = try #require(segments[0]["times"] as? [String: Any])
        #expect(times["count"] as? Int == 300 && times["mean"] as? Int == 1_000_000)
        let over = try #require(times["medianOverTrials"] as? [String: Any])
        #expect(over["median"] as? Double == 1e6 && over["interval"] != nil)
        #expect((times["p99"] as? [String: Any])?["unavailable"] != nil)
    }

    @Test("CSV has every segment in columns of its own, empty where it is not told")
    func csv() throws {
        let folder = TemporaryFolder()
        let reader = try CSVReader(folder.write(exported("csv"), to: "x.csv"))
        #expect(try reader.next())
        let header = (0..<reader.fieldCount).map { reader.text($0) }
        #expect(Set(header).count == header.count)
        func column(_ name: String) throws -> Int { try #require(header.firstIndex(of: name)) }
        let (hostile, last) = (
            try column("segment_\(Self.hostile)_share"), try column("segment_last_trial_median_median_ns")
        )
        #expect(try reader.next())
        #expect(reader.text(hostile) == "0.25" && reader.text(last) == "2000000")
        #expect(reader.text(try column("rest_mean_ns")) == "1000000")
        #expect(try reader.next())
        #expect(reader.text(hostile) == "" && reader.text(last) == "6000000")
    }

    @Test("more segments than colours are drawn, the least of them as one")
    func many() throws {
        try withFolder { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            var run = try PhasedRun(at: path, ["S/n[strategy=a]"], trials: 1)
            // The twentieth phase is the longest, the first the shortest.
            let marks = (1...20).map { (phase: "phase-\($0)", at: Int64($0 * ($0 + 1) / 2)) }
            try run.add("S/n[strategy=a]", [.init(begin: 0, end: 211, marks)])
            let data = try RunData.load(run.runFolder)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.missingPlots == [])
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            let name = try #require(names.first { $0.hasSuffix("-phases.svg") })
            let picture = try Data(contentsOf: URL(fileURLWithPath: path + "/plots/" + name))
            let texts = try #require(XMLTexts.of(picture) as XMLTexts?).texts
            #expect(texts.contains("9 other phases") && texts.contains("phase-20") && !texts.contains("phase-9"))
        }
    }
}

@Suite("The report of a growing load") struct LoadReportTests {
    @Test("tells up to which rate each kept up, and rings it")
    func load() throws {
        try withFolder { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let strategies = ["slow", "it's `touch PWNED`"]
            let names = strategies.flatMap { name in [100, 200].map { "S/open[rate=\($0),strategy=\(name)]" } }
            var run = try PhasedRun(at: path, names, trials: 1)
            for name in names {
                let gap: Int64 = name.contains("rate=100") ? 10_000_000 : 5_000_000
                var free: Int64 = 0
                try run.add(
                    name,
                    (0..<1000).map { index in
                        let due = Int64(index) * gap
                        let begin = name.contains("slow") ? max(free, due + 1000) : due + 1000
                        free = begin + 8_000_000
                        return .init(due: due, submitted: due + 1000, begin: begin, end: free)
                    })
            }
            let data = try RunData.load(run.runFolder)
            let summaries = data.summaries()
            let outcome = try ReportWriter().write(data, summaries: summaries)
            #expect(outcome.missingPlots == [])
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            let sentence =
                "slow kept up to 100 per second; at 200 only 62.5 % of what arrived ended well in the same time."
            #expect(html.contains("Growing load: open") && html.contains(sentence))
            #expect(html.contains("kept up to 200 per second, the highest rate that was offered."))
            let files = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            let name = try #require(files.first { $0.hasSuffix("-load.gnuplot") })
            let script = try String(contentsOfFile: path + "/plots/" + name, encoding: .utf8)
            #expect(script.matches(of: /pointtype 6 pointsize 2.2/).count == 2)
            #expect(!FileManager.default.fileExists(atPath: path + "/plots/PWNED"))
            for format in ["text", "markdown"] {
                let text = try #require(ResultExporters.named(format)).export(data, summaries, style: TextStyle())
                #expect(text.contains(sentence))
            }
            let json = try #require(ResultExporters.named("json")).export(data, summaries, style: TextStyle())
            let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let curves = try #require((document["loads"] as? [[String: Any]])?.first?["curves"] as? [[String: Any]])
            #expect(curves.map { $0["knee"] as? Double } == [100, 200])
        }
    }
}
