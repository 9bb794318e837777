import Analysis
import Foundation
import Reporting
import Results
import Statistics
import Testing

@Suite("Code timed in batches, in every form of the report")
struct SampledReportTests {
    private func exported(_ format: String, _ run: SyntheticRun) throws -> String {
        try withFolder { path in
            let data = try run.write(to: path)
            let exporter = try #require(ResultExporters.named(format))
            return exporter.export(data, data.summaries(), style: TextStyle())
        }
    }

    private func page(_ run: SyntheticRun, plots: Int) throws -> String {
        try withFolder { path in
            let data = try run.write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.missingPlots == [] && outcome.plots == plots)
            return try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
        }
    }

    private static let hash = SyntheticRun.Sampled(
        suite: "Short", name: "hash", parameters: [.init(axis: "bytes", value: "64")], time: 41)
    private static let longHash = SyntheticRun.Sampled(
        suite: "Short", name: "hash", parameters: [.init(axis: "bytes", value: "1024")], time: 512)
    private static let other = SyntheticRun.Sampled(suite: "Short", name: "other", time: 3)
    private static let tasks = SyntheticRun.Workload(
        suite: "Short", name: "queue", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 60, spent: 90_000)

    @Test("a run of nothing else says so on its first screen, and nothing of strategies, tasks or workloads")
    func alone() throws {
        let html = try page(SyntheticRun(workloads: [], sampled: [Self.hash, Self.other]), plots: 2)
        #expect(html.contains("<h1>2 benchmarks timed in batches</h1>"))
        #expect(html.contains("16 of 16 planned trials completed, 960 samples, no benchmark has a warning."))
        #expect(!html.contains("Best strategy") && !html.contains("recorded tasks"))
        #expect(html.contains("<h2><a class=\"anchor\""))
        #expect(html.contains(">Code timed in batches</a></h2>"))
        #expect(html.contains("Timed so: batches of about 0.1 ms after a warm-up of 100 ms"))
    }

    @Test("a run of tasks alone says nothing of batches on its first screen")
    func tasksAlone() throws {
        let html = try page(SyntheticRun(workloads: [Self.tasks]), plots: 4)
        #expect(html.contains("<h1>2 strategies on 1 workload</h1>"))
        #expect(html.contains("Best strategy") && !html.contains("Time per iteration"))
        #expect(html.contains("960 recorded tasks, no benchmark"))
    }

    @Test("a run of both has an answer for both")
    func both() throws {
        let html = try page(SyntheticRun(workloads: [Self.tasks], sampled: [Self.hash]), plots: 5)
        #expect(html.contains("<h1>2 strategies on 1 workload, 1 benchmark timed in batches</h1>"))
        #expect(html.contains("960 recorded tasks, 480 samples, no benchmark has a warning."))
        #expect(html.contains("Best strategy") && html.contains("Time per iteration"))
        #expect(html.contains("global-queue is") || html.contains("serial-queue"))
    }

    @Test("benchmarks that differ only by their axes stand together, whatever was declared between them")
    func together() throws {
        let text = try exported(
            "text", SyntheticRun(workloads: [], sampled: [Self.hash, Self.other, Self.longHash]))
        let rows = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
        let first = try #require(rows.firstIndex(of: "hash[bytes=64]"))
        #expect(rows[first + 1] == "hash[bytes=1024]" && rows[first + 2] == "other")
        #expect(text.contains("Short: code timed in batches"))
        #expect(!text.contains("a rank is one more"))
    }

    @Test(
        "times below a nanosecond and below nothing are shown as they are, with no more digits than the interval bears")
    func negative() throws {
        let text = try exported(
            "text",
            SyntheticRun(
                workloads: [],
                sampled: [.init(suite: "S", name: "empty", time: -0.01, spread: 0.05, trialSpread: 6)]))
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("empty") })
        #expect(line.contains(/\s−?0\.0\d\d? ns \[−0\.\d\d\d?, 0\.\d\d\d?\]/), "\(line)")
        #expect(text.contains("Doubts: empty: instrument’s share"))
    }

    struct Shown: Sendable {
        var trials: [Double]
        var text: String
    }

    @Test(
        "an estimate has as many decimals as its interval bears, and each end stands on its own side of zero",
        arguments: [
            Shown(trials: [-0.01, 0, 0.02, 0.02, 0.03, 0.05], text: "0.02 ns [−0.01, 0.05]"),
            Shown(trials: [-0.0047, 0.001, 0.007, 0.007, 0.01, 0.0286], text: "0.007 ns [−0.005, 0.029]"),
            Shown(trials: [0.0121, 0.0122, 0.0123, 0.0123, 0.0124, 0.0125], text: "0.0123 ns [0.0121, 0.0125]"),
            Shown(trials: [12.1, 12.2, 12.3, 12.3, 12.4, 12.5], text: "12.3 ns [12.1, 12.5]"),
            Shown(trials: [995.93, 995.95, 996, 996, 996.05, 996.08], text: "996.0 ns [995.9, 996.1]"),
            Shown(trials: [-1500, -1400, -1400, -1400, -1300, -1200], text: "−1.40 µs [−1.50, −1.20]"),
            Shown(trials: [5, 5, 5, 5, 5, 5], text: "5.00 ns [5.00, 5.00]"),
            Shown(trials: [0.0203], text: "0.02 ns"), Shown(trials: [0], text: "0 ns"),
        ])
    func estimates(_ shown: Shown) throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [], sampled: [Self.other], trials: 1).write(to: path)
            var summaries = data.summaries()
            let time = try #require(MedianEstimate(of: shown.trials))
            summaries[0].iteration = IterationSummary(
                time: time, empty: time, samples: 1, iterationsPerSample: 1, scatter: 0)
            let text = try #require(ResultExporters.named("text")).export(data, summaries, style: TextStyle())
            #expect(text.contains("  \(shown.text)  "), "\(text)")
        }
    }

    @Test(
        "degenerate samples are drawn: one, few, none of length, all alike, one trial",
        arguments: [(1, 5.0, 0.01, 8), (3, 5, 0.01, 8), (50, 0, 0, 8), (50, 5, 0, 8), (50, 5, 0.01, 1)])
    func degenerate(_ samples: Int, _ time: Double, _ spread: Double, _ trials: Int) throws {
        var run = SyntheticRun(
            workloads: [],
            sampled: [.init(suite: "S", name: "n", time: time, empty: time / 10, samples: samples, spread: spread)])
        run.trials = trials
        _ = try page(run, plots: 1)
        for exporter in ResultExporters.all { #expect(try exported(exporter.name, run).contains("S")) }
    }

    @Test("a benchmark without a sample has dashes, its reason and nothing to draw")
    func nothing() throws {
        let run = SyntheticRun(workloads: [], sampled: [Self.other], trials: 2, crashedTrials: [0, 1])
        let html = try page(run, plots: 0)
        #expect(html.contains("Nothing to draw: no completed trial left a sample."))
        #expect(html.contains("title=\"no completed trial left a sample\">–<"))
        #expect(html.contains("Trials 0 and 1 failed"))
        #expect(try exported("text", run).contains("No trial completed: there is nothing to judge."))
    }

    @Test("hostile names are text on the page and in the picture, and run no command")
    func hostile() throws {
        let name = "`touch PWNED`'; system(\"touch PWNED\"); <img src=x>\"|*_\u{202E}"
        try withFolder { path in
            let data = try SyntheticRun(
                workloads: [],
                sampled: [
                    .init(suite: "<script>", name: name, parameters: [.init(axis: "x\n", value: "</td>")], time: 9)
                ]
            ).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.plots == 1)
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(!html.contains("<img") && !html.contains("<script") && !html.contains("\u{202E}"))
            #expect(html.contains("&lt;img src=x&gt;"))
            #expect(!FileManager.default.fileExists(atPath: path + "/plots/PWNED"))
            let markdown = try #require(ResultExporters.named("markdown")).export(
                data, data.summaries(), style: TextStyle())
            for row in markdown.split(separator: "\n").filter({ $0.hasPrefix("|") }) {
                #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 9, "\(row)")
            }
        }
    }

    @Test("doubts stand beside results: in words on the page and in Markdown, short in text, by kind in CSV and JSON")
    func doubts() throws {
        var drifting = Self.longHash
        drifting.drift = 0.2
        var run = SyntheticRun(workloads: [Self.tasks], sampled: [drifting])
        run.selfCost = SelfCost(
            clockRead: 20, clockResolution: 1, submit: 30, beginEnd: 60, insideSpent: 2000, mark: 20, sample: 40)
        let html = try page(run, plots: 5)
        #expect(html.contains("<h3>Doubts</h3>"))
        #expect(html.contains("samples become slower as the trial goes on, by "))
        #expect(html.contains("</bdi>: <bdi>Spent includes about 2.0 µs of the instrument, 2."))
        #expect(html.contains(" 3 benchmarks have doubts."))
        let text = try exported("text", run)
        #expect(text.contains("Doubts: hash[bytes=1024]: drift"))
        #expect(text.contains(/Doubts: \S+ and \S+: instrument’s share/))
        #expect(
            try exported("markdown", run).contains("- Doubt: hash\\[bytes=1024\\]: In 8 of 8 trials samples become"))
        #expect(try exported("csv", run).contains(",drift,"))
        #expect(try exported("json", run).contains("\"kind\" : \"drift\""))
    }

    @Test("what the instrument costs and how its clock went stand among the run's facts, and misbehaviour above all")
    func instrument() throws {
        var run = SyntheticRun(workloads: [], sampled: [Self.hash])
        run.selfCost = SelfCost(
            clockRead: 21.4, clockResolution: 1, submit: 38, beginEnd: 62, insideSpent: 31, mark: 29, sample: 44)
        run.clock = ClockFacts(
            source: "tsc", reason: "invariant <b>", readCost: 9.4, resolution: 0.36, driftAgainstRaw: -0.021,
            misbehaviour: ["The clock <b>stood still</b>."])
        let html = try page(run, plots: 1)
        let grave = try #require(html.range(of: "The clock &lt;b&gt;stood still&lt;/b&gt;."))
        let answer = try #require(html.range(of: "The answer"))
        #expect(grave.lowerBound < answer.lowerBound)
        #expect(html.contains("tsc (invariant &lt;b&gt;)") && html.contains("−0.021 ppm"))
        #expect(html.contains("unavailable: could not be tested"))
        #expect(html.contains("Of that inside spent</th><td><bdi>31 ns"))
        let text = try exported("text", run)
        #expect(text.contains("Clock: tsc (invariant <b>); 9.4 ns a reading, smallest step seen 0.36 ns."))
        #expect(text.contains("62 ns to begin and end a task, 31 ns of them inside spent"))
        #expect(text.contains("! The clock <b>stood still</b>."))
    }

    @Test("JSON and CSV hold the values of the summaries, unscaled")
    func values() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [Self.tasks], sampled: [Self.hash]).write(to: path)
            let summaries = data.summaries()
            struct Document: Decodable { var benchmarks: [BenchmarkSummary] }
            let json = try #require(ResultExporters.named("json")).export(data, summaries, style: TextStyle())
            #expect(try JSONDecoder().decode(Document.self, from: Data(json.utf8)).benchmarks == summaries)
            let csv = try #require(ResultExporters.named("csv")).export(data, summaries, style: TextStyle())
            try csv.write(toFile: path + "/x.csv", atomically: true, encoding: .utf8)
            let reader = try CSVReader(path + "/x.csv")
            #expect(try reader.next())
            let header = (0..<reader.fieldCount).map { reader.text($0) }
            #expect(Set(header).count == header.count)
            func column(_ name: String) throws -> Int { try #require(header.firstIndex(of: name)) }
            for _ in 0..<3 { #expect(try reader.next()) }
            let iteration = try #require(summaries.last?.iteration)
            #expect(reader.fieldCount == header.count)
            #expect(reader.text(try column("benchmark")) == "Short/hash[bytes=64]")
            #expect(Double(reader.text(try column("iteration_time_median_ns"))) == iteration.time.median)
            #expect(Double(reader.text(try column("iteration_time_upper_ns"))) == iteration.time.interval?.upper)
            #expect(Double(reader.text(try column("scatter"))) == iteration.scatter)
            #expect(reader.text(try column("standing")) == "")
            #expect(reader.text(try column("throughput_median_per_s")) == "")
            #expect(try !reader.next())
        }
    }
}
