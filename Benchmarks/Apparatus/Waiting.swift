import Dispatch
import Synchronization

/// Blocks the calling thread until a task has run a body, and returns what that made.
///
/// For threads of one's own only: one of the pool's that waits so keeps from running what it waits for.
package func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let answer = Mutex<Value?>(nil)
    let arrived = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        answer.withLock { $0 = value }
        arrived.signal()
    }
    arrived.wait()
    return answer.withLock { $0! }
}
