import FoundationEssentials
import Glibc

/// A folder with a run in it, and the names of what lies there.
package struct RunFolder: Hashable, Sendable {
    package var path: String

    package init(_ path: String) { self.path = path }

    package var runFile: String { path + "/run.json" }
    package var tasksFile: String { path + "/tasks.csv" }
    package var phasesFile: String { path + "/phases.csv" }
    package var samplesFile: String { path + "/samples.csv" }
    package var trialsFile: String { path + "/trials.csv" }
    package var plotsFolder: String { path + "/plots" }
    package var reportFile: String { path + "/index.html" }
    /// What suites printed themselves.
    package var logFile: String { path + "/suites.log" }
    /// The record log of the trial that is being measured; what lies there after a kill was never copied to `tasks.csv`.
    package var logsFolder: String { path + "/records" }

    /// Reads `run.json`, and checks that a run which ended has its files whole.
    package func readRun() throws(ResultsError) -> Run {
        guard fileSize(runFile) != nil else { throw .notARunFolder(path: path) }
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: runFile)) } catch {
            throw .cannotRead(path: runFile, reason: errnoText())
        }
        struct Header: Decodable { var schema: Int }
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw .truncated(path: runFile, detail: "it is not whole JSON with a schema number")
        }
        guard header.schema <= Run.currentSchema else { throw .newerSchema(path: runFile, found: header.schema) }
        let run: Run
        do { run = try JSONDecoder().decode(Run.self, from: data) } catch {
            throw .malformed(path: runFile, line: 1, detail: "it is JSON, but not a run (\(error))")
        }
        guard (0...1_000_000).contains(run.configuration.trials), run.benchmarks.count <= 1_000_000 else {
            throw .malformed(
                path: runFile, line: 1, detail: "its number of trials or benchmarks is no number of such things")
        }
        for file in run.files {
            let name = path + "/" + file.name
            guard let size = fileSize(name) else { throw .missing(path: name) }
            let detail = "\(size) bytes where run.json says \(file.bytes)"
            if size < file.bytes { throw .truncated(path: name, detail: detail) }
            if size > file.bytes { throw .changed(path: name, detail: detail) }
        }
        return run
    }

    /// Writes `run.json` beside its place and renames it into it.
    package func write(_ run: Run) throws(ResultsError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do { data = try encoder.encode(run) } catch {
            throw .cannotWrite(path: runFile, reason: "\(error)")
        }
        try writeAtomically(data, to: runFile)
    }
}
