import Analysis
import Foundation
import Reporting
import Results
import Testing

@Suite("The plot of time against energy")
struct EnergyPlotTests {
    /// Strategies with their energy by task. Each has workers that are so many times as slow as another's.
    private func run(_ strategies: [(name: String, slowness: Double, Reading)]) -> SyntheticRun {
        SyntheticRun(
            workloads: [
                .init(
                    suite: "S", name: "n",
                    contenders: strategies.map { name, slowness, reading in
                        .init(
                            name: name, behaviour: .pool(2), slowness: slowness,
                            costs: [.init(.processorEnergy, reading)])
                    }, tasks: 400, spent: 90_000)
            ], trials: 6)
    }

    @Test("is drawn, and rings exactly those that none other beats")
    func rings() throws {
        try withFolder { path in
            let data = try run([
                ("fast", 1, .measured(3e-3)), ("middling", 2, .measured(5e-3)), ("frugal", 3, .measured(1e-3)),
                ("it's `touch PWNED`", 4, .measured(2e-3)), ("unknown", 1, .denied(reason: "no", remedy: "yes")),
                ("estimated", 1, .estimated(1e-9, share: 0.5)),
            ]).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.missingPlots == [])
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/plots")
            let name = try #require(names.first { $0.hasSuffix("-energy.svg") })
            let picture = try Data(contentsOf: URL(fileURLWithPath: path + "/plots/" + name))
            let texts = try #require(XMLTexts.of(picture) as XMLTexts?).texts
            for drawn in ["fast", "middling", "frugal", "it's `touch PWNED`"] { #expect(texts.contains(drawn)) }
            for absent in ["unknown", "estimated"] { #expect(!texts.contains(absent)) }
            let script = try String(
                contentsOfFile: path + "/plots/" + name.replacing(".svg", with: ".gnuplot"), encoding: .utf8)
            // A ring is a circle around the marker of a dataset, whose name stands in the data file.
            let ringed = script.matches(of: /data index ([0-9]+) with points pointtype 6\b/).map { String($0.1) }
            let stem = name.replacing(".svg", with: "")
            let dataName = try #require(
                names.first { $0.hasPrefix(stem) && $0 != name && $0 != stem + ".gnuplot" })
            let sets = try String(contentsOfFile: path + "/plots/" + dataName, encoding: .utf8)
                .matches(of: /# dataset ([0-9]+): (.*)/)
            let efficient = Set(sets.filter { ringed.contains(String($0.1)) }.map { String($0.2) })
            #expect(sets.count == 4 && efficient == ["fast", "frugal"])
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("Efficient are "))
            #expect(html.contains("Not drawn, for no energy or no time was measured: "))
            #expect(!FileManager.default.fileExists(atPath: path + "/plots/PWNED"))
        }
    }

    @Test("a run without energy has no such plot, and no place for one")
    func none() throws {
        try withFolder { path in
            let data = try run([("a", 1, .unsupported(reason: "no counter")), ("b", 2, .unsupported(reason: "none"))])
                .write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.plots == 4 && outcome.missingPlots == [])
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(!html.contains("Time against energy"))
        }
    }
}
