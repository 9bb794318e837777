import Clocks
import HTTPStacks
import TaskMeter

extension Work {
    /// The same request over and over through one stack: each is a task, with the phases that the stack saw.
    ///
    /// A stack that is a loop runs on the trial's main thread, and starts requests itself when they are due.
    /// - Parameters:
    ///   - tellsPhases: whether they are stored.
    ///   - tearDown: called after the stack has been shut down.
    /// - Throws: `StackError` when the stack lacks what the policy asks for.
    package static func requesting(
        _ request: HTTPRequest, through choice: HTTPStackChoice, _ policy: ConnectionPolicy, clock: MonotonicClock,
        tellsPhases: Bool = true, tearDown: @escaping @Sendable () -> Void = {}
    ) throws -> Work {
        if let makeLoop = choice.makeLoop {
            try choice.check(policy)
            let loop = OfMainThread(try makeLoop(policy, clock))
            return .driving({ tasks in drive(tasks, request, loop.value, tellsPhases) }, tearDown: tearDown)
        }
        let stack = try choice(policy, clock: clock)
        return Work(
            endingLater: { task, end in
                stack.send(request) { outcome in
                    task.keep(outcome, tellsPhases)
                    end(outcome.taskStatus, at: outcome.end)
                }
            },
            tearDown: {
                stack.shutDown()
                tearDown()
            })
    }
}

extension TaskContext {
    // hot path: no allocation, no lock
    fileprivate func keep(_ outcome: HTTPOutcome, _ tellsPhases: Bool) {
        if tellsPhases { outcome.forEachPhase { mark($0, at: $1, bytes: $2) } }
        moved(bytes: outcome.hop.received)
    }
}

/// Starts requests when they are due and there is a connection for them, and waits for all of them at once.
private func drive(_ tasks: TaskSource, _ request: HTTPRequest, _ loop: any RequestLoop, _ tellsPhases: Bool) {
    var contexts = [TaskContext?](repeating: nil, count: loop.freePlaces)
    var free = Array(contexts.indices.reversed())
    /// Submitted, and without a connection so far; first to last, from `first` on.
    var waiting: [TaskContext] = []
    var first = 0
    let ended: RequestLoop.Ended = { place, outcome in
        guard let task = contexts[place] else { return }
        contexts[place] = nil
        free.append(place)
        task.keep(outcome, tellsPhases)
        tasks.end(task, outcome.taskStatus, at: outcome.end)
    }
    while !tasks.areDone, tasks.clock.now() < tasks.deadline {
        while let task = tasks.next() { waiting.append(task) }
        while first < waiting.count, let place = free.popLast() {
            let task = waiting[first]
            first += 1
            contexts[place] = task
            tasks.begin(task)
            loop.start(request, number: place)
        }
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        }
        loop.turn(until: min(tasks.nextDue ?? tasks.deadline, tasks.deadline), ended)
    }
}

/// What a trial prepares on its main thread and uses on none but that, in its warm-up and after it.
///
/// Unchecked Sendable: work is prepared, driven and torn down on one thread (see `Work.driving`).
private final class OfMainThread<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
