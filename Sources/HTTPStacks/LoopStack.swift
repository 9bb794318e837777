import CLinux
import Clocks
import Glibc
import Results
import Threading

/// A loop of requests on one thread of its own, to which others hand requests.
final class LoopStack: HTTPStack {
    private typealias Call = (request: HTTPRequest, ended: @Sendable (HTTPOutcome) -> Void)

    private struct Inbox {
        var calls: [Call] = []
        var isClosed = false
        var hasEnded = false
        /// Whether the thread was woken and has not looked yet.
        var isRung = false
    }

    private let inbox = Monitor(Inbox())
    private let bell: Int32

    /// - Parameter make: called on the loop's own thread.
    init(named name: String, _ make: @escaping @Sendable () throws(StackError) -> any RequestLoop) throws(StackError) {
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
                Self.serve(inbox, bell, loop)
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
        request.cancellation?.onCancel { [weak self] in self?.ring() }
        let mustRing = inbox.withLock { inbox in
            inbox.calls.append((request, ended))
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
    private static func serve(_ inbox: Monitor<Inbox>, _ bell: Int32, _ loop: any RequestLoop) {
        /// Those that wait for a place, first to last, from `first` on.
        var waiting: [Call] = []
        var first = 0
        var running: [(@Sendable (HTTPOutcome) -> Void)?] = []
        var free: [Int] = []
        let ended: RequestLoop.Ended = { number, outcome in
            let call = running[number]
            running[number] = nil
            free.append(number)
            call?(outcome)
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
            }
            if isClosed, loop.inFlight == 0, waiting.isEmpty { return }
            loop.turn(until: nil, ended)
        }
    }
}
