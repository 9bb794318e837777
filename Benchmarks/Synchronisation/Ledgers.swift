import Dispatch
import Glibc
import Synchronization

/// A state of three words that belong together: who sees them while another changes them sees that they do not agree.
package struct Ledger: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var doubled = 0
    package private(set) var negated = 0

    package init() {}

    package init(count: Int, doubled: Int, negated: Int) {
        self.count = count
        self.doubled = doubled
        self.negated = negated
    }

    package mutating func step() {
        count &+= 1
        doubled &+= 2
        negated &-= 1
    }

    package var isConsistent: Bool { doubled == 2 &* count && negated == 0 &- count }
}

/// A ledger that threads share.
package protocol SharedLedger: Sendable {
    init()
    func read() -> Ledger
    func write()
}

/// The lock of the standard library: a futex, held inline beside what it guards. What is guarded cannot be reached without it,
/// which no lock below can say.
package final class MutexLedger: SharedLedger {
    private let ledger = Mutex(Ledger())

    package init() {}

    package func read() -> Ledger { ledger.withLock { $0 } }
    package func write() { ledger.withLock { $0.step() } }
}

/// Unchecked Sendable: the ledger is reached only with the mutex held.
package final class PthreadMutexLedger: SharedLedger, @unchecked Sendable {
    // A lock has an address: stored in the object and passed as `&mutex`, it would be one that Swift may copy.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var ledger = Ledger()

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func read() -> Ledger {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return ledger
    }

    package func write() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        ledger.step()
    }
}

/// Readers at the same time: but each of them writes to the lock, to say that it is there, and processors hand the line of memory
/// to and fro as for a mutex. What readers gain is worth it only when they stay longer than that takes. The C library's default
/// prefers readers: writers may wait for as long as new ones come.
///
/// Unchecked Sendable: the ledger is read only with the lock held, and changed only with it held for writing.
package final class ReadWriteLockLedger: SharedLedger, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    private var ledger = Ledger()

    package init() { pthread_rwlock_init(lock, nil) }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    package func read() -> Ledger {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return ledger
    }

    package func write() {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        ledger.step()
    }
}

/// Unchecked Sendable: the ledger is reached only on the queue, which executes one block at a time.
package final class SerialQueueLedger: SharedLedger, @unchecked Sendable {
    private let queue = DispatchQueue(label: "ledger")
    private var ledger = Ledger()

    package init() {}

    package func read() -> Ledger { queue.sync { ledger } }
    package func write() { queue.sync { ledger.step() } }
}

/// The reader-writer lock of the dispatch library, as often recommended. Readers pay for the queue's bookkeeping what a mutex
/// costs many times over; a barrier costs more still, for it waits until the queue is empty.
///
/// Unchecked Sendable: the ledger is read only on the queue, and changed only by barriers, beside which the queue executes nothing.
package final class BarrierLedger: SharedLedger, @unchecked Sendable {
    private let queue = DispatchQueue(label: "ledger", attributes: .concurrent)
    private var ledger = Ledger()

    package init() {}

    package func read() -> Ledger { queue.sync { ledger } }
    // `sync`, as the others here: with `async` a writer would return before it has written, and pay for a copied block.
    package func write() { queue.sync(flags: .barrier) { ledger.step() } }
}

/// A semaphore of one. It excludes, but it has no owner: nobody's priority is lent to whoever holds it, and whoever signals once
/// too often lets two in for ever.
///
/// Unchecked Sendable: the ledger is reached only between wait and signal of a semaphore that lets one in.
package final class SemaphoreLedger: SharedLedger, @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 1)
    private var ledger = Ledger()

    package init() {}

    package func read() -> Ledger {
        semaphore.wait()
        defer { semaphore.signal() }
        return ledger
    }

    package func write() {
        semaphore.wait()
        defer { semaphore.signal() }
        ledger.step()
    }
}

/// Atomics alone: a sequence lock. Readers write nothing at all; they read again when the sequence says that a writer was there.
///
/// Three atomic words by themselves would protect nothing here: each would be whole, and the three of different moments. What
/// this protects is the same as the others do, for a state of plain words only: a reader reads words while they change, so there
/// may be no reference among them. Writers spin. One that loses its processor between odd and even keeps all others from their
/// work until the kernel returns to it, which no lock with a futex does; therefore they give way after some attempts.
///
/// The order of reads and writes is that of H.-J. Boehm, “Can Seqlocks Get Along With Programming Language Memory Models?”,
/// MSPC 2012, figure 6.
package final class SequenceLedger: SharedLedger {
    /// Odd while a writer is at work.
    private let sequence = Atomic<UInt>(0)
    private let count = Atomic<Int>(0)
    private let doubled = Atomic<Int>(0)
    private let negated = Atomic<Int>(0)

    package init() {}

    package func read() -> Ledger {
        var attempts = 0
        while true {
            let before = sequence.load(ordering: .acquiring)
            let ledger = words()
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, sequence.load(ordering: .relaxed) == before { return ledger }
            giveWay(&attempts)
        }
    }

    package func write() {
        var attempts = 0
        var even = sequence.load(ordering: .relaxed)
        while true {
            even &= ~1
            let (won, seen) = sequence.compareExchange(expected: even, desired: even | 1, ordering: .acquiring)
            if won { break }
            even = seen
            giveWay(&attempts)
        }
        atomicMemoryFence(ordering: .releasing)
        var ledger = words()
        ledger.step()
        count.store(ledger.count, ordering: .relaxed)
        doubled.store(ledger.doubled, ordering: .relaxed)
        negated.store(ledger.negated, ordering: .relaxed)
        sequence.store(even &+ 2, ordering: .releasing)
    }

    private func words() -> Ledger {
        Ledger(
            count: count.load(ordering: .relaxed), doubled: doubled.load(ordering: .relaxed),
            negated: negated.load(ordering: .relaxed))
    }

    private func giveWay(_ attempts: inout Int) {
        attempts += 1
        if attempts % 64 == 0 { sched_yield() }
    }
}

/// An actor: who waits for it is suspended and keeps no thread. Each access may be a change of threads.
package actor ActorLedger {
    private var ledger = Ledger()

    package init() {}

    package func read() -> Ledger { ledger }
    package func write() { ledger.step() }
}
