import CLinux
import Clocks
import Glibc
import Results
import Threading

/// A loop of requests on one thread of its own, to which others hand requests.
final class LoopStack: HTTPStack {
    private struct Call {
        var request: HTTPRequest
        var begin: Instant
        var ended: @Sendable (HTTPOutcome) -> Void

        /// When it has waited for a place for as long as it may take.
        var limit: Instant { begin + request.timeLimit }

        /// Why it is not worth starting any more; nil while it is.
        func failure(at now: Instant) -> RequestFailure? {
            if request.cancellation?.isCancelled == true {
                return RequestFailure(.cancelled, "while waiting for a connection to come free")
            }
            return limit <= now ? RequestFailure(.timeOut, "while waiting for a connection to come free") : nil
        }
    }

    private struct Inbox {
        var calls: [Call] = []
        var isClosed = false
        var hasEnded = false
        /// Whether the thread was woken and has not looked yet.
        var isRung = false
    }

    private let inbox = Monitor(Inbox())
    private let bell: Int32
    private let clock: MonotonicClock

    /// - Parameter make: called on the loop's own thread.
    init(
        named name: String, clock: MonotonicClock,
        _ make: @escaping @Sendable () throws(StackError) -> any RequestLoop
    ) throws(StackError) {
        self.clock = clock
        bell = clinux_open_bell()
        guard bell >= 0 else {
            // Nobody is there to be waited for when this goes.
            inbox.withLock { $0.hasEnded = true }
            throw StackError(description: "the system gave no event descriptor")
        }
        let inbox = inbox
        let bell = bell
        let started = Monitor<StackError??>(nil)
        let refusal = startThread(named: name) {
            do throws(StackError) {
                let loop = try make()
                loop.wakeUp(by: bell)
                started.withLock { $0 = .some(nil) }
                started.wakeAll()
                Self.serve(inbox, bell, loop, clock)
            } catch {
                started.withLock { $0 = .some(error) }
                started.wakeAll()
            }
            inbox.withLock { $0.hasEnded = true }
            inbox.wakeAll()
        }
        guard refusal == 0 else {
            self.inbox.withLock { $0.hasEnded = true }
            throw StackError(description: "the system refused a thread (\(String(cString: strerror(refusal))))")
        }
        if let error = started.wait({ $0 }) { throw error }
    }

    deinit {
        shutDown()
        close(bell)
    }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        let now = clock.now()
        request.cancellation?.onCancel { [weak self] in self?.ring() }
        let mustRing = inbox.withLock { inbox in
            inbox.calls.append(Call(request: request, begin: now, ended: ended))
            defer { inbox.isRung = true }
            return !inbox.isRung
        }
        if mustRing { ring() }
    }

    func shutDown() {
        inbox.withLock { $0.isClosed = true }
        ring()
        inbox.wait { $0.hasEnded ? () : nil }
    }

    private func ring() {
        var one: UInt64 = 1
        write(bell, &one, 8)
    }

    /// What the thread does until the stack is shut down.
    private static func serve(
        _ inbox: Monitor<Inbox>, _ bell: Int32, _ loop: any RequestLoop, _ clock: MonotonicClock
    ) {
        /// Those that wait for a place, first to last, from `first` on.
        var waiting: [Call] = []
        var first = 0
        /// When the first of them has waited for too long.
        var limit: Instant?
        var running: [(@Sendable (HTTPOutcome) -> Void)?] = []
        var free: [Int] = []
        let ended: RequestLoop.Ended = { number, outcome in
            let call = running[number]
            running[number] = nil
            free.append(number)
            call?(outcome)
        }
        /// Ends those that are not wanted any more, or have waited for as long as they may take.
        func giveUp() {
            let now = clock.now()
            let left = waiting[first...]
            waiting = left.filter { $0.failure(at: now) == nil }
            first = 0
            limit = waiting.lazy.map(\.limit).min()
            for call in left {
                guard let failure = call.failure(at: now) else { continue }
                var outcome = HTTPOutcome(begin: call.begin, end: now)
                outcome.failure = failure
                call.ended(outcome)
            }
        }
        while true {
            var rings: UInt64 = 0
            read(bell, &rings, 8)
            let (calls, isClosed) = inbox.withLock { inbox in
                defer {
                    inbox.calls.removeAll(keepingCapacity: true)
                    inbox.isRung = false
                }
                return (inbox.calls, inbox.isClosed)
            }
            waiting += calls
            if rings > 0 { loop.endCancelled(ended) }
            if first < waiting.count, rings > 0 || limit.map({ $0 <= clock.now() }) ?? true { giveUp() }
            while first < waiting.count, loop.freePlaces > 0 {
                let call = waiting[first]
                first += 1
                let number = free.popLast() ?? running.count
                if number == running.count { running.append(nil) }
                running[number] = call.ended
                loop.start(call.request, number: number)
            }
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
                limit = nil
            }
            if isClosed, loop.inFlight == 0, waiting.isEmpty { return }
            loop.turn(until: limit, ended)
        }
    }
}
