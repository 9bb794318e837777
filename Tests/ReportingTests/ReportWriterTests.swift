import Analysis
import Foundation
import Reporting
import Results
import Testing

@Suite("The report as a whole")
struct ReportWriterTests {
    @Test("a run's report has all plots, each with its script and data")
    func wholeReport() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "Blocking", name: "sleep", parameters: [.init(axis: "ms", value: "200")],
                    contenders: SyntheticRun.usual, tasks: 60, spent: 200_000_000, spread: 0.01)
            ]).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.plots == 4)
            #expect(outcome.missingPlots.isEmpty)
            let files = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            for ending in [".svg", ".gnuplot", ".dat"] { #expect(files.count { $0.hasSuffix(ending) } == 4) }
            #expect(!files.contains { $0.hasSuffix(".part") })
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("global-queue began with 2 workers and gained about"))
        }
    }
}

/// Writes example reports for a person to look at, when `TASKMETER_SHOW_REPORTS` names a folder.
@Suite("Reports to look at", .enabled(if: ProcessInfo.processInfo.environment["TASKMETER_SHOW_REPORTS"] != nil))
struct ReportsToLookAt {
    @Test("a run of a million tasks, with its cost")
    func million() throws {
        let folder = ProcessInfo.processInfo.environment["TASKMETER_SHOW_REPORTS"] ?? ""
        let workloads = (0..<2).map {
            SyntheticRun.Workload(
                suite: "Big", name: "work-\($0)", contenders: SyntheticRun.usual, tasks: 8930, spent: 30_000)
        }
        let path = folder + "/million"
        if !FileManager.default.fileExists(atPath: path + "/run.json") {
            _ = try SyntheticRun(workloads: workloads).write(to: path)
        }
        let clock = ContinuousClock()
        let begin = clock.now
        let data = try RunData.load(RunFolder(path))
        let loaded = clock.now
        let summaries = data.summaries()
        let summarised = clock.now
        let outcome = try ReportWriter().write(data, summaries: summaries)
        let end = clock.now
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        print(
            "load \(loaded - begin), summaries \(summarised - loaded), report \(end - summarised), plots \(outcome.plots)",
            status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") })
    }

    @Test("a run of 300 benchmarks")
    func wide() throws {
        let folder = ProcessInfo.processInfo.environment["TASKMETER_SHOW_REPORTS"] ?? ""
        let workloads = (0..<43).map {
            SyntheticRun.Workload(
                suite: "Suite\($0 / 10)", name: "work-\($0)", contenders: SyntheticRun.usual, tasks: 415, spent: 30_000)
        }
        let data = try SyntheticRun(workloads: workloads).write(to: folder + "/wide")
        let summaries = data.summaries()
        let clock = ContinuousClock()
        let begin = clock.now
        let outcome = try ReportWriter().write(data, summaries: summaries)
        print("300 benchmarks: \(clock.now - begin), plots \(outcome.plots)")
    }

    @Test("a varied run")
    func varied() throws {
        let folder = ProcessInfo.processInfo.environment["TASKMETER_SHOW_REPORTS"] ?? ""
        let twelve = (0..<12).map {
            SyntheticRun.Contender(name: "pool-\($0 + 1)", behaviour: .pool($0 + 1), slowness: 1 + 0.1 * Double($0))
        }
        let hostile = [
            "it's \"quoted\" `ls`", "under_score {a}^2 @x", "100 % $HOME \\n", "</script><img onerror=alert(1)>",
            "日本語キュー",
            "line\nbreak", "x\\", "naïve é 🙂 \u{202E}rtl",
        ].map { SyntheticRun.Contender(name: $0, behaviour: .pool(2)) }
        let data = try SyntheticRun(workloads: [
            .init(
                suite: "Blocking", name: "sleep", parameters: [.init(axis: "ms", value: "200")],
                contenders: SyntheticRun.usual, tasks: 100, spent: 200_000_000, spread: 0.01),
            .init(
                suite: "Blocking", name: "many", contenders: SyntheticRun.usual, tasks: 1204, spent: 20_000_000,
                spread: 0.1, failEvery: 100, unfinished: 3),
            .init(suite: "Compute", name: "hash", contenders: SyntheticRun.usual, tasks: 3000, spent: 8000),
            .init(suite: "Compute", name: "twelve", contenders: twelve, tasks: 2000, spent: 900_000),
            .init(suite: "Odd", name: "hostile <b>&", contenders: hostile, tasks: 300, spent: 900_000),
            .init(
                suite: "Odd", name: "identical", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 300,
                spent: 1_000_000, spread: 0),
            .init(suite: "Odd", name: "zeros", contenders: Array(SyntheticRun.usual.prefix(3)), tasks: 300, spent: 0),
            .init(
                suite: "Odd", name: "one", contenders: Array(SyntheticRun.usual.prefix(1)), tasks: 1, spent: 1_000_000),
        ]).write(to: folder + "/varied")
        let outcome = try ReportWriter().write(data, summaries: data.summaries())
        #expect(outcome.missingPlots == [])
        for exporter in ResultExporters.all {
            try exporter.export(data, data.summaries(), style: TextStyle(width: 120)).write(
                toFile: folder + "/varied/export." + exporter.name, atomically: true, encoding: .utf8)
        }
        let few = try SyntheticRun(
            workloads: [
                .init(suite: "Blocking", name: "sleep", contenders: SyntheticRun.usual, tasks: 50, spent: 3_000_000)
            ],
            trials: 3, state: .interrupted, lostTrials: 5
        ).write(to: folder + "/interrupted")
        _ = try ReportWriter(gnuplot: "/nonexistent/gnuplot").write(few, summaries: few.summaries())
    }

    @Test("runs of code timed in batches, alone and beside tasks")
    func sampled() throws {
        let folder = ProcessInfo.processInfo.environment["TASKMETER_SHOW_REPORTS"] ?? ""
        func axis(_ value: String) -> [BenchmarkID.Parameter] { [.init(axis: "bytes", value: value)] }
        let quiet = ["warmup_steady": 1.0, "clock_cost": 21, "clock_resolution": 1, "involuntary_switches": 1]
        var run = SyntheticRun(
            workloads: [],
            sampled: [
                .init(suite: "Short", name: "hash", parameters: axis("64"), time: 41, facts: quiet),
                .init(suite: "Short", name: "empty", time: 0.01, spread: 0.05, trialSpread: 2, facts: quiet),
                .init(suite: "Short", name: "hash", parameters: axis("1024"), time: 512, drift: 0.08, facts: quiet),
                .init(suite: "Short", name: "lookup", time: 7.3, samples: 400, secondMode: 0.12, facts: quiet),
                .init(
                    suite: "Short", name: "busy", time: 900, samples: 3000, iterations: 100, spread: 0.05,
                    facts: ["involuntary_switches": 400, "migrations": 90, "steal_time": 40e6, "warmup_steady": 0]),
                .init(
                    suite: "Odd </script>`touch PWNED`", name: "'; _^{x} <b> 100 %", time: 5e6, samples: 3,
                    iterations: 1),
            ], trials: 8)
        run.selfCost = SelfCost(
            clockRead: 21.4, clockResolution: 1, submit: 38, beginEnd: 62, insideSpent: 31, mark: 29, sample: 44)
        run.clock = ClockFacts(
            source: "tsc", reason: "invariant, and the kernel trusts it", readCost: 9.4, resolution: 0.36,
            backwardSteps: 0, driftAgainstRaw: 0.021, suspended: .zero,
            misbehaviour: ["The clock stood still for 2 ms at 12:00: what was measured then is too short."])
        try write(run, folder + "/sampled")
        run.workloads = [
            .init(suite: "Short", name: "queue", contenders: SyntheticRun.usual, tasks: 400, spent: 900),
            .init(suite: "Long", name: "sleep", contenders: SyntheticRun.usual, tasks: 60, spent: 3_000_000),
        ]
        run.trials = 3
        run.crashedTrials = [15]
        try write(run, folder + "/mixed")
    }

    private func write(_ run: SyntheticRun, _ path: String) throws {
        let data = try run.write(to: path)
        let outcome = try ReportWriter().write(data, summaries: data.summaries())
        #expect(outcome.missingPlots == [])
        for exporter in ResultExporters.all {
            try exporter.export(data, data.summaries(), style: TextStyle(width: 120)).write(
                toFile: path + "/export." + exporter.name, atomically: true, encoding: .utf8)
        }
    }
}
