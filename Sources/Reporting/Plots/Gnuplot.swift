import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import Words

/// The gnuplot command line. It is not trusted to tell of its own failures: it exits 0 on a full disk, and leaves
/// files without content when it had nothing to draw.
struct Gnuplot {
    /// Why there is no picture.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let path: String
    private let env: String

    /// - Parameter path: the program, or nil to search for it.
    init(_ path: String?) throws(Failure) {
        if let path {
            guard let absolute = realpath(path, nil) else {
                throw Failure(description: "there is no gnuplot at \(path)")
            }
            defer { free(absolute) }
            guard access(absolute, X_OK) == 0 else { throw Failure(description: "\(path) cannot be executed") }
            self.path = String(cString: absolute)
        } else {
            guard let found = ChildProcess.executable(named: "gnuplot") else {
                throw Failure(description: "gnuplot was not found in PATH")
            }
            self.path = found
        }
        guard let env = ChildProcess.executable(named: "env") else {
            throw Failure(
                description: "the program env, with which gnuplot is started in the plots folder, was not found")
        }
        self.env = env
    }

    static let cure = "install it (Debian, Ubuntu: apt-get install gnuplot-nox) and make the report again"

    /// Draws a script of a folder. The picture is complete, or there is none.
    ///
    /// - Returns: what gnuplot had to say although it drew, or nil.
    func draw(_ name: String, in folder: String) throws(Failure) -> String? {
        let part = folder + "/\(name).svg.part"
        unlink(part)
        defer { unlink(part) }
        let output: ChildProcess.Output
        do {
            // In the folder itself, so that scripts with relative paths run here as they do for a person; without the
            // person's own start-up file (-d), and in a locale that writes numbers with a point.
            output = try ChildProcess.run(
                env,
                ["-C", folder, "LC_ALL=C.UTF-8", path, "-d", "-e", "output='\(name).svg.part'", "\(name).gnuplot"])
        } catch { throw Failure(description: "\(error)") }
        let said = output.errors.split(separator: "\n").map { $0.trimming(" \t^") }
            // Said where the locale C.UTF-8 is missing, about a sign that no plot has.
            .filter { !$0.isEmpty && !$0.contains("iconv failed") }
        guard output.status == .exited(0) else {
            let words = said.isEmpty ? "" : ": " + said.suffix(2).joined(separator: "; ")
            throw Failure(description: "gnuplot ended with \(output.status)\(words)")
        }
        guard let size = fileSize(part), size > 0, Self.isWhole(part, size) else {
            let words = said.first.map { ": \($0)" } ?? " (is the disk full?)"
            throw Failure(description: "gnuplot left an incomplete picture\(words)")
        }
        guard rename(part, folder + "/\(name).svg") == 0 else {
            throw Failure(description: "the picture could not be moved into its place: \(errnoText())")
        }
        return said.isEmpty ? nil : PlainText.oneLine(said.joined(separator: "; "), columns: 200)
    }

    /// Whether a file ends with the tag that closes a picture.
    private static func isWhole(_ path: String, _ size: Int64) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        fseek(file, Int(max(size - 64, 0)), SEEK_SET)
        var tail = [UInt8](repeating: 0, count: 64)
        let count = fread(&tail, 1, tail.count, file)
        return String(decoding: tail[..<count], as: UTF8.self).contains("</svg>")
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String {
        var rest = self
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest)
    }
}
