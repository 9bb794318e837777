import Analysis
import ChildProcesses
import Foundation
import FoundationXML
import Reporting
import Results
import Testing

/// Reads XML and keeps its texts; nil when it is not well-formed.
final class XMLTexts: NSObject, XMLParserDelegate {
    private(set) var texts: [String] = []
    private(set) var ids: [String] = []
    private var current = ""

    static func of(_ data: Data) -> XMLTexts? {
        let parser = XMLParser(data: data)
        let reader = XMLTexts()
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        current = ""
        if let id = attributes["id"] { ids.append(id) }
    }
    func parser(_ parser: XMLParser, foundCharacters string: String) { current += string }
    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "text" { texts.append(current) }
    }
}

@Suite("gnuplot draws what it is given and runs nothing of it")
struct GnuplotTests {
    static let hostile = [
        "it's \"quoted\" `touch PWNED`", "under_score {a}^2 @x", "100 % $HOME \\n", "</script><img onerror=x>",
        "日本語キュー",
        "ends in \\", "'; system(\"touch PWNED\"); '", "''; system(\"touch PWNED\") #", "'", "\"; !touch PWNED; \"",
        "<b>&amp;", "naïve é 🙂",
    ]

    private func pictures(_ path: String) throws -> [String: XMLTexts] {
        var result: [String: XMLTexts] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path + "/plots") where name.hasSuffix(".svg") {
            let data = try Data(contentsOf: URL(fileURLWithPath: path + "/plots/" + name))
            result[name] = try #require(XMLTexts.of(data) as XMLTexts?, "\(name) is not well-formed XML")
        }
        return result
    }

    @Test("hostile names are drawn as themselves, and no command in them runs")
    func hostileNames() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(
                    suite: "Odd' @x", name: "`touch PWNED`<b>",
                    contenders: Self.hostile.map { .init(name: $0, behaviour: .pool(2)) }, tasks: 120, spent: 90_000)
            ]).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.missingPlots == [])
            let pictures = try pictures(path)
            #expect(pictures.count == 4)
            for (name, picture) in pictures {
                for text in Self.hostile {
                    // A long name may be cut; its beginning stands there as it is.
                    #expect(
                        picture.texts.contains { $0.contains(text.prefix(12)) },
                        "“\(text)” is not in \(name): \(picture.texts)")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: path + "/plots/PWNED"))
            #expect(!FileManager.default.fileExists(atPath: path + "/PWNED"))
            for name in try FileManager.default.contentsOfDirectory(atPath: path + "/plots") {
                #expect(name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) })
            }
        }
    }

    @Test(
        "degenerate data are drawn: one task, all alike, all zero, zeros among long ones",
        arguments: [(1, 1000, 0.0), (300, 1_000_000, 0), (300, 0, 0), (300, 1, 0.99)])
    func degenerate(tasks: Int, spent: Int, spread: Double) throws {
        try withFolder { path in
            let data = try SyntheticRun(
                workloads: [
                    .init(
                        suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(4)), tasks: tasks,
                        spent: Int64(spent), spread: spread)
                ], trials: 1
            ).write(to: path)
            let outcome = try ReportWriter().write(data, summaries: data.summaries())
            #expect(outcome.plots == 4)
            #expect(try pictures(path).count == 4)
        }
    }

    @Test("a strategy's script can be run again by hand, in its folder")
    func scriptsRunAlone() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 50, spent: 90_000)
            ]).write(to: path)
            _ = try ReportWriter().write(data, summaries: data.summaries())
            let before = try pictures(path).mapValues(\.texts)
            for name in before.keys {
                try FileManager.default.removeItem(atPath: path + "/plots/" + name)
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = ["gnuplot", name.replacingOccurrences(of: ".svg", with: ".gnuplot")]
                process.currentDirectoryURL = URL(fileURLWithPath: path + "/plots")
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            #expect(try pictures(path).mapValues(\.texts) == before)
        }
    }

    @Test("without gnuplot the report is made, and says what is missing, why, and how to get it")
    func missingGnuplot() throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 50, spent: 90_000)
            ]).write(to: path)
            let outcome = try ReportWriter(gnuplot: path + "/no-such-gnuplot").write(data, summaries: data.summaries())
            #expect(outcome.plots == 0)
            #expect(outcome.missingPlots.count == 1)
            let sentence = try #require(outcome.missingPlots.first)
            #expect(sentence.hasPrefix("4 plots are missing: there is no gnuplot at"))
            #expect(sentence.contains("apt-get install gnuplot-nox"))
            let html = try String(contentsOfFile: outcome.reportFile, encoding: .utf8)
            #expect(html.contains("4 plots are missing"))
            #expect(html.contains("This plot is missing: "))
            // Script and data are there for when gnuplot is.
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: path + "/plots").count { $0.hasSuffix(".gnuplot") }
                    == 4)
        }
    }

    @Test(
        "a gnuplot that fails, stops half-way or leaves an empty picture is found out",
        arguments: [
            ("exit 3", "gnuplot ended with exit code 3"), ("exit 0", "incomplete picture"),
            (
                "echo 'no space left' >&2; : > \"$(basename \"$4\" .gnuplot).svg.part\"",
                "incomplete picture: no space left"
            ),
            ("echo '<svg>' > \"$(basename \"$4\" .gnuplot).svg.part\"", "incomplete picture"),
            ("kill -9 $$", "signal 9"),
        ])
    func failingGnuplot(script: String, reason: String) throws {
        try withFolder { path in
            let data = try SyntheticRun(workloads: [
                .init(suite: "S", name: "n", contenders: Array(SyntheticRun.usual.prefix(2)), tasks: 50, spent: 90_000)
            ]).write(to: path)
            let tool = path + "/gnuplot"
            // Copied by another process: what this one has open to write, its other children may hold open, and then it
            // cannot be executed.
            try "#!/bin/sh\n\(script)\n".write(toFile: tool + ".text", atomically: true, encoding: .utf8)
            _ = try ChildProcess.run("/bin/cp", [tool + ".text", tool])
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
            let outcome = try ReportWriter(gnuplot: tool).write(data, summaries: data.summaries())
            #expect(outcome.plots == 0)
            #expect(outcome.missingPlots.count == 4)
            #expect(outcome.missingPlots.allSatisfy { $0.contains(reason) }, "\(outcome.missingPlots)")
            #expect(try pictures(path).isEmpty)
        }
    }
}
