import Dispatch
import Glibc
import Synchronization
import TaskMeter

/// Something to wait for. Each worker waits for one at a time, and so may keep its own.
final class Answer: Sendable {
    private let arrived = DispatchSemaphore(value: 0)

    func wait() { arrived.wait() }
    fileprivate func arrive() { arrived.signal() }
}

/// A thread that fulfils each request a fixed time after it was made: a stand-in for a server, a disk or a lock's owner.
///
/// A task that sleeps is woken by its own timer. A task that waits for an answer is woken by another thread, which must
/// get a processor first, and which all who wait share. So does code that waits on a semaphore for a completion
/// handler. A semaphore, because it takes no file descriptor: a thread per task waits with thousands at once.
final class Responder: Sendable {
    private struct Request {
        var due: Int64
        var answer: Answer
    }

    private let delay: Nanoseconds
    private let clock = MonotonicClock(origin: 0)
    /// What nobody has answered yet. As all wait equally long, the order of asking is the order of answering.
    private let requests = Mutex<[Request]>([])
    private let arrivals = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let stopping = Atomic<Bool>(false)

    init(delay: Nanoseconds) throws(ResponderError) {
        self.delay = delay
        requests.withLock { $0.reserveCapacity(4_096) }
        let start = Unmanaged.passRetained(self)
        var thread = pthread_t()
        // A thread of its own and no queue, because a dispatch queue's threads would count among those measured.
        let refusal = pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<Responder>.fromOpaque(pointer!).takeRetainedValue().respond()
                return nil
            }, start.toOpaque())
        guard refusal == 0 else {
            start.release()
            throw ResponderError(reason: String(cString: strerror(refusal)))
        }
        pthread_detach(thread)
    }

    /// Asks for an answer; returns it for the caller to wait on.
    func ask(_ answer: Answer) -> Answer {
        let isFirst = requests.withLock { requests in
            requests.append(Request(due: clock.now().sinceOrigin + delay.count, answer: answer))
            return requests.count == 1
        }
        // The others are found with the first.
        if isFirst { arrivals.signal() }
        return answer
    }

    /// Ends the thread, after it has answered all requests.
    func stop() {
        stopping.store(true, ordering: .releasing)
        arrivals.signal()
        ended.wait()
    }

    private func respond() {
        var batch: [Request] = []
        batch.reserveCapacity(4_096)
        while true {
            arrivals.wait()
            // Two arrays take turns, so that answering allocates nothing and asks are never held up for long.
            requests.withLock { swap(&$0, &batch) }
            for request in batch {
                var due = timespec(
                    tv_sec: Int(request.due / 1_000_000_000), tv_nsec: Int(request.due % 1_000_000_000))
                while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
                request.answer.arrive()
            }
            if batch.isEmpty, stopping.load(ordering: .acquiring) { break }
            batch.removeAll(keepingCapacity: true)
        }
        ended.signal()
    }
}

/// Why there is nobody to answer.
struct ResponderError: Error, CustomStringConvertible {
    var reason: String
    var description: String { "cannot start the thread that answers: \(reason)" }
}
