import ChildProcesses
import Glibc
import Results

/// The library that counts allocations, and how a suite is started with it.
///
/// It is built beside the products of this package and never linked. The dynamic linker loads it before all else when
/// `LD_PRELOAD` names it (ld.so(8)); the programs that the suite starts inherit that.
package enum AllocationLibrary {
    package static let fileName = "libTaskMeterAllocations.so"
    package static let buildCommand = "swift build -c release --product TaskMeterAllocations"

    /// The library's file: beside the running program, or else beside the suite.
    ///
    /// - Parameter program: the running program's file.
    package static func path(
        forSuite suite: String, program: String = OwnProgram.path
    ) throws(AllocationsNotCounted) -> String {
        let folders = [program, suite].map { folder(of: $0) }
        if let found = folders.map({ $0 + "/" + fileName }).first(where: { access($0, R_OK) == 0 }) { return found }
        let places = folders[0] == folders[1] ? "not in \(folders[0])" : "neither in \(folders[0]) nor in \(folders[1])"
        throw AllocationsNotCounted(
            .notCounted(reason: "\(fileName) is \(places): build it with \(buildCommand)"))
    }

    /// The variables with which a suite is to be started so that its allocations are counted. What the person preloads stays,
    /// behind the library, so that it is counted too.
    ///
    /// - Parameter preloaded: the `LD_PRELOAD` of this process; nil when there is none.
    package static func environment(
        forSuite suite: String, program: String = OwnProgram.path,
        preloaded: String? = getenv("LD_PRELOAD").map { String(cString: $0) }
    ) throws(AllocationsNotCounted) -> [String: String] {
        if let refusal = refusal(ofProgram: suite) { throw AllocationsNotCounted(refusal) }
        let library = try path(forSuite: suite, program: program)
        guard !library.contains(where: { " :\n\t".contains($0) }) else {
            throw AllocationsNotCounted(
                .notCounted(
                    reason: "\(library) cannot be preloaded, because LD_PRELOAD holds no path with a blank or a colon:"
                        + " build in a folder without"))
        }
        let others = (preloaded ?? "").split { $0 == ":" || $0 == " " }.map(String.init).filter { $0 != library }
        return ["LD_PRELOAD": ([library] + others).joined(separator: ":")]
    }

    /// The folder of a file, whose path may be relative; LD_PRELOAD is to hold for a program that changes its folder.
    private static func folder(of path: String) -> String {
        guard let real = realpath(path, nil) else {
            return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
        defer { free(real) }
        let file = String(cString: real)
        return String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
    }
}
