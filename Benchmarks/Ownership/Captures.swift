import TaskMeter

let capture = Axis("by", "strong", "weak", "unowned", "unowned-unsafe", "parameter")

/// What a closure pays, at each call, for the way in which it holds the object that it works on. In the counts a weak or unowned
/// hold shows its release and no retain: the strong reference comes out of `swift_weakLoadStrong` or `swift_unownedRetainStrong`.
/// Ten calls, because one takes no longer than what is subtracted for an iteration that does nothing.
let captures = Benchmark(
    "captures", "Ten times calls a closure that adds to a counter of an object, which it holds in one way or another.",
    axes: [capture], sampling: .batches(duration: .milliseconds(20))
) { parameters in
    let counter = Counter()
    let iteration: Iteration
    if parameters[capture] == "parameter" {
        let call = Closures.parameter()
        iteration = Iteration { for _ in 0..<10 { call(counter) } }
    } else {
        let call = Closures.capturing(counter, parameters[capture])
        iteration = Iteration { for _ in 0..<10 { call() } }
    }
    // The object outlives its closure, whatever the closure holds of it.
    return iteration.afterTrial { blackHole(counter.count) }
}
.answering(
    Experiment("What does a closure's hold on its object cost at ten calls?", comparing: capture, by: .iterationTime)
)
.countedExactly()
.trials(atMost: 7)

/// Unchecked Sendable: iterations run one after the other on one thread, and it is read after the last.
final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func add() { count &+= 1 }
}

/// Made where the caller cannot see what they do: a closure that the optimiser sees through holds nothing at all.
enum Closures {
    @inline(never)
    static func parameter() -> @Sendable (Counter) -> Void { { $0.add() } }

    @inline(never)
    static func capturing(_ counter: Counter, _ kind: String) -> @Sendable () -> Void {
        switch kind {
        // One retain when the closure is made, none at its calls.
        case "strong": { counter.add() }
        // Each call makes a strong reference of the weak one, by atomic steps on a table beside the object, and releases it. What is
        // bought with it: after the object's end the closure does nothing, in place of stopping the program.
        case "weak":
            { [weak counter] in
                guard let counter else { return }
                counter.add()
            }
        // A second count in the object is checked, and a strong reference taken for as long as it is used. After the object's end
        // the program stops; the memory stays until the last unowned reference goes.
        case "unowned": { [unowned counter] in counter.add() }
        // Nothing is checked: a pointer. After the object's end anything may happen.
        default: { [unowned(unsafe) counter] in counter.add() }
        }
    }
}
