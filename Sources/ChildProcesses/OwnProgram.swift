import Glibc

/// The program that runs: its file, and what was built beside it.
package enum OwnProgram {
    /// The program's file, with links resolved; as it was called where the kernel does not tell.
    package static let path: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return CommandLine.arguments[0] }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// The folder of the program's file.
    package static var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}
