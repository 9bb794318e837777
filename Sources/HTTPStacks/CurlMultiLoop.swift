import CCurl
import Clocks
import Glibc
import Results

/// Many requests at once on one thread: libcurl's multi interface, driven by its socket actions over epoll
/// (`curl_multi_socket_action(3)`).
///
/// Belongs to the thread that uses it.
package final class CurlMultiLoop: RequestLoop {
    private let multi: UnsafeMutableRawPointer
    private let sockets: SocketWatch
    private let policy: ConnectionPolicy
    private let clock: MonotonicClock
    private let tellsSending: Bool
    private let cookies: CurlCookies?
    private var idle: [CurlHandle] = []
    private var running: [CurlHandle] = []
    /// When libcurl wants to be called although nothing happened.
    private var wake: Instant?

    package init(_ policy: ConnectionPolicy, clock: MonotonicClock, tellsSending: Bool) throws(StackError) {
        guard CurlHandle.start == CURLE_OK, let multi = curl_multi_init() else {
            throw StackError(description: "libcurl gave no multi handle")
        }
        self.multi = multi
        self.policy = policy
        self.clock = clock
        self.tellsSending = tellsSending
        cookies = policy.keepsCookies ? CurlCookies() : nil
        sockets = try SocketWatch()
        ccurl_multi_set_callbacks(
            multi,
            { _, socket, what, loop, _ in
                CurlMultiLoop.from(loop).sockets.want(socket, what)
                return 0
            },
            { _, milliseconds, loop in
                CurlMultiLoop.from(loop).callBack(after: milliseconds)
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque())
        ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, max(policy.connections, 1))
        for _ in 0..<max(policy.connections, 1) {
            idle.append(
                try CurlHandle(policy, clock: clock, cookies: cookies, tellsSending: tellsSending, sockets: sockets))
        }
    }

    deinit {
        for handle in running { curl_multi_remove_handle(multi, handle.handle) }
        running = []
        idle = []
        curl_multi_cleanup(multi)
    }

    private static func from(_ loop: UnsafeMutableRawPointer?) -> CurlMultiLoop {
        Unmanaged<CurlMultiLoop>.fromOpaque(loop!).takeUnretainedValue()
    }

    /// How many requests may be started now.
    package var freePlaces: Int { idle.count }
    /// How many have been started and not ended.
    package var inFlight: Int { running.count }

    /// Watches a descriptor too: `turn` returns when there is something to read from it.
    package func wakeUp(by descriptor: Int32) { sockets.add(descriptor) }

    /// Starts a request; only while there are `freePlaces`.
    ///
    /// - Parameter number: what its end is told with.
    package func start(_ request: HTTPRequest, number: Int) {
        guard let handle = idle.popLast() else { return }
        handle.number = number
        handle.place = running.count
        running.append(handle)
        handle.prepare(request)
        curl_multi_add_handle(multi, handle.handle)
    }

    /// Does what there is to do, or waits until there is something, and tells of requests that have ended.
    ///
    /// - Parameter limit: when to return although nothing happened; nil for never.
    package func turn(until limit: Instant?, _ ended: Ended) {
        if let wake, wake <= clock.now() {
            act(CURL_SOCKET_TIMEOUT, 0)
            // Who started requests may now start others; what happened on sockets is seen in the next turn.
            if tell(ended) { return }
        }
        let next = [wake, limit].compactMap { $0 }.min()
        let left = next.map { max(($0 - clock.now()).count, 0) } ?? -1
        sockets.wait(left) { socket, what in act(socket, what) }
        _ = tell(ended)
    }

    /// Ends those whose callers do not want them any more.
    package func endCancelled(_ ended: Ended) {
        for handle in running where handle.transfer.pointee.isCancelled {
            end(handle, CURLE_ABORTED_BY_CALLBACK, ended)
        }
    }

    private func act(_ socket: Int32, _ what: Int32) {
        if socket == CURL_SOCKET_TIMEOUT { wake = nil }
        var left: Int32 = 0
        curl_multi_socket_action(multi, socket, what, &left)
    }

    private func callBack(after milliseconds: Int) {
        wake = milliseconds < 0 ? nil : clock.now() + Nanoseconds(Int64(milliseconds) * 1_000_000)
    }

    private func tell(_ ended: Ended) -> Bool {
        var some = false
        var code = CURLE_OK
        while let done = ccurl_multi_next_done(multi, &code) {
            end(CurlHandle.from(ccurl_private(done)), code, ended)
            some = true
        }
        return some
    }

    private func end(_ handle: CurlHandle, _ code: CURLcode, _ ended: Ended) {
        let outcome = handle.end(code)
        curl_multi_remove_handle(multi, handle.handle)
        let last = running.removeLast()
        if last !== handle {
            running[handle.place] = last
            last.place = handle.place
        }
        idle.append(handle)
        ended(handle.number, outcome)
    }
}

extension HTTPStackChoice {
    /// libcurl's multi interface: one thread for all requests, which waits for all their sockets at once.
    ///
    /// - Parameter tellsSending: see `curlEasy`.
    public static func curlMulti(tellsSending: Bool = true) -> HTTPStackChoice {
        HTTPStackChoice(
            "curl-multi", "\(curlVersion), many transfers on one thread by socket actions over epoll.", blocks: false,
            loop: { policy, clock throws(StackError) in
                try CurlMultiLoop(policy, clock: clock, tellsSending: tellsSending)
            })
    }
}
