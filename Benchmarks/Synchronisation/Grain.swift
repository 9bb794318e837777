import Apparatus
import Dispatch
import Synchronization
import TaskMeter

let splitting = Axis(
    "by", ["plain-loop", "concurrent-perform", "concurrent-perform-chunks", "async-each", "task-group"],
    full: ["task-group-chunks"])
let grain = Axis("grain-ns", 100, 1_000, 10_000, 100_000)

let speedUp = Metric("speed_up", .count, "speed-up over a plain loop", .higherIsBetter)
let pieceTime = Metric("piece_time", .nanoseconds, "wall time per piece")

/// The shorter a piece, the more of its time goes to handing it out: 0.4 µs to a queue, several for a child task. Below some
/// length all of that makes a program slower, on however many cores; chunks, one for each core, make the length of a piece
/// matter no more, and cost fairness only when pieces are of different lengths.
let grains = Benchmark(
    "grain",
    "Works off 40 to 2,000 pieces of equal work, in turns with a plain loop over the same.",
    axes: [splitting, grain], observing: [speedUp, pieceTime]
) { parameters in
    let work = Spinning(lasting: Nanoseconds(Int64(parameters[grain])), clock: parameters.clock)
    let pieces = pieceCount(grain: parameters[grain], isQuick: parameters.isQuick)
    return Observing { observer in
        let sum = Pieces(count: pieces, work: work)
        let way: () -> Void =
            switch parameters[splitting] {
            case "plain-loop": sum.plainLoop
            case "concurrent-perform": sum.concurrentPerform
            case "concurrent-perform-chunks": sum.concurrentPerformChunks
            case "async-each": sum.asyncEach
            case "task-group": sum.taskGroup
            default: sum.taskGroupChunks
            }
        try sum.check(way)
        // In turns, and the median of the turns: a machine that becomes slower meanwhile does so for both sides.
        let turns = try (0..<3).map { _ in
            (plain: try sum.time(sum.plainLoop, observer.clock), way: try sum.time(way, observer.clock))
        }
        let ratios = turns.map { Double($0.plain.count) / Double($0.way.count) }.sorted()
        let times = turns.map { Double($0.way.count) / Double(pieces) }.sorted()
        observer.tell(speedUp, ratios[ratios.count / 2])
        observer.tell(pieceTime, times[times.count / 2])
    }
}
.answering(
    Experiment(
        "How small may pieces of work be before sharing them costs more than it gains?", comparing: splitting,
        along: grain, by: speedUp)
)
.trials(atMost: 7)

/// As many pieces as make 4 ms of work, but no more than can be handed out one by one in a bearable time.
package func pieceCount(grain: Int, isQuick: Bool) -> Int { min(4_000_000 / grain, 2_000) / (isQuick ? 4 : 1) }

/// The ranges that share out so many pieces: as many as asked for, or as there are pieces; their lengths differ by one at most.
package func chunks(of count: Int, into parts: Int) -> [Range<Int>] {
    let parts = max(min(parts, count), 1)
    return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
}

/// Pieces of work, and the ways of sharing them out. Each adds to a sum that must come out right.
private final class Pieces: Sendable {
    private let count: Int
    private let work: Spinning
    private let queue = DispatchQueue(label: "pieces", attributes: .concurrent)
    private let parts: [Range<Int>]
    private let sum = Atomic<UInt64>(0)
    private let expected: UInt64

    init(count: Int, work: Spinning) {
        self.count = count
        self.work = work
        parts = chunks(of: count, into: usableProcessors)
        expected = work.run() &* UInt64(count)
    }

    private func piece() -> UInt64 { work.run() }

    func check(_ way: () -> Void) throws {
        sum.store(0, ordering: .relaxed)
        way()
        guard sum.load(ordering: .relaxed) == expected else { throw WrongSum() }
    }

    func time(_ way: () -> Void, _ clock: MonotonicClock) throws -> Nanoseconds {
        let begin = clock.now()
        try check(way)
        return clock.now() - begin
    }

    private func add(_ value: UInt64) { sum.wrappingAdd(value, ordering: .relaxed) }

    /// One addition to the shared sum for a range: one for each piece would have the processors fight for its line.
    private func run(_ range: Range<Int>) {
        var own: UInt64 = 0
        for _ in range { own &+= piece() }
        add(own)
    }

    func plainLoop() { run(0..<count) }

    func concurrentPerform() { DispatchQueue.concurrentPerform(iterations: count) { _ in add(piece()) } }

    func concurrentPerformChunks() {
        DispatchQueue.concurrentPerform(iterations: parts.count) { run(parts[$0]) }
    }

    func asyncEach() {
        let group = DispatchGroup()
        for _ in 0..<count { queue.async(group: group) { [self] in add(piece()) } }
        group.wait()
    }

    func taskGroup() {
        waiting { [self] in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { [self] in add(piece()) } }
            }
        }
    }

    func taskGroupChunks() {
        waiting { [self] in
            await withTaskGroup(of: Void.self) { group in
                for part in parts { group.addTask { [self] in run(part) } }
            }
        }
    }
}

/// Work was lost, or done twice.
private struct WrongSum: Error, CustomStringConvertible {
    var description: String { "the pieces' sum is not what as many pieces make" }
}
