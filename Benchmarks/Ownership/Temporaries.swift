import Apparatus
import Foundation
import Probes
import TaskMeter

let temporary = Axis("temporary", ["data", "ns-string", "array"], full: ["string", "ns-number"])
let keeping = Axis("until", "batch-ends", "last-use")
let batch = Axis("batch", [1, 100, 10_000], full: [1_000_000])

let peakMemory = Metric("peak_memory", .bytes, "peak of resident memory above the start")

/// What an autorelease pool was for: with Objective-C's runtime, temporaries that Foundation returns stay until the pool ends, and a
/// loop without a pool of its own keeps all of them. On Linux there is no such pool: an object goes with its last use, which
/// `last-use` shows, and only what a program keeps itself adds up, as `batch-ends` does: in an array, in closures that wait for
/// their turn, in tasks that were made all at once.
let temporaries = Benchmark(
    "temporaries",
    """
    Makes 10,000 temporaries, of 256 bytes but for numbers, in batches, and keeps them until the batch or their use \
    ends; a peak of less than 256 KiB is not told, for its reading may be off by as much.
    """,
    axes: [temporary, keeping, batch], observing: [peakMemory]
) { parameters in
    let batch = parameters[batch]
    let plan = TemporaryPlan(
        batch: batch, batches: max((parameters.isQuick ? 1_000 : 10_000) / batch, 1),
        areKept: parameters[keeping] == "batch-ends")
    let run: @Sendable (TemporaryPlan) throws -> Void =
        switch parameters[temporary] {
        case "data": { try $0.run({ Data(count: 256 + $0 % 2) }, checkedBy: { $0.count - 256 }) }
        case "ns-string": { try $0.run({ NSString(string: text($0)) }, checkedBy: { $0.length - 256 }) }
        // Not 0 or 1: Foundation keeps small numbers, and gives out the same ones again and again.
        case "ns-number": { try $0.run({ NSNumber(value: 1_000 + $0) }, checkedBy: { $0.intValue % 2 }) }
        case "array": { try $0.run({ [UInt8](repeating: 1, count: 256 + $0 % 2) }, checkedBy: { $0.count - 256 }) }
        default: { try $0.run({ text($0) }, checkedBy: { $0.utf8.count - 256 }) }
        }
    return Observing { observer in
        // What a type needs for its first value is not a temporary.
        try run(TemporaryPlan(batch: 1, batches: 10, areKept: plan.areKept))
        switch PeakMemory.begin() {
        case .refused(let reason): observer.tell(peakMemory, unavailable: reason)
        case .counting(let start):
            try run(plan)
            guard let peak = peakResidentMemory() else {
                return observer.tell(peakMemory, unavailable: "the kernel does not tell VmHWM")
            }
            guard peak - start >= PeakMemory.resolution else {
                return observer.tell(
                    peakMemory, unavailable: "it is less than 256 KiB, by which such a reading may be off")
            }
            observer.tell(peakMemory, peak - start)
        }
    }
}
.answering(
    Experiment(
        "How much memory do temporaries take until their batch ends?", comparing: keeping, along: batch, by: peakMemory)
)
.trials(atMost: 7)

/// A string too long to be kept inline.
private func text(_ index: Int) -> String { String(repeating: "x", count: 256 + identity(index) % 2) }

package struct TemporaryPlan: Sendable {
    private let batch: Int
    private let batches: Int
    fileprivate let areKept: Bool

    package init(batch: Int, batches: Int, areKept: Bool) {
        self.batch = batch
        self.batches = batches
        self.areKept = areKept
    }

    /// - Parameter check: of each temporary, what it was told: its index modulo 2.
    package func run<Value>(_ make: (Int) -> Value, checkedBy check: (Value) -> Int) throws {
        var sum = 0
        for _ in 0..<batches {
            if areKept {
                // Room for all is made at once: copies of an array that grows would be more than what it holds.
                var kept = ContiguousArray<Value>()
                kept.reserveCapacity(batch)
                for index in 0..<batch { kept.append(make(index)) }
                for value in kept { sum += check(value) }
            } else {
                for index in 0..<batch {
                    let value = make(index)
                    blackHole(value)
                    sum += check(value)
                }
            }
        }
        guard sum == batches * (batch / 2) else { throw WrongResult("temporaries add up to \(sum)") }
    }
}
