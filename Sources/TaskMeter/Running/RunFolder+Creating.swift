import FoundationEssentials
import Glibc
import Results

extension RunFolder {
    /// Makes a folder of this very path for a run that is a part of something larger.
    static func create(at path: String) throws(RunError) -> RunFolder {
        let folder = RunFolder(path)
        if let reason = makeFolders(folder.logsFolder) { throw .usage("\(path) cannot be made a folder: \(reason)") }
        return folder
    }

    /// Makes the folder of a new run, `<output>/<UTC time>-<short revision>`, and points `<output>/latest` at it.
    static func create(in output: String, revision: Revision, utc: Date) throws(RunError) -> RunFolder {
        let folder = RunFolder(try createFolder(in: output, name: revision.short, utc: utc))
        guard mkdir(folder.logsFolder, 0o755) == 0 else { throw cannotWrite(output) }
        return folder
    }

    /// Makes a new folder, `<output>/<UTC time>-<name>`, and points a link beside it at it.
    package static func createFolder(
        in output: String, name: String, link: String = "latest", utc: Date = Date()
    ) throws(RunError) -> String {
        if let reason = makeFolders(output) { throw .usage("--output \(output) cannot be made a folder: \(reason)") }
        let stem = "\(compactUTC(utc))-\(name)"
        for attempt in 1...1000 {
            let name = attempt == 1 ? stem : "\(stem)-\(attempt)"
            if mkdir(output + "/" + name, 0o755) == 0 {
                point(output + "/" + link, at: name)
                return output + "/" + name
            }
            guard errno == EEXIST else { break }
        }
        throw cannotWrite(output)
    }

    private static func cannotWrite(_ output: String) -> RunError {
        .usage("--output \(output) cannot be written: \(errnoText()); give a folder that can")
    }

    /// `2026-11-30T07:57:27Z` without its separators: a time in a file name that sorts.
    static func compactUTC(_ date: Date) -> String {
        date.formatted(.iso8601).filter { !"-:".contains($0) }
    }

    /// Points a link at a folder beside it. A link that cannot be made costs a convenience and nothing else.
    private static func point(_ link: String, at name: String) {
        let beside = link + ".part"
        unlink(beside)
        if symlink(name, beside) == 0, rename(beside, link) != 0 { unlink(beside) }
    }

    /// Makes a folder and those that lead to it; returns why it could not, or nil.
    private static func makeFolders(_ path: String) -> String? {
        var place = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            place += "/" + part
            if mkdir(place, 0o755) != 0, errno != EEXIST { return errnoText() }
        }
        var information = stat()
        guard stat(path, &information) == 0 else { return errnoText() }
        return information.st_mode & S_IFMT == S_IFDIR ? nil : "it is a file"
    }
}
