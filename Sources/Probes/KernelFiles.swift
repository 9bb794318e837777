import Glibc
import Results

/// The small text files in which the kernel and the distribution describe a machine.
///
/// Reading them through a root folder lets the facts of another machine be tried on this one.
package struct KernelFiles: Sendable {
    /// What stands before each path; empty for this machine.
    package var root: String

    package init(root: String = "") { self.root = root }

    /// A file's text without the blanks around it.
    package func text(_ path: String) -> Fact {
        let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .unavailable(reason: "\(path): \(errnoText())") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        // A file of these folders states no size; a megabyte is far more than any that is asked for here.
        while bytes.count < 1 << 20 {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .unavailable(reason: "\(path): \(errnoText())") }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return .known(trimmed(String(decoding: bytes, as: UTF8.self)))
    }

    /// A file's text as a whole number; nil when there is no such file or it holds something else.
    package func number(_ path: String) -> Int? { text(path).value.flatMap { Int($0) } }

    package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// The names in a folder in ascending order; empty when there is no such folder.
    package func names(in folder: String) -> [String] {
        guard let stream = opendir(root + folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A text without blanks, line ends and zero bytes at both of its ends.
func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0 == "\0" }
    var rest = text[...]
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
}

/// The values of a key in text of lines `key: value` or `key = value`, in their order.
func values(of key: String, in text: String, separator: Character = ":") -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
        guard let place = line.firstIndex(of: separator), trimmed(line[..<place]) == key else { return nil }
        return trimmed(line[line.index(after: place)...])
    }
}
