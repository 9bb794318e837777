import CCurl
import Clocks
import Results
import Threading

/// libcurl as most programs use it: a handle for each request in flight, and a thread that waits in it.
///
/// Unchecked Sendable: a handle is in `idle` or with the one thread that took it.
final class CurlEasyStack: HTTPStack, @unchecked Sendable {
    private struct State {
        var idle: [CurlHandle]
    }

    private let state: Monitor<State>

    init(_ policy: ConnectionPolicy, clock: MonotonicClock, tellsSending: Bool) throws(StackError) {
        let cookies = policy.keepsCookies ? CurlCookies() : nil
        var handles: [CurlHandle] = []
        for _ in 0..<max(policy.connections, 1) {
            handles.append(try CurlHandle(policy, clock: clock, cookies: cookies, tellsSending: tellsSending))
        }
        state = Monitor(State(idle: handles))
    }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        // The one that was used last: its connection is the one that is open most likely.
        let handle = state.wait { $0.idle.popLast() }
        let outcome = handle.perform(request)
        state.withLock { $0.idle.append(handle) }
        state.wakeOne()
        ended(outcome)
    }

    func shutDown() { state.withLock { $0.idle = [] } }
}

extension HTTPStackChoice {
    /// libcurl's easy interface: a handle for each connection, in which a thread waits.
    ///
    /// A cancellation is noticed when something comes, and once a second while nothing does: nothing wakes a thread
    /// that waits in `curl_easy_perform(3)`.
    ///
    /// - Parameter tellsSending: whether the moment is told at which a request was sent. libcurl 7 tells it only while it puts
    ///   each of its steps into words, which takes it some microseconds.
    public static func curlEasy(tellsSending: Bool = true) -> HTTPStackChoice {
        HTTPStackChoice(
            "curl-easy", "\(curlVersion), an easy handle for each connection; a thread waits in each request.",
            blocks: true
        ) { policy, clock in try CurlEasyStack(policy, clock: clock, tellsSending: tellsSending) }
    }

    /// The version of libcurl that the process is linked with, and of what encrypts: `libcurl/7.88.1 OpenSSL/3.0.19`.
    static var curlVersion: String {
        String(cString: curl_version()).split(separator: " ").prefix(2).joined(separator: " ")
    }
}
