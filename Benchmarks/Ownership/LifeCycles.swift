import Glibc
import Synchronization

/// Where an operation is in its life.
package enum LifeState: Int, CaseIterable, Sendable {
    case idle, pending, running, finished, cancelled
}

/// The life of an operation, of which several threads may want to change the state at once.
package protocol LifeCycle: Sendable {
    init()
    /// Goes over to a state, if the way from the current one is allowed; returns whether it did.
    func advance(to next: LifeState) -> Bool
    var state: LifeState { get }
}

/// The states as cases, the ways as a switch: whoever adds a state is told by the compiler where it must be thought of, if there
/// is no default. There is one mutex around look and change.
package final class SwitchedLife: LifeCycle {
    private let current = Mutex(LifeState.idle)

    package init() {}

    package var state: LifeState { current.withLock { $0 } }

    package func advance(to next: LifeState) -> Bool {
        current.withLock { state in
            guard Self.leads(state, to: next) else { return false }
            state = next
            return true
        }
    }

    @inline(__always)
    package static func leads(_ state: LifeState, to next: LifeState) -> Bool {
        switch state {
        case .idle: next == .pending || next == .cancelled
        case .pending: next == .running || next == .cancelled
        case .running: next == .finished || next == .cancelled
        case .finished, .cancelled: false
        }
    }
}

/// The ways as data: a row of bits for each state. It can be printed and compared with a specification; but a wrong bit compiles.
package enum LifeTable {
    @inline(__always)
    package static func leads(_ state: LifeState, to next: LifeState) -> Bool {
        row(of: state) >> next.rawValue & 1 == 1
    }

    /// All rows in one word, five bits each: an array would be looked up in memory that is allocated at its first use.
    private static func row(of state: LifeState) -> Int { rows >> (state.rawValue * 5) & 0b11111 }

    // From the right: idle, pending, running, finished, cancelled; so are the rows, and the bits of each row.
    private static let rows = 0b10010 | 0b10100 << 5 | 0b11000 << 10
}

package final class TabledLife: LifeCycle {
    private let current = Mutex(LifeState.idle)

    package init() {}

    package var state: LifeState { current.withLock { $0 } }

    package func advance(to next: LifeState) -> Bool {
        current.withLock { state in
            guard LifeTable.leads(state, to: next) else { return false }
            state = next
            return true
        }
    }
}

/// No lock: whoever exchanges the state that it has looked at has won; who finds another looks again. It is enough for a state of
/// one word. What has to change together with it needs a lock again.
package final class ExchangedLife: LifeCycle {
    private let current = Atomic<Int>(LifeState.idle.rawValue)

    package init() {}

    package var state: LifeState { LifeState(rawValue: current.load(ordering: .acquiring))! }

    package func advance(to next: LifeState) -> Bool {
        var seen = current.load(ordering: .acquiring)
        while let state = LifeState(rawValue: seen), SwitchedLife.leads(state, to: next) {
            let (won, original) = current.compareExchange(
                expected: seen, desired: next.rawValue, ordering: .acquiringAndReleasing)
            if won { return true }
            seen = original
        }
        return false
    }
}

/// The trap: each access is whole, and look and change are two. Between them another may have changed the state; both then believe
/// to have won, and an operation is finished and cancelled.
package final class UnguardedLife: LifeCycle {
    private let current = Atomic<Int>(LifeState.idle.rawValue)

    package init() {}

    package var state: LifeState { LifeState(rawValue: current.load(ordering: .acquiring))! }

    package func advance(to next: LifeState) -> Bool {
        guard SwitchedLife.leads(state, to: next) else { return false }
        // A thread can lose its processor between any two instructions. Here it gives it away, so that a race shows in some
        // hundred attempts what a program shows in a year.
        sched_yield()
        current.store(next.rawValue, ordering: .releasing)
        return true
    }
}

/// No lock to be seen: look and change are in one method that does not suspend. With an `await` between them it would be as
/// `UnguardedLife`, and nothing would say so.
package actor ActorLife {
    private(set) var current = LifeState.idle

    package init() {}

    func advanced(to next: LifeState) -> Bool {
        guard SwitchedLife.leads(current, to: next) else { return false }
        current = next
        return true
    }
}
