import Foundation
import Results
import Statistics
import Strategies
import Synchronization
import TestSupport
import Testing
import Threading

@Suite(.serialized) struct ResidentThreadRaceTests {
    /// Three threads each do something at random moments: submit, stop in one way or another, or only let go. The last
    /// reference goes wherever it happens to.
    @Test(
        "submits, stops and releases in 10,000 random orders: none hangs, no block runs after a stop, nothing is left",
        arguments: ResidentThread.Mechanism.allCases)
    func races(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            var random = SplitMix64(seed: 42)
            let racers = try StrategyChoice.pool(workers: 3)()
            let name = "race-\(mechanism.rawValue.suffix(9))"
            let descriptors = openDescriptors()
            for round in 0..<10_000 {
                let race = Race(mechanism, name: name, &random)
                for number in 0..<3 { race.plan(number, &random).map { racers.submit($0) } }
                race.letGo()
                guard racers.waitUntilAllDone(within: long), race.alive.wait(until: { $0 == 0 }) else {
                    Issue.record("round \(round) hangs")
                    return
                }
                if let fault = race.fault {
                    Issue.record("round \(round): \(fault)")
                    return
                }
            }
            #expect(racers.shutDown(within: long))
            // Threads of this name are those of the races alone. Descriptors are shared with other tests, which have few.
            #expect(waits { threads(named: name) == 0 })
            #expect(waits { openDescriptors() < descriptors + 100 })
        }
    }
}

/// One resident thread with three that use it.
private final class Race: Sendable {
    let alive = LiveCount()
    private let owner: Monitor<ResidentThread?>
    private let mechanism: ResidentThread.Mechanism
    private let mayDiscard: Atomic<Bool>
    private let accepted = Atomic<Int>(0)
    private let ran = Atomic<Int>(0)
    private let hasEnded = Atomic<Bool>(false)
    private let mayEnd = Atomic<Bool>(false)
    private let afterEnd = Atomic<Int>(0)
    private let afterStop = Atomic<Int>(0)

    init(_ mechanism: ResidentThread.Mechanism, name: String, _ random: inout SplitMix64) {
        self.mechanism = mechanism
        let discards = random.next() % 2 == 0
        mayDiscard = Atomic(discards)
        owner = Monitor(
            ResidentThread(name: name, mechanism: mechanism, whenReleased: discards ? .discard : .drain))
    }

    func letGo() { owner.withLock { $0 = nil } }

    /// What the racer of that number does.
    func plan(_ number: Int, _ random: inout SplitMix64) -> (@Sendable () -> Void)? {
        let thread = owner.withLock { $0 }!
        let pause = Int(random.next() % 200)
        let count = Int(random.next() % 6)
        let kind = number == 0 ? 0 : random.next() % 7
        if kind == 5 { mayDiscard.store(true, ordering: .relaxed) }
        if kind == 4 { mayDiscard.store(true, ordering: .relaxed) }
        return { [self] in
            for _ in 0..<pause { _ = mayEnd.load(ordering: .relaxed) }
            switch kind {
            case 0, 1: for _ in 0..<count { submit(to: thread) }
            case 2: stop(thread, .drain, within: long)
            case 3:
                submit(to: thread)
                stop(thread, .drain, within: long)
            case 4: stop(thread, .drain, within: .zero)
            case 5: stop(thread, .discard, within: long)
            default:
                submit(to: thread) { thread.stop(.drain, within: long) }
            }
        }
    }

    private func submit(to thread: ResidentThread, _ body: @escaping @Sendable () -> Void = {}) {
        let held = Held(alive)
        let isAccepted = thread.submit { [self] in
            if hasEnded.load(ordering: .acquiring) { afterEnd.add(1, ordering: .relaxed) }
            if mayEnd.load(ordering: .acquiring) { afterStop.add(1, ordering: .relaxed) }
            ran.add(1, ordering: .relaxed)
            withExtendedLifetime(held, body)
        }
        if isAccepted { accepted.add(1, ordering: .relaxed) }
    }

    private func stop(_ thread: ResidentThread, _ remainder: ResidentThread.Remainder, within limit: Nanoseconds) {
        switch thread.stop(remainder, within: limit) {
        case .ended: hasEnded.store(true, ordering: .releasing)
        // The block that runs at that moment may be about to look; none can begin after it.
        case .stillRunning: mayEnd.store(true, ordering: .releasing)
        case .endsAfterThisBlock: afterEnd.add(1, ordering: .relaxed)
        }
    }

    /// What was wrong, once all has ended.
    var fault: String? {
        if afterEnd.load(ordering: .relaxed) > 0 { return "a block ran after the end" }
        if afterStop.load(ordering: .relaxed) > 1 { return "a block began after the stop" }
        let (accepted, ran) = (accepted.load(ordering: .relaxed), ran.load(ordering: .relaxed))
        if ran > accepted { return "\(ran) blocks ran of \(accepted)" }
        if ran < accepted, !mayDiscard.load(ordering: .relaxed) { return "only \(ran) blocks ran of \(accepted)" }
        return nil
    }
}

private func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

private func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.filter { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix(name) ?? false
    }.count
}

/// Whether something becomes true before long; nothing tells when a thread's descriptors are closed.
private func waits(until isTrue: () -> Bool) -> Bool {
    let end = Deadline(after: long)
    while !isTrue() {
        guard end.left > .zero else { return false }
        usleep(1_000)
    }
    return true
}
