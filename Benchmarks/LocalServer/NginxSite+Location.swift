extension NginxSite {
    /// What can be asked for. Those that end in another location do their own part first, and then answer as that one
    /// does.
    package struct Location: Hashable, Sendable {
        /// From the slash on.
        package let path: String
        /// Whether only a scripted site has it.
        package let isScripted: Bool

        private init(_ path: String, isScripted: Bool = true) {
            self.path = path
            self.isScripted = isScripted
        }

        /// A file of one of the site's sizes, see `LocalServer.body(bytes:)`.
        package static func body(_ bytes: Int) -> Location { Location("/body/\(bytes)", isScripted: false) }

        /// What was uploaded, byte by byte: up to 64 MiB, with or without a length told before. It is received whole
        /// before the answer begins.
        package static let echo = Location("/echo")

        /// So many answers that send elsewhere (302), one after the other, before the last one.
        package static func redirect(_ hops: Int, to last: Location) -> Location {
            Location("/redirect/\(hops)\(last.path)")
        }

        /// Sets a cookie beside what the other answers.
        package static func settingCookie(_ next: Location) -> Location { Location("/cookie/set\(next.path)") }

        /// Answers 403 to those who do not bring that cookie.
        package static func requiringCookie(_ next: Location) -> Location { Location("/cookie/required\(next.path)") }

        /// A chain of redirects whose first answer sets a cookie, and whose last requires it.
        package static func redirectWithCookie(_ hops: Int, to last: Location) -> Location {
            .settingCookie(.redirect(hops, to: .requiringCookie(last)))
        }

        /// Nothing comes before so many milliseconds are over.
        package static func slowFirstByte(milliseconds: Int, _ next: Location) -> Location {
            Location("/slow-first-byte/\(milliseconds)\(next.path)")
        }

        /// The head comes at once, and then pieces of a body, one each 10 ms or more, the last one after so many
        /// milliseconds. The body is that of `LocalServer.body(bytes:)`, and may have any size.
        package static func slowBody(milliseconds: Int, bytes: Int) -> Location {
            Location("/slow-body/\(milliseconds)/\(bytes)")
        }

        /// No answer, for as long as the client waits.
        package static let never = Location("/never")

        /// Announces twice as many bytes and one more, sends these, and resets the connection (RST) 20 ms later; over
        /// HTTP/2 only the stream. A client that takes longer to make room for the bytes does not get all.
        package static func reset(afterBytes bytes: Int) -> Location { Location("/reset/\(bytes)") }

        /// The connection is closed (FIN) without an answer; over HTTP/2 the stream is reset.
        package static let close = Location("/close")

        /// Fourteen bytes that are no HTTP, and then the end of the connection. Over HTTP/2 as `close`.
        package static let garbage = Location("/garbage")

        /// An answer with this status, 200 to 599.
        package static func status(_ code: Int) -> Location { Location("/status/\(code)") }

        /// How many bytes were uploaded, in decimal digits and a line feed: what `headerLength` is for a body.
        package static let bodyLength = Location("/body-length")

        /// The length of the header `X-Body` as it arrived, in decimal digits and a line feed.
        package static let headerLength = Location("/header-echo")
    }
}
