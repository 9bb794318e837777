import Analysis
import Foundation
import Reporting
import Results
import Testing

/// What the page and the exports say of costs, and of what has none.
@Suite("Costs in reports")
struct CostReportTests {
    private typealias Cost = SyntheticRun.Cost

    private static let misses = Metric("cache_misses", "1", .counters, .process)
    private static let joules = Metric.processorEnergy
    static let hostile = "</script><img src=x onerror=alert(1)>\"'&|*x*\u{0}\u{202E}"

    /// Three strategies: a number, an estimate, and none.
    private static func run(_ none: Reading, _ metric: Metric = misses) -> SyntheticRun {
        SyntheticRun(workloads: [
            .init(
                suite: "S", name: "n",
                contenders: [
                    .init(name: "counted", behaviour: .pool(4), costs: [Cost(metric, .measured(1234))]),
                    .init(
                        name: "guessed", behaviour: .pool(4), costs: [Cost(metric, .estimated(555, share: 0.25))]),
                    .init(name: "without", behaviour: .pool(4), costs: [Cost(metric, none)]),
                ], tasks: 100, spent: 90_000)
        ])
    }

    private func export(_ format: String, _ run: SyntheticRun) throws -> String {
        try withFolder { path in
            let data = try run.write(to: path)
            let exporter = try #require(ResultExporters.named(format))
            return exporter.export(data, data.summaries(), style: TextStyle(width: nil, colour: false))
        }
    }

    private func page(_ run: SyntheticRun) throws -> String {
        try withFolder { path in
            let data = try run.write(to: path)
            // Pictures are not looked at here.
            let outcome = try ReportWriter(gnuplot: path + "/none").write(data, summaries: data.summaries())
            return try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
        }
    }

