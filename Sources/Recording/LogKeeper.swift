import Glibc
import Results
import Synchronization
import Threading

/// A thread that keeps mapped logs ahead of their need. It sleeps until it is woken, which happens once in a part's worth
/// of entries.
///
/// Thread-safe. Unchecked Sendable: the semaphore is made to be shared.
final class LogKeeper: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let isOver: Monitor<Bool>
    private let isStopping = Box()

    private final class Box: Sendable {
        let value = Atomic<Bool>(false)
    }

    /// Starts the thread. Where the system refuses one, logs grow on the threads that need it.
    init(_ logs: [MappedLog]) {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        isOver = Monitor(false)
        let (pointer, isOver, isStopping) = (Semaphore(pointer: semaphore), isOver, isStopping)
        let refusal = startThread(named: "tm-log") {
            while true {
                while sem_wait(pointer.pointer) != 0 {}
                if isStopping.value.load(ordering: .acquiring) { break }
                for log in logs { log.keepAhead() }
            }
            isOver.withLock { $0 = true }
            isOver.wakeAll()
        }
        if refusal != 0 { isOver.withLock { $0 = true } }
    }

    deinit {
        isStopping.value.store(true, ordering: .releasing)
        sem_post(semaphore)
        isOver.wait { $0 ? () : nil }
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Has the thread look at its logs. Does not block: `sem_post` is an addition, and wakes a thread only when it sleeps.
    func wake() { sem_post(semaphore) }

    /// Unchecked Sendable: a semaphore's address, which the thread uses no more once `isOver` says so.
    private struct Semaphore: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sem_t>
    }
}
