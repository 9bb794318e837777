import Recording

/// The names of the instants that a request comes to, in this order. `redirected` begins them anew, on the way to the next address.
public enum RequestPhase {
    /// The host's name had become an address.
    public static let nameResolved = Phase("name resolved")
    /// A new connection was open.
    public static let connected = Phase("connected")
    /// It was agreed on how to encrypt, and the server's certificate was accepted.
    public static let tlsDone = Phase("TLS done")
    /// The connection was ready for the request: its head was about to be sent. On a connection that is used again, nearly the begin.
    public static let ready = Phase("ready")
    /// The last byte of the request had been handed to the kernel; tells how many bytes that were, with the head.
    public static let requestSent = Phase("request sent")
    /// The answer sends elsewhere.
    public static let redirected = Phase("redirected")
    /// The first byte of the final answer's head had come; tells how long its body was announced to be.
    public static let firstByte = Phase("first byte")
    /// Some of the body had come; tells how much by then.
    public static let bodyProgress = Phase("body")
    /// The last byte of the body had come; tells how many there were.
    public static let lastByte = Phase("last byte")

    /// Phases in the order in which a request comes to them.
    public static let inOrder = [
        nameResolved, connected, tlsDone, ready, requestSent, redirected, firstByte, bodyProgress, lastByte,
    ]
}
