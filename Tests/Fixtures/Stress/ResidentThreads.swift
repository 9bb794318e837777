import Glibc
import Results
import Statistics
import Strategies
import Synchronization
import Threading

/// Two threads submit, one stops, and the last reference goes at a moment that nobody knows, for each mechanism.
func raceResidentThreads(rounds: Int) throws {
    var random = SplitMix64(seed: 1)
    for round in 0..<rounds * 20 {
        for mechanism in ResidentThread.Mechanism.allCases {
            try race(mechanism, pause: { Int(random.next() % 64) }, round)
        }
    }
}

/// Lives as long as a block that holds it.
private final class Held: Sendable {
    private let alive: Monitor<Int>

    init(_ alive: Monitor<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
    }

    deinit {
        alive.withLock { $0 -= 1 }
        alive.wakeAll()
    }
}

private final class Stopped: Sendable {
    let isOver = Atomic<Bool>(false)
    let late = Atomic<Int>(0)
}

private func race(_ mechanism: ResidentThread.Mechanism, pause: () -> Int, _ round: Int) throws {
    let alive = Monitor(0)
    let racing = Monitor(3)
    let stopped = Stopped()
    do {
        let thread = ResidentThread(mechanism: mechanism, whenReleased: round % 2 == 0 ? .discard : .drain)
        for racer in 0..<3 {
            let turns = pause()
            let refusal = startThread(named: "racer") {
                for _ in 0..<turns { _ = clock() }
                if racer < 2 {
                    for _ in 0..<8 {
                        let held = Held(alive)
                        thread.submit {
                            if stopped.isOver.load(ordering: .acquiring) { stopped.late.add(1, ordering: .relaxed) }
                            withExtendedLifetime(held) {}
                        }
                    }
                } else if round % 3 != 0 {
                    let ending = thread.stop(round % 2 == 0 ? .drain : .discard, within: long)
                    if ending == .ended { stopped.isOver.store(true, ordering: .releasing) }
                }
                racing.withLock { $0 -= 1 }
                racing.wakeAll()
            }
            try check(refusal == 0, "no thread to race with")
        }
    }
    try check(racing.wait(within: long) { $0 == 0 }, "a race hangs")
    try check(alive.wait(within: long) { $0 == 0 }, "a block was never released")
    try check(stopped.late.load(ordering: .relaxed) == 0, "a block ran after the stop")
}

/// A block stops its own thread, while others submit and stop.
func stopFromInside(rounds: Int) throws {
    for _ in 0..<rounds * 20 {
        for mechanism in ResidentThread.Mechanism.allCases {
            let alive = Monitor(0)
            do {
                let thread = ResidentThread(mechanism: mechanism)
                let held = Held(alive)
                thread.submit { [weak thread] in
                    thread?.stop(.drain)
                    withExtendedLifetime(held) {}
                }
                for _ in 0..<8 {
                    let held = Held(alive)
                    thread.submit { withExtendedLifetime(held) {} }
                }
                try check(thread.stop(.drain, within: long) == .ended, "a stop hangs")
            }
            try check(alive.wait(within: long) { $0 == 0 }, "a block was never released")
        }
    }
}
