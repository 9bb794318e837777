import ChildProcesses
import Glibc
import Results

/// The commit that a folder's repository stands on, and a hash of what differs from it.
///
/// Takes no lock in the repository and changes nothing in it. Two calls give the same hash when, and as good as only
/// when, the tracked files and the untracked ones that are not ignored hold the same.
///
/// - Parameters:
///   - folder: any folder inside the repository.
///   - ignored: folders whose content makes no difference, such as the one that runs are written to.
package func currentRevision(of folder: String, ignoring ignored: [String] = []) -> Revision {
    guard let program = ChildProcess.executable(named: "git") else {
        return unknownRevision("there is no git on this machine")
    }
    let git = Git(program: program, folder: folder)
    do {
        // Exit code 1 is a repository whose branch has no commit; what is no repository says so on standard error.
        let head = try git.run(["rev-parse", "--verify", "--quiet", "HEAD"])
        guard head.status == .exited(0) else {
            let reason = trimmed(head.errors.split(whereSeparator: \.isNewline).first ?? "")
            return unknownRevision(reason.isEmpty ? "the repository has no commit yet" : "git says: \(reason)")
        }
        let branch = try git.run(["symbolic-ref", "--short", "--quiet", "HEAD"])
        return Revision(
            commit: .known(trimmed(head.text)),
            branch: .known(branch.status == .exited(0) ? trimmed(branch.text) : "detached"),
            differenceHash: try git.differenceHash(ignoring: ignored))
    } catch {
        return unknownRevision("\(error)")
    }
}

private func unknownRevision(_ reason: String) -> Revision {
    Revision(commit: .unavailable(reason: reason), branch: .unavailable(reason: reason), differenceHash: nil)
}

private struct Git {
    var program: String
    var folder: String

    /// Runs git without locks, pagers and monitors.
    ///
    /// `safe.directory`: git refuses a repository that belongs to somebody else, as it often does in a container,
    /// because its configuration names programs that git would run. The code in it is about to be run anyhow.
    func run(
        _ arguments: [String], input: [UInt8] = []
    ) throws(SpawnError) -> ChildProcess.Output {
        let options = [
            "--no-pager", "--no-optional-locks", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-c",
            "core.quotePath=false", "-C", folder,
        ]
        return try ChildProcess.run(program, options + arguments, input: input, seconds: 30)
    }

    /// A hash of all that differs from the commit; nil when nothing does.
    func differenceHash(ignoring ignored: [String]) throws(SpawnError) -> String? {
        let top = String(try run(["rev-parse", "--show-toplevel"]).text.prefix { !$0.isNewline })
        // git refuses paths outside its repository, and those make no difference anyhow.
        let outputs = ignored.compactMap(realPath).filter { $0.hasPrefix(top + "/") }
        let paths = [":(top)"] + outputs.map { ":(top,exclude,literal)" + $0.dropFirst(top.count + 1) }
        let status = try run(["status", "--porcelain", "-z", "--untracked-files=all", "--"] + paths)
        guard status.status == .exited(0) else { return "unknown" }
        guard !status.text.isEmpty else { return nil }
        let tracked = try run(
            ["diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color", "--"] + paths)
        let text = tracked.text + (try untracked(status.text, top: top))
        // What is staged and then undone in the folder differs in the index only, which no build reads.
        guard tracked.status != .exited(0) || !text.isEmpty else { return nil }
        let hash = try run(["hash-object", "--stdin"], input: Array(text.utf8))
        guard tracked.status == .exited(0), hash.status == .exited(0) else { return "unknown" }
        return trimmed(hash.text)
    }

    /// Names of untracked files, and hashes of what they hold. More files than a person edits are told apart by their names only.
    private func untracked(_ status: String, top: String) throws(SpawnError) -> String {
        let names = status.split(separator: "\0").filter { $0.hasPrefix("?? ") }.map { String($0.dropFirst(3)) }
        let list = names.joined(separator: "\0")
        guard names.count <= 500 else { return list }
        let files = names.filter { !$0.hasSuffix("/") }.map { top + "/" + $0 }
            .filter { (fileSize($0) ?? .max) <= 16 << 20 }
        guard !files.isEmpty else { return list }
        return list + (try run(["hash-object", "--no-filters", "--"] + files).text)
    }
}

/// A path without links and dots; nil when nothing is there.
private func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}
