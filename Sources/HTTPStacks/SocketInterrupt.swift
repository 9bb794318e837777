import Glibc
import Threading

/// Ends the blocking calls of one request from another thread.
///
/// The kernel's number of a socket is given to the next one as soon as it is closed. So the lock is held for as long as
/// `shutdown` is called, and a connection is taken out of here before it may be closed, or serve another request.
final class SocketInterrupt: Sendable {
    private struct State {
        var socket: CInt = -1
        var waitsAt: SocketServer?
        var wasInterrupted = false
    }

    private let state = Monitor(State())
    private let cancellation: HTTPCancellation

    init(_ cancellation: HTTPCancellation) {
        self.cancellation = cancellation
        cancellation.onCancel { [weak self] in self?.interrupt() }
    }

    var isCancelled: Bool { cancellation.isCancelled }

    /// The request is over; a cancellation finds nothing any more.
    func end() { cancellation.onCancel(nil) }

    /// From now on the request waits in calls on this socket.
    func watch(_ socket: CInt) {
        let wasInterrupted = state.withLock { state in
            state.socket = socket
            return state.wasInterrupted
        }
        if wasInterrupted { interrupt() }
    }

    /// It waits on no socket any more. Returns whether the socket was shut down, and serves nobody again.
    func unwatch() -> Bool {
        state.withLock { state in
            state.socket = -1
            return state.wasInterrupted
        }
    }

    /// While `body` waits for a connection of the server to come free, a cancellation wakes it.
    func whileWaiting<Result>(at server: SocketServer, _ body: () -> Result) -> Result {
        state.withLock { $0.waitsAt = server }
        defer { state.withLock { $0.waitsAt = nil } }
        return body()
    }

    private func interrupt() {
        let server = state.withLock { state in
            state.wasInterrupted = true
            if state.socket >= 0 { shutdown(state.socket, CInt(SHUT_RDWR)) }
            return state.waitsAt
        }
        server?.wakeAll()
    }
}
