import CommandOptions
import FoundationEssentials
import Glibc

/// Where a URL leads, and whether somebody is there.
struct ServerAddress {
    var url: String
    var host: String
    var port: Int

    /// - Throws: a sentence when it is no URL of a web server.
    init(_ text: String) throws(UsageError) {
        let example = "such as http://127.0.0.1:8080/"
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw UsageError(
                "the URL “\(text.oneLine)” has spaces or control characters in it; write them as %20 and the like")
        }
        let scheme = text.firstIndex(of: ":").map { text[..<$0].lowercased() } ?? ""
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://")
        else { throw UsageError("the URL “\(text)” has no scheme http:// or https://, \(example)") }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty else {
            throw UsageError("the URL “\(text)” has no host, \(example)")
        }
        guard parts.user == nil, parts.password == nil else {
            throw UsageError(
                "the URL has a user or a password in it, which would end up in reports; use --header instead")
        }
        if let port = parts.port, !(1...65_535).contains(port) {
            throw UsageError("the URL “\(text)” has a port that is none: \(port)")
        }
        url = text
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Checks that the host has an address, that it is on this machine unless others are allowed, and that it accepts connections.
    ///
    /// - Throws: a sentence that says what is wrong; nothing was sent.
    func check(_ told: [LoadPlan.Address], allowsRemote: Bool) throws(UsageError) {
        let name = told.first { $0.host == host && $0.port == port }?.address ?? host
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let answer = getaddrinfo(name, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard answer == 0, found != nil else {
            throw UsageError("the host “\(host)” of \(url) is not known: \(String(cString: gai_strerror(answer)))")
        }
        var entries: [(address: UnsafeMutablePointer<sockaddr>, length: socklen_t)] = []
        var next = found
        while let entry = next?.pointee {
            entries.append((entry.ai_addr, entry.ai_addrlen))
            next = entry.ai_next
        }
        guard allowsRemote || entries.allSatisfy({ Self.isLoopback($0.address) }) else {
            throw UsageError(
                "\(url) is not on the loopback of this machine, and a load on a server of others is an attack unless they agreed to "
                    + "it; pass --allow-remote if they did")
        }
        var errors: [Int32] = []
        for entry in entries {
            let refusal = Self.refusal(of: entry.address, entry.length)
            if refusal == 0 { return }
            errors.append(refusal)
        }
        throw UsageError(
            "nobody accepts connections at \(host):\(port): \(String(cString: strerror(errors.first ?? ECONNREFUSED)))")
    }

    /// Connects and closes; the errno of what went wrong, or 0.
    private static func refusal(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        let socket = socket(
            Int32(address.pointee.sa_family), Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return errno }
        defer { close(socket) }
        // By Linux this bounds connect(2) too.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return connect(socket, address, length) == 0 ? 0 : errno == EINPROGRESS ? ETIMEDOUT : errno
    }

    private static func isLoopback(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { bytes in
                    // ::1, or an address of 127/8 in its mapped form.
                    bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
                        || bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                            && bytes[12] == 127
                }
            }
        default: false
        }
    }

    /// The family of an address in digits; nil for any other text.
    static func family(ofLiteral text: String) -> Int32? {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return AF_INET }
        if inet_pton(AF_INET6, text, &six) == 1 { return AF_INET6 }
        return nil
    }
}
