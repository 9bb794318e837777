/// What a local server offers: a value, from which the server's files are made.
///
/// Every site serves static bodies, over HTTP/1.1, over HTTP/2 without TLS, and over HTTP/1.1 with room for large
/// heads. All else costs time at its start or at each request, and is there for those who ask.
package struct NginxSite: Hashable, Sendable {
    /// Sizes in bytes of the bodies that are served as files, see `Location.body`.
    package var bodies: [Int]
    /// Whether there are the answers that a file cannot give, such as late ones: see `Location`. They need nginx's
    /// module for Lua.
    package var isScripted = false
    /// Whether there is a port for TLS. Its certificates take some 50 ms to make, and need the program `openssl`.
    package var hasTLS = false
    /// Names that have a certificate of their own on the port for TLS.
    package var serverNames = ["one.test", "two.test"]
    /// Whether whoever asks for no name on the port for TLS, or for an unknown one, gets a certificate for 127.0.0.1;
    /// else that of the first name, as from most servers of the world, which have none for their address.
    package var hasAddressCertificate = true
    /// For the heads of requests, on all ports but the one for large heads.
    package var headBuffers = HeadBuffers(count: 4, bytes: 8 * 1_024)
    /// The same on the port for large heads.
    package var largeHeadBuffers = HeadBuffers(count: 4, bytes: 20 * 1_024 * 1_024)
    /// Whether each request is logged, see `LocalServer.accessLog`. Costs the server some 4 µs of its processor a
    /// request, of about 23.
    package var logsAccess = false

    /// - Parameter bodies: sizes in bytes.
    package init(bodies: [Int]) { self.bodies = bodies }

    /// Memory for the head of one request: how many pieces, and how large. A line of the head must fit in one of them;
    /// one that does not is answered with 400, or 414 where it is the first (`large_client_header_buffers` in nginx's
    /// documentation).
    package struct HeadBuffers: Hashable, Sendable {
        package var count: Int
        package var bytes: Int

        package init(count: Int, bytes: Int) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// A way in: each is a port of its own on 127.0.0.1.
    package enum Listener: String, CaseIterable, Hashable, Sendable {
        /// HTTP/1.1 without TLS.
        case plain = "HTTP/1.1"
        /// HTTP/2 without TLS, from the first byte on (“prior knowledge”).
        case http2 = "HTTP/2"
        /// HTTP/1.1 without TLS, with `largeHeadBuffers`.
        case largeHeads = "HTTP/1.1 with large heads"
        /// HTTP/1.1 or HTTP/2, as the two sides agree (ALPN).
        case tls = "TLS"

        package var scheme: String { self == .tls ? "https" : "http" }
    }
}
