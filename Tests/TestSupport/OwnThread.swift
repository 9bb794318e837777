import Glibc

/// Runs what may block on a thread of its own, and returns what it returns.
///
/// Tests run on the cooperative pool, which has one thread for each core: one that blocked there could hold up the
/// very tasks that it waits for.
package func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// Starts a thread that ends with what it is given to do.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let refusal = pthread_create(
        &thread, nil,
        { pointer in
            Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
    precondition(refusal == 0, "the system refuses a thread")
    pthread_detach(thread)
}

/// A gate at which threads wait until it is opened as often as there are threads: a counting semaphore.
package final class Gate: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func open(times: Int = 1) { for _ in 0..<times { sem_post(semaphore) } }
    package func pass() { while sem_wait(semaphore) != 0 {} }

    /// Whether a thread could pass now.
    package var isOpen: Bool {
        var count: CInt = 0
        sem_getvalue(semaphore, &count)
        return count > 0
    }
}
