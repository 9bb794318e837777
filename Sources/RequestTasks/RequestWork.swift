import Clocks
import HTTPStacks
import Synchronization
import TaskMeter

extension Work {
    /// The same request over and over through one stack: each is a task, with the phases that the stack saw.
    ///
    /// A stack that is a loop runs on the trial's main thread, and starts requests itself when they are due.
    /// - Parameters:
    ///   - tells: which of its phases are stored.
    ///   - tearDown: called after the stack has been shut down.
    /// - Throws: `StackError` when the stack lacks what the policy asks for.
    package static func requesting(
        _ request: HTTPRequest, through choice: HTTPStackChoice, _ policy: ConnectionPolicy, clock: MonotonicClock,
        tells: ToldPhases = .all, tearDown: @escaping @Sendable () -> Void = {}
    ) throws -> Work {
        if let makeLoop = choice.makeLoop {
            try choice.check(policy)
            let loop = OfMainThread(try makeLoop(policy, clock))
            return .driving({ tasks in drive(tasks, request, loop.value, tells) }, tearDown: tearDown)
        }
        let stack = try choice(policy, clock: clock)
        return Work(
            endingLater: { task, end in
                let progress = BodyProgress(tells, task.clock)
                stack.send(request.watched(by: progress)) { outcome in
                    task.keep(outcome, tells, progress)
                    end(outcome.taskStatus, at: outcome.end)
                }
            },
            tearDown: {
                stack.shutDown()
                tearDown()
            })
    }
}

/// Which phases of requests are stored.
package enum ToldPhases: Sendable {
    case none
    case all
    /// All, and how far the body had come each time that some of it came.
    case allWithProgress
}

extension TaskContext {
    // hot path: no allocation, no lock
    fileprivate func keep(_ outcome: HTTPOutcome, _ tells: ToldPhases, _ progress: BodyProgress?) {
        moved(bytes: outcome.hop.received)
        if case .none = tells { return }
        outcome.forEachPhase { phase, moment, bytes in
            if phase == RequestPhase.lastByte {
                // The stack tells of the last piece when it has taken it, a little later than it came.
                for piece in progress?.soFar ?? [] {
                    mark(RequestPhase.bodyProgress, at: min(piece.at, moment), bytes: piece.bytes)
                }
            }
            mark(phase, at: moment, bytes: bytes)
        }
    }
}

/// How far the body of one request had come, and when.
private final class BodyProgress: Sendable {
    private let pieces = Mutex<[(at: Instant, bytes: Int)]>([])
    private let clock: MonotonicClock

    /// Nil where it is not told.
    init?(_ tells: ToldPhases, _ clock: MonotonicClock) {
        guard case .allWithProgress = tells else { return nil }
        self.clock = clock
    }

    func note(_ bytes: Int) {
        let now = clock.now()
        pieces.withLock { $0.append((now, bytes)) }
    }

    var soFar: [(at: Instant, bytes: Int)] { pieces.withLock { $0 } }
}

extension HTTPRequest {
    /// The same request, which tells how far its body has come.
    fileprivate func watched(by progress: BodyProgress?) -> HTTPRequest {
        guard let progress else { return self }
        var request = self
        request.onBody = { progress.note($0) }
        return request
    }
}

/// How many are submitted before answers are looked for again.
private let mostSubmittedAtOnce = 64

/// Starts requests when they are due and there is a connection for them, and waits for all of them at once.
private func drive(_ tasks: TaskSource, _ request: HTTPRequest, _ loop: any RequestLoop, _ tells: ToldPhases) {
    var contexts = [(task: TaskContext, progress: BodyProgress?)?](repeating: nil, count: loop.freePlaces)
    var free = Array(contexts.indices.reversed())
    /// Submitted, and without a connection so far; first to last, from `first` on.
    var waiting: [(task: TaskContext, limit: Instant)] = []
    var first = 0

    func next() -> TaskContext? {
        guard first < waiting.count else { return tasks.next() }
        defer { first += 1 }
        return waiting[first].task
    }
    /// Whoever waited for a connection for as long as a request may take has waited for nothing.
    func giveUp() {
        guard first < waiting.count else { return }
        let now = tasks.clock.now()
        while first < waiting.count, waiting[first].limit <= now {
            let task = waiting[first].task
            first += 1
            tasks.begin(task)
            tasks.end(task, .failed(reason: RequestFailure(.timeOut, "no connection was free in time").description))
        }
    }
    func fill() {
        while !free.isEmpty, let task = next() {
            let place = free.removeLast()
            let progress = BodyProgress(tells, tasks.clock)
            contexts[place] = (task, progress)
            tasks.begin(task)
            loop.start(request.watched(by: progress), number: place)
        }
    }
    func end(_ place: Int, _ outcome: HTTPOutcome) {
        guard let (task, progress) = contexts[place] else { return }
        contexts[place] = nil
        free.append(place)
        task.keep(outcome, tells, progress)
        tasks.end(task, outcome.taskStatus, at: outcome.end)
        // At once: the server works on it while the other answers that have come are read.
        fill()
    }
    while !tasks.areDone, tasks.clock.now() < tasks.deadline {
        fill()
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        }
        // What is due is submitted, with or without a connection for it; between many, sockets have their turn.
        for _ in 0..<mostSubmittedAtOnce {
            guard free.isEmpty, let task = tasks.next() else { break }
            waiting.append((task, tasks.clock.now() + request.timeLimit))
        }
        giveUp()
        // The last moment for new tasks may have passed since `areDone` was asked, and then nothing would end the wait.
        let nextDue = tasks.nextDue
        if nextDue == nil, loop.inFlight == 0, first == waiting.count { continue }
        let limit = first < waiting.count ? waiting[first].limit : tasks.deadline
        loop.turn(until: min(nextDue ?? tasks.deadline, limit, tasks.deadline), end)
    }
}

/// What a trial prepares on its main thread and uses on none but that, in its warm-up and after it.
///
/// Unchecked Sendable: work is prepared, driven and torn down on one thread (see `Work.driving`).
private final class OfMainThread<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
