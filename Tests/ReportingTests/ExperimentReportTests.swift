import Analysis
import Foundation
import Reporting
import Results
import TestSupport
import Testing

private func measured(_ values: Double...) -> [Reading] { values.map { .measured($0) } }

@Suite("The report of an experiment") struct ExperimentReportTests {
    private func text(_ run: ExperimentRun, _ format: String = "text") throws -> String {
        let data = try RunData.load(run.runFolder)
        let exporter = try #require(ResultExporters.all.first { $0.name == format })
        return exporter.export(data, data.summaries(), style: TextStyle()).replacing("\n", with: " ")
    }

    @Test("says who is best, who comes next and who is last, each with its number")
    func found() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]", "S/e[way=c]"], trials: 6)
        try run.add("S/e[way=a]", measured(1_000, 1_010, 990, 1_005, 1_000, 995))
        try run.add("S/e[way=b]", measured(2_000, 2_020, 1_980, 2_010, 2_000, 1_990))
        try run.add("S/e[way=c]", measured(50_000, 50_500, 49_500, 50_250, 50_000, 49_750))
        let text = try text(run)
        #expect(text.contains("S/e: Who waits?"))
        #expect(text.contains("a is best, with 1.00 µs [0.99, 1.01] as its wait of a probe;"), "\(text)")
        #expect(text.contains("next comes b, with 2.00× as much, 2.00 µs;"), "\(text)")
        #expect(text.contains("c is last, with 50.0× as much, 50.0 µs."), "\(text)")
    }

    @Test("is undecided with too few trials, and says how many it needs")
    func undecided() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"], trials: 2)
        try run.add("S/e[way=a]", measured(1_000, 1_000))
        try run.add("S/e[way=b]", measured(3_000, 3_000))
        let text = try text(run)
        #expect(
            text.contains(
                "Undecided, 2 trials of the 4 that it needs; so far a is ahead, with 1.00 µs as its wait of a probe, and b is last, with 3.00 µs."
            ), "\(text)")
    }

    @Test("does not tell apart what lies among one another")
    func alike() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"])
        try run.add("S/e[way=a]", measured(1_000, 3_000, 1_000, 3_000))
        try run.add("S/e[way=b]", measured(2_000, 2_000, 2_000, 2_000))
        #expect(try text(run).contains("cannot be told apart by their wait of a probe, 2.00 µs."))
    }

    @Test("says why a compared value has no number")
    func absent() throws {
        var run = try ExperimentRun(["S/e[way=a,n=1]", "S/e[way=b,n=1]"])
        try run.add("S/e[way=a,n=1]", measured(1, 1, 1, 1))
        try run.add("S/e[way=b,n=1]", [.notCounted(reason: "it waits for itself")])
        let text = try text(run)
        #expect(text.contains("With n=1: nothing to compare a with; its wait of a probe is 1.00 ns"), "\(text)")
        #expect(text.contains("No number for b: it waits for itself."), "\(text)")
    }

    @Test("has no ratio where there is nothing to divide by")
    func zeros() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"])
        try run.add("S/e[way=a]", measured(0, 0, 0, 0))
        try run.add("S/e[way=b]", measured(7, 7, 7, 8))
        let text = try text(run)
        #expect(text.contains("b is last, with 7.00 ns."), "\(text)")
        #expect(!text.contains("×"))
    }

    @Test("draws lines along an axis of numbers, and stands on the page with its question")
    func page() throws {
        var run = try ExperimentRun(
            ["S/e[way=a,n=1]", "S/e[way=b,n=1]", "S/e[way=a,n=10]", "S/e[way=b,n=10]"], along: "n")
        for (name, value) in [("a", 10.0), ("b", 1_000)] {
            try run.add("S/e[way=\(name),n=1]", measured(value, value, value, value + 1))
            try run.add("S/e[way=\(name),n=10]", measured(value * 2, value * 2, value * 2, value * 2 + 1))
        }
        let data = try RunData.load(run.runFolder)
        let outcome = try ReportWriter().write(data, summaries: data.summaries())
        let page = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
        #expect(outcome.plots == 1, "\(outcome.missingPlots)")
        #expect(page.contains("1 experiment"))
        #expect(page.components(separatedBy: "Who waits?").count - 1 >= 2, "on the first screen and at its section")
        #expect(page.contains("Under 1 other condition"))
    }

    @Test("Markdown has it under a heading of its own")
    func markdown() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"])
        try run.add("S/e[way=a]", measured(1, 1, 1, 1))
        try run.add("S/e[way=b]", measured(2, 2, 2, 2))
        let text = try self.text(run, "markdown")
        #expect(text.contains("## S/e: Who waits?"))
    }

    @Test("JSON has its question, its ranks and the reasons of what has no number")
    func json() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"])
        try run.add("S/e[way=a]", measured(1, 1, 1, 1))
        try run.add("S/e[way=b]", [.measured(2), .measured(2), .measured(2), .notCounted(reason: "it hung")])
        let data = try RunData.load(run.runFolder)
        let exporter = try #require(ResultExporters.named("json"))
        let object = try JSONSerialization.jsonObject(
            with: Data(exporter.export(data, data.summaries(), style: TextStyle()).utf8))
        let experiments = try #require((object as? [String: Any])?["experiments"] as? [[String: Any]])
        #expect(experiments.first?["question"] as? String == "Who waits?")
        let condition = try #require((experiments.first?["conditions"] as? [[String: Any]])?.first)
        let ranking = try #require(condition["ranking"] as? [[String: Any]])
        #expect(ranking.map { $0["value"] as? String } == ["a", "b"])
        #expect(condition["reasons"] as? [String: [String]] == ["b": ["it hung"]])
        #expect(try text(run).contains("No number for b: in 1 of its 4 trials: it hung."))
    }
}
