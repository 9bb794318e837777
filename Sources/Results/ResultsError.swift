/// Why a run's files could not be read or written, with the sentence that a person needs.
public enum ResultsError: Error, Hashable, CustomStringConvertible {
    case notARunFolder(path: String)
    case truncated(path: String, detail: String)
    case missing(path: String)
    case changed(path: String, detail: String)
    case newerSchema(path: String, found: Int)
    case malformed(path: String, line: Int, detail: String)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)

    /// The sentence for a person: what happened, where, and the way out.
    public var description: String {
        switch self {
        case .notARunFolder(let path):
            "\(path) is not a run folder: it has no run.json; give a folder that `taskmeter run` made"
        case .truncated(let path, let detail):
            "\(path) is truncated (\(detail)); copy the whole run folder again"
        case .missing(let path): "\(path) is missing; copy the whole run folder again"
        case .changed(let path, let detail):
            "\(path) was changed after the run had ended (\(detail)); use the folder as taskmeter left it"
        case .newerSchema(let path, let found):
            "\(path) has schema \(found), newer than \(Run.currentSchema), the newest this taskmeter reads; use a newer taskmeter"
        case .malformed(let path, let line, let detail):
            "\(path), line \(line): \(detail); the file was changed by something else than taskmeter"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        }
    }
}
