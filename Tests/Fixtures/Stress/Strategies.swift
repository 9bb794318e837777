import Results
import Strategies
import Synchronization
import Threading

/// A part for each strategy.
let strategyParts = StrategyChoice.all(workers: 3).map { choice in
    Part(choice.name) { rounds in for _ in 0..<rounds { try exercise(choice) } }
}

/// Four threads submit jobs, each of which submits another one where that cannot end in a deadlock; then the strategy is
/// shut down. Every job must have run once.
private func exercise(_ choice: StrategyChoice) throws {
    let count = 400
    let nests = !choice.name.hasPrefix("limited-queue")
    let strategy = try choice()
    let runs = Runs(count: 2 * count)
    let submitting = Monitor(4)
    for submitter in 0..<4 {
        let refusal = startThread(named: "submitter") {
            for job in stride(from: submitter, to: count, by: 4) {
                strategy.submit {
                    if nests { strategy.submit { runs.add(count + job) } }
                    runs.add(job)
                }
            }
            submitting.withLock { $0 -= 1 }
            submitting.wakeAll()
        }
        try check(refusal == 0, "no thread to submit from")
    }
    try check(submitting.wait(within: long) { $0 == 0 }, "submissions hang")
    try check(strategy.waitUntilAllDone(within: long), "jobs hang")
    try check(runs.isOnce(0..<count), "a job did not run exactly once")
    if nests { try check(runs.isOnce(count..<2 * count), "a nested job did not run exactly once") }
    for job in 0..<10 { strategy.submit { runs.add(job) } }
    try check(strategy.shutDown(within: long), "the end hangs")
    try check(runs.isTwice(0..<10), "a job was lost at the end")
}

private final class Runs: Sendable {
    private let counts: Monitor<[Int]>

    init(count: Int) { counts = Monitor(Array(repeating: 0, count: count)) }

    func add(_ job: Int) { counts.withLock { $0[job] += 1 } }
    func isOnce(_ jobs: Range<Int>) -> Bool { counts.withLock { counts in jobs.allSatisfy { counts[$0] == 1 } } }
    func isTwice(_ jobs: Range<Int>) -> Bool { counts.withLock { counts in jobs.allSatisfy { counts[$0] == 2 } } }
}
