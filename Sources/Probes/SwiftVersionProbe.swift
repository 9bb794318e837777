import ChildProcesses
import Glibc
import Results

/// The version of the compiler: the one that built this program, where the program says so, else the one on the PATH.
///
/// The compiler writes its name into debugging information, as it does into every build that is not stripped.
func swiftVersion() -> Fact {
    if let version = compilerVersion(ofProgram: "/proc/self/exe") {
        return .known("\(version), which compiled this program")
    }
    guard let swift = ChildProcess.executable(named: "swift") else {
        return .unavailable(reason: "this program was stripped of it, and there is no swift on the PATH")
    }
    do {
        let output = try ChildProcess.run(swift, ["--version"], seconds: 10)
        guard output.status == .exited(0), let version = output.text.utf8CString.withUnsafeBytes(compilerVersion(in:))
        else {
            return .unavailable(reason: "“swift --version” ended with \(output.status) and told no version")
        }
        return .known("\(version), the toolchain on the PATH")
    } catch {
        return .unavailable(reason: error.description)
    }
}

/// The compiler's version in a program's file; nil when it is not there.
func compilerVersion(ofProgram path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0, information.st_size > 0 else { return nil }
    let size = Int(information.st_size)
    guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), memory != MAP_FAILED else { return nil }
    defer { munmap(memory, size) }
    return compilerVersion(in: UnsafeRawBufferPointer(start: memory, count: size))
}

/// The first `Swift version 6…` among bytes that is followed by a number, up to the end of its text.
///
/// The words alone are in every program that has this code; the number is what makes them the compiler's.
package func compilerVersion(in bytes: UnsafeRawBufferPointer) -> String? {
    let words = Array("Swift version ".utf8)
    guard let base = bytes.baseAddress else { return nil }
    var start = 0
    while start + words.count < bytes.count,
        let place = memchr(base + start, Int32(words[0]), bytes.count - words.count - start)
    {
        start = UnsafeRawPointer(place) - base + 1
        guard memcmp(place, words, words.count) == 0 else { continue }
        let text = bytes[(start - 1 + words.count)...].prefix(100).prefix { (32..<127).contains($0) }
        guard let first = text.first, (48...57).contains(first) else { continue }
        // `(swift-6.3.1-RELEASE)` ends the version; an effective language version may follow it.
        let end = text.firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? text.endIndex
        return "Swift " + String(decoding: text[..<end], as: UTF8.self)
    }
    return nil
}
