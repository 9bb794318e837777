/// Why a request failed. Its sentence holds nothing that differs from one request to the next, so that equal failures are counted
/// together.
public struct RequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Classes of failures, by what would have to be mended.
    public enum Class: String, CaseIterable, Sendable {
        /// The host's name has no address.
        case name
        /// No connection could be opened.
        case connect
        /// Encryption could not be agreed on, or the certificate is not one for this name by somebody who is trusted.
        case tls = "TLS"
        /// It took longer than it may.
        case timeOut = "time-out"
        /// Its caller did not want it any more.
        case cancelled
        /// The answer's status is another than the one that was expected.
        case status = "HTTP status"
        /// What came is no HTTP, or the connection ended before an answer began.
        case `protocol`
        /// The connection ended within the body.
        case truncated = "truncated body"
        /// All came as announced, and is not what was expected.
        case wrongBody = "wrong body"
        /// The stack itself refused to send it.
        case clientLimit = "client limit"
    }

    public var `class`: Class
    /// What is known beyond the class: `status 404`, or what the stack says.
    public var detail: String

    public init(_ class: Class, _ detail: String) {
        self.class = `class`
        self.detail = detail
    }

    /// Class and detail: `HTTP status: 404 instead of 200`.
    public var description: String { "\(`class`.rawValue): \(detail)" }
}
