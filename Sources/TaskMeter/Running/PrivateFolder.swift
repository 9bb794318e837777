import Glibc

/// A folder of this process alone in the system's place for temporary files, removed when it is let go.
///
/// A process that is killed cannot remove its folder. Its lock on it vanishes with it, though, and the next process
/// that makes a folder removes those of the same user and prefix that nobody holds a lock on. A lock tells more than a
/// pid in the name would: a pid may already be another process's.
package final class PrivateFolder: Sendable {
    package let path: String
    private let lock: Int32

    package init(prefix: String) throws(PrivateFolderError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        Self.removeAbandoned(in: parent, prefix: prefix)
        for _ in 0..<Self.attempts {
            var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw PrivateFolderError(path: parent, reason: String(cString: strerror(errno)))
            }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Until the lock is had, another process may take the folder for an abandoned one, and remove it.
            guard let lock = Self.lock(path) else { continue }
            close(open(path + Self.marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            self.path = path
            self.lock = lock
            return
        }
        throw PrivateFolderError(path: parent, reason: "no folder there can be locked")
    }

    /// A file in each of our folders, so that nobody else's is ever taken for one.
    private static let marker = "/.taskmeter-private-folder"

    /// Far more than chance takes; a file system without locks refuses them all.
    private static let attempts = 16

    deinit {
        remove()
        close(lock)
    }

    /// Removes the folder and all that is in it. Harmless when it is gone already.
    package func remove() { Self.removeTree(path) }

    /// Makes a folder in this one, or returns nil.
    func makeFolder(_ name: String) -> String? {
        let inner = path + "/" + name
        return mkdir(inner, 0o700) == 0 ? inner : nil
    }

    /// A descriptor that holds the lock on a folder which still has its name; nil when another has or removed it.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0,
            status.st_uid == geteuid(), status.st_mode & 0o777 == 0o700
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func removeAbandoned(in parent: String, prefix: String) {
        for name in names(in: parent) where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard access(path + marker, F_OK) == 0, let descriptor = lock(path) else { continue }
            removeTree(path)
            close(descriptor)
        }
    }

    /// Removes a file or a folder with all that is in it; follows no links.
    static func removeTree(_ path: String) {
        for name in names(in: path) where unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
        rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let folder = fdopendir(descriptor) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// Why a folder could not be made.
package struct PrivateFolderError: Error, CustomStringConvertible {
    package var path: String
    package var reason: String
    package var description: String { "cannot write \(path): \(reason)" }
}
