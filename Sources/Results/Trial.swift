/// Counts of a trial's tasks by how they came out. `submitted` is the sum of the other four.
package struct TaskCounts: Hashable, Sendable, Codable {
    package var submitted: Int
    package var ok: Int
    package var failed: Int
    package var cancelled: Int
    package var unfinished: Int

    package init(submitted: Int = 0, ok: Int = 0, failed: Int = 0, cancelled: Int = 0, unfinished: Int = 0) {
        self.submitted = submitted
        self.ok = ok
        self.failed = failed
        self.cancelled = cancelled
        self.unfinished = unfinished
    }

    package var ended: Int { ok + failed + cancelled }

    package mutating func count(_ status: TaskStatus) {
        submitted += 1
        switch status {
        case .ok: ok += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .unfinished: unfinished += 1
        }
    }

    package static func + (left: TaskCounts, right: TaskCounts) -> TaskCounts {
        TaskCounts(
            submitted: left.submitted + right.submitted, ok: left.ok + right.ok, failed: left.failed + right.failed,
            cancelled: left.cancelled + right.cancelled, unfinished: left.unfinished + right.unfinished)
    }
}

/// What the records of a trial add up to.
package struct TaskTotals: Hashable, Sendable {
    package var counts = TaskCounts()
    /// The first submission of any task; nil when none was submitted.
    package var firstSubmission: Instant?
    /// The last end of any task; nil when none ended.
    package var lastEnd: Instant?
    /// IDs that were given out, and nothing was stored of their tasks.
    package var missing = 0

    package init() {}

    package mutating func add(_ record: TaskRecord) {
        counts.count(record.status)
        firstSubmission = min(firstSubmission ?? record.submitted, record.submitted)
        if let end = record.end { lastEnd = max(lastEnd ?? end, end) }
    }

    /// From the first submission to the last end; nil when no task ended, or all within no time.
    package var elapsed: Nanoseconds? {
        guard let firstSubmission, let lastEnd, lastEnd > firstSubmission else { return nil }
        return lastEnd - firstSubmission
    }

    /// Tasks that ended well per second of `elapsed`: what fails early does not make a strategy fast.
    package var throughput: Double? { elapsed.map { Double(counts.ok) / $0.seconds } }
}

/// How one process execution of one benchmark came out.
package struct Trial: Hashable, Sendable {
    package enum Status: String, Sendable, Codable {
        /// All tasks were submitted, ended, and told.
        case completed
        /// The process crashed, exited non-zero, said something wrong, or ran past its limit.
        case failed
        /// The person stopped the run while this trial ran.
        case interrupted
    }

    /// What a trial is made for. What counts disturbs times: only timed trials tell of them.
    package enum Mode: String, Sendable, Codable, CaseIterable {
        case timed
        /// With counters of events that were asked for by name.
        case events
        /// With the interposer over the allocator.
        case allocations
        /// Under an emulator that counts instructions.
        case exact
        /// Under a simulator of caches and branch prediction.
        case simulated

        /// For people.
        package var inWords: String {
            switch self {
            case .timed: "timed"
            case .events: "counting events"
            case .allocations: "counting allocations"
            case .exact: "counting instructions"
            case .simulated: "simulating caches"
            }
        }
    }

    package var benchmark: BenchmarkID
    /// Its place in the order in which the run executed its trials: 0, 1, 2…
    package var number: Int
    /// Its round: every benchmark runs once in each block, in an order drawn anew.
    package var block: Int
    package var mode: Mode
    package var status: Status
    /// Why it did not complete, in a sentence; empty when it did.
    package var reason: String
    /// When the process was started.
    package var started: Instant
    /// When the measured part began and ended; nil when it did not get that far. The end of a process that died is when
    /// its death was noticed.
    package var measureBegin: Instant?
    package var measureEnd: Instant?
    package var tasks: TaskCounts
    package var faults: RecordingFaults
    /// Tasks that were run for warm-up before the measured part, and not recorded.
    package var warmupTasks: Int

    package init(
        benchmark: BenchmarkID, number: Int, block: Int, mode: Mode = .timed, status: Status, reason: String = "",
        started: Instant,
        measureBegin: Instant? = nil, measureEnd: Instant? = nil, tasks: TaskCounts = TaskCounts(),
        faults: RecordingFaults = .none, warmupTasks: Int = 0
    ) {
        self.benchmark = benchmark
        self.number = number
        self.block = block
        self.mode = mode
        self.status = status
        self.reason = reason
        self.started = started
        self.measureBegin = measureBegin
        self.measureEnd = measureEnd
        self.tasks = tasks
        self.faults = faults
        self.warmupTasks = warmupTasks
    }
}