    /// Rows of the page's tables of costs, each as the texts of its cells, the heading first.
    private func costRows(_ html: String) throws -> [[String]] {
        let table = try #require(html.firstMatch(of: /<table class="costs">(.*?)<\/table>/.dotMatchesNewlines())).1
        return table.matches(of: /<tr>(.*?)<\/tr>/.dotMatchesNewlines()).map { row in
            row.1.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/.dotMatchesNewlines()).map {
                $0.1.replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
    }

    static let absences: [Reading] = [
        .unsupported(reason: "this processor has no counters"), .notCounted(reason: "its counter had no turn"),
        .denied(reason: "perf_event_paranoid is 4", remedy: "set it to 1"),
    ]

    @Test("what has no number has a dash in the page's table, and never a zero", arguments: absences)
    func pageTable(none: Reading) throws {
        let rows = try costRows(try page(Self.run(none)))
        let place = try #require(rows[0].firstIndex(of: "cache misses"))
        func cell(_ strategy: String) throws -> String { try #require(rows.first { $0[0] == strategy })[place] }
        #expect(try cell("counted") == "1,230")
        #expect(try cell("guessed") == "≈ 555")
        #expect(try cell("without") == "–")
    }

    @Test("Markdown has the same table", arguments: absences)
    func markdown(none: Reading) throws {
        let text = try export("markdown", Self.run(none))
        let lines = text.split(separator: "\n").map(String.init)
        let heading = try #require(lines.firstIndex { $0 == "What a task cost:" })
        func cells(_ line: String) -> [String] {
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let place = try #require(cells(lines[heading + 1]).firstIndex(of: "cache misses"))
        let rows = lines[(heading + 3)...].prefix { $0.hasPrefix("|") }.map(cells)
        #expect(Set(rows.map { $0[0] + " " + $0[place] }) == ["counted 1,230", "guessed ≈ 555", "without –"])
        #expect(text.contains("≈ marks what was counted for a part of the time only"))
    }

    @Test("CSV has a number with its interval and status, and an empty field where there is none", arguments: absences)
    func csv(none: Reading) throws {
        let text = try export("csv", Self.run(none))
        try withFolder { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try text.write(toFile: path + "/x.csv", atomically: true, encoding: .utf8)
            let reader = try CSVReader(path + "/x.csv")
            #expect(try reader.next())
            let header = (0..<reader.fieldCount).map { reader.text($0) }
            #expect(Set(header).count == header.count)
            let place = try #require(header.firstIndex(of: "cost_cache_misses_per_task"))
            #expect(
                header[place..<(place + 4)].map { $0.dropFirst("cost_cache_misses_per_task".count) }
                    == ["", "_lower", "_upper", "_status"])
            #expect(header.contains("cost_cpu_time_ns_per_task"))
            var rows: [String: [String]] = [:]
            while try reader.next() {
                rows[reader.text(try #require(header.firstIndex(of: "strategy")))] = (place..<(place + 4)).map {
                    reader.text($0)
                }
            }
            #expect(rows["counted"] == ["1234", "1234", "1234", "measured"])
            #expect(rows["guessed"] == ["555", "555", "555", "estimated"])
            #expect(rows["without"] == ["", "", "", none.status.rawValue])
        }
    }

    @Test("what is zero in every row is named below the table, and has no column")
    func zeros() throws {
        var run = Self.run(.measured(0), .init("voluntary_switches", "1", .operatingSystem, .process))
        for index in run.workloads[0].contenders.indices {
            run.workloads[0].contenders[index].costs[0].reading = .measured(0)
        }
        let html = try page(run)
        #expect(try costRows(html)[0].contains("waits") == false)
        #expect(html.contains("measured, and zero throughout: waits"))
    }

    @Test(
        "small and large costs are told in the unit that fits",
        arguments: [
            (Metric.processorEnergy, 0.0034, "3.40 mJ"), (.processorEnergy, 12.3e-6, "12.3 µJ"),
            (.processorEnergy, 4560, "4.56 kJ"), (.processorEnergy, 0, "0 J"),
            (.init("allocated_bytes", "B", .allocations, .process), 0.25, "0.250 B"),
            (.init("cache_misses", "1", .counters, .process), 0.012, "0.0120"),
            (.init("thread_cpu_time", "ns", .operatingSystem, .thread), 1_230_000, "1.23 ms"),
        ] as [(Metric, Double, String)])
    func units(metric: Metric, value: Double, text: String) throws {
        var run = Self.run(.measured(value), metric)
        run.workloads[0].contenders = [run.workloads[0].contenders[2]]
        run.trials = 2
        #expect(try costRows(try page(run))[1].contains(text))
    }

    @Test("what could not be measured is listed once for each reason, with its remedy and its benchmarks")
    func list() throws {
        let reason = "perf_event_paranoid is 4"
        var run = Self.run(.denied(reason: reason, remedy: "set it to 1"))
        let other = Metric("cycles", "1", .counters, .process)
        for index in run.workloads[0].contenders.indices {
            run.workloads[0].contenders[index].costs.append(
                Cost(other, .denied(reason: reason, remedy: "set it to 1")))
        }
        let html = try page(run)
        #expect(html.contains("<h2>Could not be measured</h2>"))
        let section = try #require(
            html.firstMatch(of: /<section id="unmeasured">(.*?)<\/section>/.dotMatchesNewlines())
        ).1
        let items = section.matches(of: /<li>(.*?)<\/li>/.dotMatchesNewlines()).map {
            $0.1.replacing(/<[^>]*>/, with: "")
        }
        #expect(items.count == 1)
        let item = try #require(items.first)
        #expect(item.contains("cycles") && item.contains("cache_misses"))
        #expect(item.contains(": \(reason) → set it to 1 (all benchmarks)"), "\(item)")
    }

    @Test("a page of a run that measured everything has no such list")
    func nothingMissing() throws {
        #expect(!(try page(Self.run(.measured(1)))).contains("Could not be measured"))
    }

    @Test("reasons, remedies and names of events are text, never markup")
    func hostileReasons() throws {
        let metric = Metric(Self.hostile, "1", .counters, .process)
        let run = Self.run(.denied(reason: Self.hostile, remedy: Self.hostile), metric)
        let html = try page(run)
        #expect(!html.contains("<img") && !html.contains("<script"))
        #expect(!html.contains("\u{202E}") && !html.contains("\u{0}"))
        #expect(html.contains("&lt;img src"))
        let markdown = try export("markdown", run)
        #expect(!markdown.contains("<img") && markdown.contains("&lt;img src"))
        for row in markdown.split(separator: "\n") where row.hasPrefix("|") && row.contains("img") {
            #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 4, "\(row)")
        }
    }

    @Test("the terminal says how much of what was asked for has no number, and nothing of what was not")
    func askedFor() throws {
        var run = Self.run(.unsupported(reason: "none"))
        func line() throws -> String? {
            try export("text", run).split(separator: "\n").first { $0.hasPrefix("Not measured") }.map(String.init)
        }
        run.counters = ["cache_misses"]
        #expect(try line() == nil, "one strategy has a number")
        for index in run.workloads[0].contenders.indices {
            run.workloads[0].contenders[index].costs[0].reading = .unsupported(reason: "none")
        }
        #expect(try line() == "Not measured: 1 metric; see taskmeter doctor")
        run.counters = nil
        #expect(try line() == nil, "nobody asked for it by name")
        run.workloads[0].contenders[0].costs = [
            Cost(Metric("allocations", "1", .allocations, .process), .notCounted(reason: "none"))
        ]
        run.counting = [.init(mode: .allocations, trials: 2)]
        #expect(try line() == "Not measured: 1 metric; see taskmeter doctor")
        run.counting = [.init(mode: .exact, trials: 2)]
        #expect(try line() == nil)
    }
}
