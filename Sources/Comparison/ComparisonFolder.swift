import FoundationEssentials
import Glibc
import Results
import TaskMeter

/// The folder of a comparison: `comparison.json`, `pairs.csv`, and a run's folder for each side.
package enum ComparisonFolder {
    package static func recordFile(_ folder: String) -> String { folder + "/comparison.json" }

    static func create(in output: String, _ base: Revision, _ head: Revision) throws(RunError) -> String {
        try RunFolder.createFolder(in: output, name: "\(base.short)..\(head.short)", link: "latest-comparison")
    }

    static func write(_ record: ComparisonRecord, to folder: String) throws(ResultsError) {
        let path = recordFile(folder)
        do {
            try writeAtomically(try json(record), to: path)
        } catch let error as ResultsError { throw error } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    /// The record as JSON, as it is written.
    package static func json(_ record: ComparisonRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(record)
    }
}
