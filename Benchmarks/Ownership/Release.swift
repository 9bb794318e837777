import Apparatus
import Synchronization
import TaskMeter

package let hold = Axis(
    "by", "strong", "strong-then-cleared", "strong-method", "weak", "weak-then-strong-inside", "unowned",
    "unowned-unsafe", "parameter")

let objectsLeft = Metric("objects_left", .count, "number of 1,000 objects that stay")

/// The cycle: an object that owns a closure that holds the object. Neither is ever released, and no warning says so.
let release = Benchmark(
    "release", "Makes 1,000 objects that own a closure that works on them, lets go of them, and counts which are left.",
    axes: [hold], observing: [objectsLeft]
) { parameters in
    let kind = parameters[hold]
    return Observing { observer in
        let before = Owner.alive.load(ordering: .relaxed)
        let calls = makeAndDrop(1_000, kind)
        // A closure that does nothing would prove nothing.
        guard calls == 1_000 else { throw WrongResult("\(calls) of 1,000 closures worked on their object") }
        let left = Owner.alive.load(ordering: .relaxed) - before
        guard left == (leaks(kind) ? 1_000 : 0) else { throw WrongResult("\(left) of 1,000 objects are left") }
        observer.tell(objectsLeft, left)
    }
}
.answering(
    Experiment(
        "Is an object released that owns the closure which works on it?", comparing: hold, by: objectsLeft)
)
.trials(atMost: 7)

/// The kinds of hold that make a cycle which nobody breaks.
package func leaks(_ kind: String) -> Bool {
    kind == "strong" || kind == "strong-method" || kind == "weak-then-strong-inside"
}

/// Returns how many closures worked on their object.
private func makeAndDrop(_ count: Int, _ kind: String) -> Int {
    (0..<count).reduce(0) { calls, _ in
        let owner = Owner(kind)
        owner.call()
        return calls + owner.calls
    }
}

/// Owns a closure that works on it.
package final class Owner {
    static let alive = Atomic<Int>(0)

    package private(set) var calls = 0
    private var action: (() -> Void)?
    private var actionOn: ((Owner) -> Void)?
    private let clearsAfterCall: Bool

    package init(_ kind: String) {
        clearsAfterCall = kind == "strong-then-cleared"
        Self.alive.add(1, ordering: .relaxed)
        switch kind {
        case "strong", "strong-then-cleared": action = { self.work() }
        // A method as a value holds its object as a closure does, without a `self` that could be seen.
        case "strong-method": action = work
        case "weak":
            action = { [weak self] in
                guard let self else { return }
                self.work()
            }
        // The trap: the outer closure is weak, but what it stores in the object holds the strong reference that was made of it.
        case "weak-then-strong-inside":
            action = { [weak self] in
                guard let self else { return }
                self.work()
                self.action = { self.work() }
            }
        case "unowned": action = { [unowned self] in work() }
        case "unowned-unsafe": action = { [unowned(unsafe) self] in work() }
        // Nothing to hold: whoever calls has the object.
        default: actionOn = { $0.work() }
        }
    }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }

    package func call() {
        action?()
        actionOn?(self)
        if clearsAfterCall { action = nil }
    }

    private func work() { calls += 1 }
}
