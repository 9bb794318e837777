import Synchronization
import TaskMeter
import Threading

/// Threads that do something over and over beside what is measured, until they are sent away.
final class Company: Sendable {
    private final class Stop: Sendable {
        let isAsked = Atomic<Bool>(false)
    }

    private let stop = Stop()
    private let present: Monitor<Int>

    init(_ threads: Int, _ body: @escaping @Sendable () -> Void) {
        present = Monitor(threads)
        for _ in 0..<threads {
            let refusal = startThread(named: "company") { [stop, present] in
                while !stop.isAsked.load(ordering: .relaxed) { body() }
                present.withLock { $0 -= 1 }
                present.wakeAll()
            }
            precondition(refusal == 0, "the system refuses a thread")
        }
    }

    /// Ends the threads, and waits until they have ended.
    func leave() {
        stop.isAsked.store(true, ordering: .relaxed)
        present.wait { $0 == 0 ? () : nil }
    }
}
