import Glibc
import Results

/// The distribution's name from the text of `/etc/os-release` (see os-release(5)).
package func distribution(osRelease: String) -> Fact {
    for key in ["PRETTY_NAME", "NAME", "ID"] {
        guard var name = values(of: key, in: osRelease, separator: "=").first else { continue }
        if let quote = name.first, quote == "\"" || quote == "'", name.count >= 2, name.last == quote {
            name = String(name.dropFirst().dropLast())
        }
        if !name.isEmpty { return .known(name) }
    }
    return .unavailable(reason: "os-release names no distribution")
}

func distribution(_ files: KernelFiles) -> Fact {
    for path in ["/etc/os-release", "/usr/lib/os-release"] {
        if let text = files.text(path).value { return distribution(osRelease: text) }
    }
    return .unavailable(reason: "there is no /etc/os-release")
}

/// The running kernel's release and version, and the machine's architecture. Its host name is left alone.
func kernel() -> (release: Fact, architecture: Fact) {
    var names = utsname()
    guard uname(&names) == 0 else {
        let reason = Fact.unavailable(reason: "uname: \(errnoText())")
        return (reason, reason)
    }
    func text<Tuple>(_ tuple: Tuple) -> String {
        withUnsafeBytes(of: tuple) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return (.known("\(text(names.sysname)) \(text(names.release)) \(text(names.version))"), .known(text(names.machine)))
}

/// Memory of the machine in bytes, from the text of `/proc/meminfo`.
package func memoryBytes(meminfo: String) -> Fact {
    guard let words = values(of: "MemTotal", in: meminfo).first?.split(separator: " "), words.count == 2,
        words[1] == "kB", let kibibytes = Int64(words[0])
    else { return .unavailable(reason: "/proc/meminfo has no MemTotal in kB") }
    return .known("\(kibibytes * 1024)")
}

/// The load over one, five and fifteen minutes, from the text of `/proc/loadavg`.
package func loadAverages(_ loadavg: String) -> Fact {
    let words = loadavg.split(separator: " ")
    guard words.count >= 3, words[..<3].allSatisfy({ Double($0) != nil }) else {
        return .unavailable(reason: "/proc/loadavg does not begin with three numbers")
    }
    return .known(words[..<3].joined(separator: " "))
}

extension Fact {
    /// What a reading of this fact's text says, or the reason for which there is no text.
    func read(_ reading: (String) -> Fact) -> Fact {
        switch self {
        case .known(let text): reading(text)
        case .unavailable: self
        }
    }
}
