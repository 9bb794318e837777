import ChildProcesses
import CommandOptions
import FoundationEssentials
import Glibc

/// Finds the executables of a package's suites.
package enum SuiteSearch {
    /// The suites that a person named, or all of the package.
    ///
    /// A suite is a folder under `Benchmarks/` of the package in the working folder that has a `main.swift`; its executable lies
    /// beside `taskmeter`'s own, where the same build put it. Folders without one hold what suites share. A name with a slash is
    /// the path of an executable.
    package static func find(_ names: [String]) throws(RunError) -> [SuiteExecutable] {
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: "Benchmarks")) ?? []).filter { name in
            !name.hasPrefix(".") && FileManager.default.fileExists(atPath: "Benchmarks/\(name)/main.swift")
        }.sorted()
        let areAllPaths = !names.isEmpty && names.allSatisfy { $0.contains("/") }
        guard areAllPaths || !folders.isEmpty else {
            throw .usage(
                "there is no folder Benchmarks/ with suites here; go to the top of a package, or name an executable with --suite ./path"
            )
        }
        var found: [SuiteExecutable] = []
        var seen: Set<String> = []
        for name in names.isEmpty ? folders : names where seen.insert(name).inserted {
            if name.contains("/") {
                guard isProgram(name) else {
                    throw .usage("--suite \(name) is no file that can be executed; build it, or correct the path")
                }
                found.append(SuiteExecutable(name: name, path: name))
                continue
            }
            guard folders.contains(name) else {
                let near = nearest(to: name, in: folders, atMost: 1).first.map { "did you mean \($0)? " } ?? ""
                throw .usage("there is no suite \(name); \(near)there are: \(folders.joined(separator: ", "))")
            }
            let path = OwnProgram.folder + "/" + name
            guard isProgram(path) else {
                throw .environment("suite \(name) is not built; run `swift build -c release`")
            }
            found.append(SuiteExecutable(name: name, path: path))
        }
        return found
    }

    /// The suites in a build's folder, or the one that a path names.
    ///
    /// - Parameter names: of suites that are wanted; none for those of the package in the working folder.
    package static func find(at path: String, _ names: [String]) throws(RunError) -> [SuiteExecutable] {
        guard FileManager.default.fileExists(atPath: path) else {
            throw .usage("\(path) does not exist; name a folder with the executables of suites, or one executable")
        }
        // A name without a slash would be looked for among the system's programs.
        if isProgram(path) { return [SuiteExecutable(name: path, path: path.contains("/") ? path : "./" + path)] }
        let wanted = names.isEmpty ? try find([]).map(\.name) : names
        let found = wanted.map { SuiteExecutable(name: $0, path: path + "/" + $0) }.filter { isProgram($0.path) }
        guard !found.isEmpty else {
            throw .usage(
                "\(path) holds none of the suites \(wanted.joined(separator: ", ")); build them, or correct the path")
        }
        return found
    }

    /// The folder in which a program lies, or the folder itself.
    package static func folder(of path: String) -> String {
        guard isProgram(path) else { return path }
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Whether a path names a file that can be executed.
    package static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return access(path, X_OK) == 0 && stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }
}
