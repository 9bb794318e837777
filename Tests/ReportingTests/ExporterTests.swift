import Analysis
import Foundation
import Reporting
import Results
import Testing
import Words

@Suite("Result exporters")
struct ExporterTests {
    private func exported(_ format: String, width: Int? = nil, colour: Bool = false) throws -> (
        text: String, data: RunData
    ) {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "S", name: "n",
                    contenders: [
                        .init(name: "日本語キュー", behaviour: .pool(2)),
                        .init(name: "plain \"quoted\"|*x*", behaviour: .pool(1)),
                        .init(name: "naïve é 🙂", behaviour: .pool(3)),
                    ], tasks: 200, spent: 90_000)
            ]).write(to: path)
            let exporter = try #require(ResultExporters.named(format))
            return (exporter.export(data, data.summaries(), style: TextStyle(width: width, colour: colour)), data)
        }
    }

    @Test("an unknown format is nil, and every known one is found by its name")
    func names() {
        #expect(ResultExporters.named("yaml") == nil)
        #expect(ResultExporters.all.map { $0.name } == ["text", "markdown", "advice", "csv", "json"])
        for exporter in ResultExporters.all { #expect(ResultExporters.named(exporter.name) == exporter) }
    }

    @Test("CSV reads back with the values of the summaries, in their units")
    func csv() throws {
        let (text, data) = try exported("csv")
        try withFolder { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try text.write(toFile: path + "/x.csv", atomically: true, encoding: .utf8)
            let reader = try CSVReader(path + "/x.csv")
            #expect(try reader.next())
            let header = (0..<reader.fieldCount).map { reader.text($0) }
            #expect(Set(header).count == header.count)
            func column(_ name: String) throws -> Int { try #require(header.firstIndex(of: name)) }
            for summary in data.summaries() {
                #expect(try reader.next())
                #expect(reader.fieldCount == header.count)
                #expect(reader.text(try column("benchmark")) == summary.benchmark.description)
                #expect(Double(reader.text(try column("throughput_median_per_s"))) == summary.throughput?.median)
                #expect(Int64(reader.text(try column("spent_p50_ns"))) == summary.spent?.p50.value?.count)
                #expect(reader.text(try column("spent_p999_ns")) == "")
                #expect(Int(reader.text(try column("tasks_ok"))) == summary.tasks.ok)
            }
            #expect(try !reader.next())
        }
    }

    @Test(
        "a rank is exported only where something is shown of it", arguments: [(2, "undecided", ""), (8, "best", "1")])
    func ranks(_ trials: Int, _ standing: String, _ rank: String) throws {
        try withFolder { path in
            let data = try SyntheticRun(
                workloads: [
                    .init(
                        suite: "S", name: "n",
                        contenders: [.init(name: "a", behaviour: .pool(4)), .init(name: "b", behaviour: .pool(1))],
                        tasks: 200, spent: 90_000)
                ], trials: trials
            ).write(to: path)
            let exporter = try #require(ResultExporters.named("csv"))
            let text = exporter.export(data, data.summaries(), style: TextStyle(width: nil, colour: false))
            try text.write(toFile: path + "/x.csv", atomically: true, encoding: .utf8)
            let reader = try CSVReader(path + "/x.csv")
            #expect(try reader.next())
            let header = (0..<reader.fieldCount).map { reader.text($0) }
            #expect(try reader.next())
            #expect(reader.text(try #require(header.firstIndex(of: "standing"))) == standing)
            #expect(reader.text(try #require(header.firstIndex(of: "rank"))) == rank)
        }
    }

    @Test("JSON reads back with the values of the summaries, unscaled")
    func json() throws {
        let (text, data) = try exported("json")
        struct Document: Decodable {
            var units: [String: String]
            var benchmarks: [BenchmarkSummary]
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        #expect(document.benchmarks == data.summaries())
        #expect(document.units["spent"] == "ns")
    }

    @Test("columns of a text table line up under wide characters", arguments: [nil, 120, 70, 40])
    func alignment(width: Int?) throws {
        let (text, _) = try exported("text", width: width)
        let lines = text.split(separator: "\n").map(String.init)
        let header = try #require(lines.firstIndex { $0.hasPrefix("rank") })
        let rows = lines[header...(header + 3)]
        let widths = Set(rows.map { DisplayWidth.of($0) })
        #expect(widths.count == 1, "\(rows)")
        if let width { for line in lines { #expect(DisplayWidth.of(line) <= width, "\(line)") } }
        #expect(!text.contains("\u{1B}"))
    }

    @Test("colours come only when asked for, and change no column")
    func colour() throws {
        let plain = try exported("text").text
        let coloured = try exported("text", colour: true).text
        #expect(coloured.contains("\u{1B}[1m"))
        #expect(coloured.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
    }

    @Test("Markdown keeps names out of its own syntax")
    func markdown() throws {
        let text = try exported("markdown").text
        #expect(text.contains("plain \"quoted\"\\|\\*x\\*"))
        let tables = text.split(separator: "\n\n").filter { $0.hasPrefix("|") }
        #expect(tables.count == 3, "ranking, advice and costs")
        for table in tables {
            // Pipes that are not escaped: as many in each row.
            let pipes = table.split(separator: "\n").map { $0.replacing("\\|", with: "").count { $0 == "|" } }
            #expect(pipes.count == 5 && Set(pipes).count == 1 && pipes[0] > 2, "\(table)")
        }
    }
}

@Suite("Numbers and times as people read them")
struct PlainDurationTests {
    @Test(
        "three significant digits, each number with its own unit, and no 1,000 of a unit that has a larger one",
        arguments: [
            (0.0, "0 ns"), (1, "1.00 ns"), (999.4, "999 ns"), (999.6, "1.00 µs"), (45_600, "45.6 µs"),
            (1_234_567, "1.23 ms"),
            (999_960_000, "1.00 s"), (2_310_000_000, "2.31 s"), (123_400_000_000, "123 s"), (-1500, "−1.50 µs"),
        ])
    func durations(nanoseconds: Double, text: String) {
        #expect(PlainDuration.text(nanoseconds) == text)
    }

    @Test("long times are told in minutes and hours")
    func long() {
        #expect(PlainDuration.long(.seconds(8.2)) == "8.20 s")
        #expect(PlainDuration.long(.seconds(252)) == "4 min 12 s")
        #expect(PlainDuration.long(.seconds(3780)) == "1 h 3 min")
    }
}
