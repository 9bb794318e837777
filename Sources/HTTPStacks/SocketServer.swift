import Results
import Threading

/// The connections to one server: those that wait for the next request, and how many there are. Thread-safe.
final class SocketServer: Sendable {
    enum Place {
        /// An open connection, which served a request before.
        case reused(SocketConnection)
        /// Room for a new one.
        case new
        case cancelled
        case timedOut
    }

    private struct State {
        /// The one that was given back last, whose memory is warm, is taken first.
        var idle: [SocketConnection] = []
        /// With those that serve a request now.
        var open = 0
    }

    let host: String
    let port: Int
    private let most: Int
    private let state = Monitor(State())

    init(host: String, port: Int, connections most: Int) {
        self.host = host
        self.port = port
        self.most = max(most, 1)
    }

    /// A place for a request, as soon as there is one; to be given back by `putBack` or `leave`.
    // hot path: no allocation, no call that can block where a place is free
    func take(within limit: () -> Nanoseconds, _ interrupt: SocketInterrupt?) -> Place {
        if let place = state.withLock({ takeFree(&$0) }) { return place }
        guard let interrupt else { return wait(within: limit()) { false } }
        return interrupt.whileWaiting(at: self) { wait(within: limit()) { interrupt.isCancelled } }
    }

    private func wait(within limit: Nanoseconds, isCancelled: () -> Bool) -> Place {
        let place = state.waitForResult(within: limit) { state in isCancelled() ? .cancelled : takeFree(&state) }
        switch place ?? .timedOut {
        case .cancelled, .timedOut:
            // It may have been woken for a connection that it leaves.
            state.wakeOne()
            return place ?? .timedOut
        case .reused, .new: return place ?? .timedOut
        }
    }

    private func takeFree(_ state: inout State) -> Place? {
        if let connection = state.idle.popLast() { return .reused(connection) }
        guard state.open < most else { return nil }
        state.open += 1
        return .new
    }

    /// Takes a connection back that may serve another request.
    // hot path: no allocation once the array has grown; one lock
    func putBack(_ connection: SocketConnection) {
        state.withLock { $0.idle.append(connection) }
        state.wakeOne()
    }

    /// A connection is closed, or was never opened.
    func leave() {
        state.withLock { $0.open -= 1 }
        state.wakeOne()
    }

    /// Wakes all who wait for a connection, so that they see whether they still want one.
    func wakeAll() {
        // With the lock held once between: nobody is left who has looked and does not wait yet.
        state.withLock { _ in }
        state.wakeAll()
    }

    /// Closes those that serve no request.
    func closeIdle() {
        let closed = state.withLock { state in
            let idle = state.idle
            state.open -= idle.count
            state.idle = []
            return idle
        }
        for connection in closed { connection.close() }
    }
}
