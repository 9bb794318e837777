import Clocks
import FoundationEssentials
import Glibc
import HTTPStacks
import LoadPlans
import Results
import Strategies
import TaskMeter
import URLSessionStacks

/// The work of a trial: the same request over and over, through one stack.
struct LoadWork {
    let work: Work

    init(_ plan: LoadPlan, _ url: String, _ choice: HTTPStackChoice, clock: MonotonicClock) throws {
        let request = try HTTPRequest(plan, url)
        let policy = ConnectionPolicy(plan)
        let tellsPhases = plan.tellsPhases
        // No thread comes between: the loop that waits for sockets starts the requests itself.
        if let loop = try choice.loop(policy, clock: clock) {
            work = .driving { tasks in Self.drive(tasks, request, loop.value, tellsPhases) }
            return
        }
        let stack = try choice(policy, clock: clock)
        work = Work(
            endingLater: { task, end in
                stack.send(request) { outcome in
                    if tellsPhases { outcome.forEachPhase { task.mark($0, at: $1, bytes: $2) } }
                    task.moved(bytes: outcome.hop.received)
                    end(outcome.taskStatus, at: outcome.end)
                }
            }, tearDown: { stack.shutDown() })
    }

    /// Starts requests when they are due and there is a connection for them, and waits for all of them at once.
    private static func drive(
        _ tasks: TaskSource, _ request: HTTPRequest, _ loop: any RequestLoop, _ tellsPhases: Bool
    ) {
        var contexts = [TaskContext?](repeating: nil, count: loop.freePlaces)
        var free = Array(contexts.indices.reversed())
        /// Submitted, and without a connection so far; first to last, from `first` on.
        var waiting: [TaskContext] = []
        var first = 0
        let ended: RequestLoop.Ended = { place, outcome in
            guard let task = contexts[place] else { return }
            contexts[place] = nil
            free.append(place)
            if tellsPhases { outcome.forEachPhase { task.mark($0, at: $1, bytes: $2) } }
            task.moved(bytes: outcome.hop.received)
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
}

/// What a trial prepares on its main thread and uses on none but that, in its warm-up and after it.
///
/// Unchecked Sendable: work is prepared, driven and torn down on one thread (see `Work.driving`).
final class OfMainThread<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

extension HTTPRequest {
    init(_ plan: LoadPlan, _ url: String) throws {
        var body = Body.none
        if let text = plan.body { body = .bytes(Array(text.utf8)) }
        if let file = plan.bodyFile { body = .bytes([UInt8](try Data(contentsOf: URL(filePath: file)))) }
        self.init(
            url, method: plan.method, headers: plan.headers.map { Header($0.name, $0.value) }, body: body,
            mostRedirects: plan.mostRedirects, timeLimit: plan.timeLimit,
            expected: HTTPExpectation(statuses: plan.status))
    }
}

extension ConnectionPolicy {
    init(_ plan: LoadPlan) {
        self.init()
        keepsAlive = plan.keepsAlive
        connections = plan.connections
        version = plan.isHTTP2 ? .http2 : .http1
        authority = plan.authority
        addresses = plan.addresses.map { Address(host: $0.host, port: $0.port, address: $0.address) }
    }
}

extension HTTPStackChoice {
    /// The stacks that a load may be made with.
    static let all: [HTTPStackChoice] = [
        .curlMulti(tellsSending: false), .curlEasy(tellsSending: false), .socketEpoll, .socket, .urlSession,
        .urlSessionAsync,
    ]

    /// A loop for the trial's main thread; nil where the stack needs threads of its own for what the plan asks for.
    func loop(_ policy: ConnectionPolicy, clock: MonotonicClock) throws -> OfMainThread<any RequestLoop>? {
        guard let makeLoop else { return nil }
        try check(policy)
        return OfMainThread(try makeLoop(policy, clock))
    }

    /// The stack as a way of executing tasks: on as many threads as it has connections, if it blocks.
    func strategy(connections: Int) -> StrategyChoice {
        let (blocks, most) = (blocks, max(connections, 1))
        return StrategyChoice(
            name, note: note,
            traits: StrategyTraits(
                ordering: .submission, width: blocks ? .fixed(most) : .submitters,
                whenBlocked: "Requests beyond \(most) wait for a connection.",
                submitting: blocks ? "a hand-over to another thread" : "what the stack takes to begin a request")
        ) { try (blocks ? StrategyChoice.pool(workers: most) : .inline)() }
    }
}
