import Clocks
import Results
import Statistics

extension SelfCost {
    /// Measures on the calling thread what recording costs with this clock; takes some 20 ms.
    ///
    /// Each cost is measured in blocks that take turns, so that a machine that drifts moves all alike, and told as the median
    /// of its blocks: on a noisy machine a mean would tell of the noise.
    ///
    /// - Throws: `ResultsError` when there is no memory for the records.
    package static func measured(_ clock: MonotonicClock, blocks: Int = 41, perBlock: Int = 2_000) throws(ResultsError)
        -> SelfCost
    {
        let recorder = try TaskRecorder(expectedTasks: blocks * perBlock, clock: clock)
        let samples = try SampleLog(path: nil, benchmark: "", trial: 0, clock: clock)
        let phase = Phase("measuring what a mark costs")
        var costs = Array(repeating: [Double](), count: 5)
        var spent: [Double] = []
        var smallestStep: Int64?
        for block in 0..<blocks {
            func measure(_ cost: Int, _ body: (TaskID) -> Void) {
                let first = block * perBlock
                let begin = clock.now()
                for number in first..<first + perBlock { body(TaskID(number)) }
                costs[cost].append(Double((clock.now() - begin).count) / Double(perBlock))
            }
            var last = clock.now()
            measure(0) { _ in
                let now = clock.now()
                if now > last { smallestStep = min(smallestStep ?? .max, (now - last).count) }
                last = now
            }
            measure(1) { _ in _ = recorder.submit() }
            measure(2) {
                recorder.begin($0)
                recorder.end($0)
            }
            measure(3) { recorder.mark($0, phase) }
            measure(4) { _ in
                let begin = clock.now()
                samples.append(.empty, begin: begin, elapsed: clock.now() - begin, iterations: 1)
            }
            for number in block * perBlock..<(block + 1) * perBlock {
                if let time = recorder[TaskID(number)]?.spent { spent.append(Double(time.count)) }
            }
        }
        // The first block meets cold code and memory.
        let medians = costs.map { median(Array($0.dropFirst())) ?? 0 }
        return SelfCost(
            clockRead: medians[0], clockResolution: smallestStep.map(Double.init), submit: medians[1],
            beginEnd: medians[2],
            insideSpent: median(spent) ?? 0, mark: medians[3], sample: medians[4])
    }
}
