import Dispatch
import TaskMeter
import Threading

/// A thread that runs one block, and can be waited for. A stand-in for the program around a strategy, which is no worker of it.
package final class OwnThread: Sendable {
    private let ended = DispatchSemaphore(value: 0)

    /// - Throws: `ThreadRefused` when the system gives no thread.
    package init(_ body: @escaping @Sendable () -> Void) throws(ThreadRefused) {
        let refusal = startThread(named: "own") { [ended] in
            body()
            ended.signal()
        }
        guard refusal == 0 else { throw ThreadRefused(errno: refusal) }
    }

    /// Waits until the block has ended; whether it has. May be called again.
    package func wait(within limit: Nanoseconds) -> Bool {
        guard ended.wait(timeout: .now() + .nanoseconds(Int(limit.count))) == .success else { return false }
        ended.signal()
        return true
    }
}
