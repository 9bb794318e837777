import CCounters
import Glibc
import Results
import Synchronization

/// Counts tasks that begin and end on the same thread, summed over the threads that run them.
///
/// Each thread gets counters of its own when it begins its first task, and gives them back when it ends: one file descriptor for
/// each event and thread. That costs it some ten to thirty microseconds from the kernel, and from PAPI more with each thread that
/// there is. A task that ends on another thread than it began on, or while another ran on the same thread, has no count: a
/// thread's counters cannot tell the two apart.
///
/// Thread-safe. Unchecked Sendable: each thread reaches only the worker of its own until it ends; `totals` reads them all,
/// and is asked when no task runs any more.
package final class TaskCounters: @unchecked Sendable {
    /// What a task keeps from its begin to its end.
    package struct Mark: Hashable, Sendable {
        fileprivate var thread: UInt64
        fileprivate var number: UInt64
    }

    /// What became of the tasks.
    package struct Totals: Hashable, Sendable {
        /// Sums over the tasks that were counted; nil where no thread could count.
        package var sums: CounterTotals?
        package var counted = 0
        /// Tasks that ended on another thread than they began on.
        package var endedElsewhere = 0
        /// Tasks that ran while another one ran on the same thread.
        package var overlapped = 0
        /// Tasks on threads whose counters were refused.
        package var refused = 0
        package var refusal: CounterRefusal?

        mutating func add(_ other: Totals) {
            if let others = other.sums, sums?.add(others) == nil { sums = others }
            counted += other.counted
            endedElsewhere += other.endedElsewhere
            overlapped += other.overlapped
            refused += other.refused
            refusal = refusal ?? other.refusal
        }
    }

    private let source: any CounterSource
    package let events: [CounterEvent]
    private let key: pthread_key_t
    private let hasKey: Bool
    private let state = Mutex(State())

    private struct State {
        var left = Totals()
        var present: [ObjectIdentifier: TaskWorker] = [:]
    }

    package init(_ source: any CounterSource, _ events: [CounterEvent]) {
        self.source = source
        self.events = events
        var key = pthread_key_t()
        hasKey = pthread_key_create(&key) { Unmanaged<TaskWorker>.fromOpaque($0!).takeRetainedValue().leave() } == 0
        self.key = key
    }

    // Each worker keeps this alive until its thread has ended: no thread can be on its way to a key that is gone.
    deinit { if hasKey { pthread_key_delete(key) } }

    /// A task begins on the calling thread.
    // hot path, but for a thread's first task: no allocation, no lock, no call that can block
    package func begin() -> Mark {
        guard let worker = current(orNew: true) else { return Mark(thread: 0, number: 0) }
        return Mark(thread: worker.thread, number: worker.begin())
    }

    /// It ends, on whichever thread this is.
    // hot path, but for a task that began on another thread: no allocation, no lock, no call that can block
    package func end(_ mark: Mark) {
        if mark.thread == ccounters_thread(), let worker = current(orNew: false) {
            worker.end(mark.number)
        } else {
            endElsewhere(mark)
        }
    }

    private func endElsewhere(_ mark: Mark) {
        state.withLock { state in
            if mark.thread == 0 {
                state.left.refused += 1
                state.left.refusal = state.left.refusal ?? CounterRefusal(events.first, .system(EAGAIN))
            } else {
                state.left.endedElsewhere += 1
            }
        }
    }

    private func current(orNew: Bool) -> TaskWorker? {
        guard hasKey else { return nil }
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<TaskWorker>.fromOpaque(pointer).takeUnretainedValue()
        }
        guard orNew else { return nil }
        let worker = TaskWorker(self, source, events)
        guard pthread_setspecific(key, Unmanaged.passRetained(worker).toOpaque()) == 0 else {
            Unmanaged.passUnretained(worker).release()
            return nil
        }
        state.withLock { $0.present[ObjectIdentifier(worker)] = worker }
        return worker
    }

    fileprivate func leave(_ worker: TaskWorker) {
        state.withLock { state in
            state.left.add(worker.totals)
            state.present[ObjectIdentifier(worker)] = nil
        }
    }

    /// What was counted so far. Ask when no task runs.
    package var totals: Totals {
        state.withLock { state in state.present.values.reduce(into: state.left) { $0.add($1.totals) } }
    }

    /// What a bracket around nothing counts on the calling thread; nothing where it cannot be told.
    private var floor: [Double?] {
        guard let set = try? source.start(events) else { return events.map { _ in nil } }
        defer { set.end() }
        return CounterBracket.leastOfNothing(set)
    }

    /// What the tasks cost in all, for each event; a number only where every task was counted.
    package func readings(_ surroundings: CounterSurroundings) -> CounterReadings {
        let totals = totals
        func all(_ reading: Reading) -> CounterReadings { CounterReadings(events, events.map { _ in reading }) }
        let tasks = totals.counted + totals.endedElsewhere + totals.overlapped + totals.refused
        if totals.endedElsewhere > 0 {
            return all(
                .unsupported(
                    reason: "\(totals.endedElsewhere) of \(tasks) tasks ended on another thread than they began on, "
                        + "and the counters of a thread cannot tell what such a task cost"))
        }
        if totals.overlapped > 0 {
            return all(
                .unsupported(
                    reason: "\(totals.overlapped) of \(tasks) tasks ran while another had begun on the same thread, "
                        + "and the counters of a thread cannot tell the two apart"))
        }
        if let refusal = totals.refusal { return all(surroundings.reading(refusal)) }
        guard let sums = totals.sums, totals.counted > 0 else {
            return all(.notCounted(reason: "no task ended while it counted"))
        }
        return sums.group.less(floor, times: totals.counted)
    }
}

/// The counters of one thread that runs tasks.
///
/// Unchecked Sendable: only its thread changes it; others read it when that runs no task, or has ended.
private final class TaskWorker: @unchecked Sendable {
    let thread = ccounters_thread()
    private let owner: TaskCounters
    private var bracket: CounterBracket?
    private var own = TaskCounters.Totals()
    /// The number of the task that began last and has not ended; 0 for none.
    private var current: UInt64 = 0
    private var last: UInt64 = 0
    private var isShared = false

    init(_ owner: TaskCounters, _ source: any CounterSource, _ events: [CounterEvent]) {
        self.owner = owner
        do {
            bracket = CounterBracket(try source.start(events))
        } catch {
            own.refusal = error
        }
    }

    // hot path: no allocation, no lock, no call that can block
    func begin() -> UInt64 {
        last += 1
        // One that has not ended yet: it may go on within this one's time, and this one lies within its time.
        isShared = current != 0
        current = last
        bracket?.open()
        return last
    }

    // hot path: no allocation, no lock, no call that can block
    func end(_ number: UInt64) {
        guard let bracket else {
            own.refused += 1
            return
        }
        guard number == current else {
            own.overlapped += 1
            isShared = true
            return
        }
        current = 0
        if isShared {
            own.overlapped += 1
        } else {
            bracket.close()
            own.counted += 1
        }
    }

    var totals: TaskCounters.Totals {
        var totals = own
        totals.sums = bracket?.totals
        return totals
    }

    /// The thread ends: what it counted stays, its counters go.
    func leave() {
        owner.leave(self)
        bracket?.set.end()
    }
}
