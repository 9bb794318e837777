import Synchronization
import Threading

/// Counts what happens.
final class Tally: Sendable {
    private let times = Atomic<Int>(0)

    var count: Int { times.load(ordering: .acquiring) }
    func add() { times.add(1, ordering: .acquiringAndReleasing) }
}

/// Counts objects that live.
final class LiveCount: Sendable {
    private let objects = Monitor(0)

    var count: Int { objects.withLock { $0 } }
    func wait(until isTrue: (Int) -> Bool) -> Bool { objects.wait(within: long) { isTrue($0) } }

    fileprivate func add(_ change: Int) {
        objects.withLock { $0 += change }
        objects.wakeAll()
    }
}

/// Lives as long as the block that holds it.
final class Held: Sendable {
    private let alive: LiveCount

    init(_ alive: LiveCount) {
        self.alive = alive
        alive.add(1)
    }

    deinit { alive.add(-1) }
}

/// Does something when it goes.
final class AtItsEnd: Sendable {
    private let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void) { self.act = act }

    deinit { act() }
}
