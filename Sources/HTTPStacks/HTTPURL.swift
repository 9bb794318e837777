/// Where a request goes: the parts of an absolute `http` or `https` URL (RFC 3986).
package struct HTTPURL: Hashable, Sendable {
    package var isSecure: Bool
    /// Without the brackets of an IPv6 address.
    package var host: String
    package var port: Int
    /// Host and port as they were written: what the request's `Host` says.
    package var authority: String
    /// Path and query: what the request asks for. Never empty.
    package var target: String

    /// The parts of an absolute URL; nil where it is none, holds characters that belong escaped, or a user's name.
    package init?(_ text: String) {
        var rest = text[...]
        if let after = rest.dropping(prefix: "http://") {
            (isSecure, rest) = (false, after)
        } else if let after = rest.dropping(prefix: "https://") {
            (isSecure, rest) = (true, after)
        } else {
            return nil
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let written = rest[..<(end ?? rest.endIndex)]
        guard !written.utf8.contains(UInt8(ascii: "@")) else { return nil }
        authority = String(written)

        var number: Substring?
        if written.utf8.first == UInt8(ascii: "[") {
            guard let close = written.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(written[written.index(after: written.startIndex)..<close])
            let after = written[written.index(after: close)...]
            guard after.isEmpty || after.utf8.first == UInt8(ascii: ":") else { return nil }
            if !after.isEmpty { number = after.dropFirst() }
        } else if let colon = written.utf8.firstIndex(of: UInt8(ascii: ":")) {
            host = String(written[..<colon])
            number = written[written.index(after: colon)...]
        } else {
            host = authority
        }
        guard !host.isEmpty else { return nil }
        if let number, !number.isEmpty {
            guard let value = UInt16(number), value > 0, number.utf8.first != UInt8(ascii: "+") else { return nil }
            port = Int(value)
        } else {
            port = isSecure ? 443 : 80
        }

        let asked = rest[(end ?? rest.endIndex)...].prefix { $0 != "#" }
        target = asked.utf8.first == UInt8(ascii: "/") ? String(asked) : "/" + asked
    }

    /// What a `Location` means in an answer from here (RFC 3986, 5.2); nil where it is no URL of `http` or `https`.
    package func resolving(_ location: String) -> HTTPURL? {
        let scheme = isSecure ? "https:" : "http:"
        if location.hasPrefix("//") { return HTTPURL(scheme + location) }
        // A scheme ends with a colon before any slash, question mark or hash.
        if let first = location.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }), location[first] == ":" {
            return HTTPURL(location)
        }
        let origin = scheme + "//" + authority
        let path = target.prefix { $0 != "?" }
        let reference = location.prefix { $0 != "#" }
        let asked = reference.prefix { $0 != "?" }
        let query = reference[asked.endIndex...]
        if asked.isEmpty { return HTTPURL(origin + (query.isEmpty ? target : String(path + query))) }
        // The path begins with a slash, so that there is a last one.
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let merged = asked.hasPrefix("/") ? String(asked) : String(folder + asked)
        return HTTPURL(origin + Self.withoutDots(merged) + query)
    }

    /// A path without `.` and `..` (RFC 3986, 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for (place, part) in zip(1..., parts) {
            let isLast = place == parts.count
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

extension Substring {
    /// What comes after a prefix, whose letters may be of either case; nil without it.
    fileprivate func dropping(prefix: StaticString) -> Substring? {
        let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
        guard utf8.count >= wanted.count, zip(utf8, wanted).allSatisfy({ $0.asciiLowercased == $1 }) else { return nil }
        return self[utf8.index(startIndex, offsetBy: wanted.count)...]
    }
}

extension UInt8 {
    /// The same letter of lower case, where it is one of A to Z.
    @inline(__always) var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
