import FoundationEssentials
import Glibc

/// A new folder that is gone, with all that is in it, when the last copy of this is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/taskmeter-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no temporary folder can be made in \(parent)")
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file into the folder, and the folders that lead to it; returns its path.
    @discardableResult
    package func write(_ bytes: some Collection<UInt8>, to name: String) -> String {
        let file = path + "/" + name
        var place = path
        for part in name.split(separator: "/").dropLast() {
            place += "/" + part
            mkdir(place, 0o755)
        }
        let stream = fopen(file, "w")
        precondition(stream != nil, "\(file) cannot be written")
        let all = Array(bytes)
        fwrite(all, 1, all.count, stream)
        fclose(stream)
        return file
    }

    @discardableResult
    package func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

    package func bytes(of name: String) -> [UInt8] {
        guard let stream = fopen(path + "/" + name, "r") else { return [] }
        defer { fclose(stream) }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
            all.append(contentsOf: chunk[..<count])
        }
        return all
    }

    package func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    /// The names in the folder, in ascending order.
    package var names: [String] {
        guard let stream = opendir(path) else { return [] }
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
