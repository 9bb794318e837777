import Glibc
import Synchronization
import TaskMeter
import Threading

/// Runs a body on several threads at once, in rounds that all of them begin together, and waits until all have returned.
///
/// Threads that a condition variable wakes begin one after the other, each when the one before has handed over the mutex: what
/// they do in a microsecond never meets. These spin until the last has come, and give way meanwhile to those that want a
/// processor, for there may be more threads than processors.
///
/// - Parameters:
///   - rounds: how often each thread calls the body; none begins a round before all have ended the last one.
///   - body: called with the thread, 0 and up, and the round, 0 and up.
/// - Returns: from the first begin of a first round to the last end of a last one.
/// - Throws: that the system refused a thread; what the others did then is not to be used.
@discardableResult
package func race(
    _ threads: Int, rounds: Int = 1, clock: MonotonicClock,
    _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
) throws(ThreadRefused) -> Nanoseconds {
    let gate = Gate(threads)
    let course = Monitor(Course(running: threads))
    var refusal: Int32 = 0
    for thread in 0..<threads {
        let failure = startThread(named: "racing") {
            gate.pass(round: 0)
            let begin = clock.now()
            body(thread, 0)
            for round in 1..<max(rounds, 1) {
                gate.pass(round: round)
                body(thread, round)
            }
            let end = clock.now()
            course.withLock {
                $0.begin = min($0.begin ?? begin, begin)
                $0.end = max($0.end ?? end, end)
                $0.running -= 1
            }
            course.wakeAll()
        }
        if failure != 0 {
            refusal = failure
            // Those that run must not wait at any gate for one that never comes.
            gate.abandon()
            course.withLock { $0.running -= 1 }
        }
    }
    let (begin, end) = course.wait { $0.running == 0 ? ($0.begin, $0.end) : nil }
    guard refusal == 0, let begin, let end else { throw ThreadRefused(errno: refusal) }
    return end - begin
}

private struct Course {
    var running: Int
    var begin: Instant?
    var end: Instant?
}

/// Where threads wait for one another, round by round.
private final class Gate: Sendable {
    private let threads: Int
    private let arrived = Atomic<Int>(0)

    init(_ threads: Int) { self.threads = threads }

    func pass(round: Int) {
        let all = threads * (round + 1)
        var seen = arrived.add(1, ordering: .acquiringAndReleasing).newValue
        while seen < all {
            sched_yield()
            seen = arrived.load(ordering: .acquiring)
        }
    }

    func abandon() { arrived.add(1 << 40, ordering: .releasing) }
}

/// The system gave no thread.
package struct ThreadRefused: Error, CustomStringConvertible {
    package var errno: Int32
    package var description: String { "the system refused a thread: \(errnoText(errno))" }
}
