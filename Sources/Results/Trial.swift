/// Counts of a trial's tasks by how they came out. `submitted` is the sum of the other four.
public struct TaskCounts: Hashable, Sendable, Codable {
    public var submitted: Int
    public var ok: Int
    public var failed: Int
    public var cancelled: Int
    public var unfinished: Int

    public init(submitted: Int = 0, ok: Int = 0, failed: Int = 0, cancelled: Int = 0, unfinished: Int = 0) {
        self.submitted = submitted
        self.ok = ok
        self.failed = failed
        self.cancelled = cancelled
        self.unfinished = unfinished
    }

    public var ended: Int { ok + failed + cancelled }

    public mutating func count(_ status: TaskStatus) {
        submitted += 1
        switch status {
        case .ok: ok += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .unfinished: unfinished += 1
        }
    }

    public static func + (left: TaskCounts, right: TaskCounts) -> TaskCounts {
        TaskCounts(
            submitted: left.submitted + right.submitted, ok: left.ok + right.ok, failed: left.failed + right.failed,
            cancelled: left.cancelled + right.cancelled, unfinished: left.unfinished + right.unfinished)
    }
}

/// What the records of a trial add up to.
public struct TaskTotals: Hashable, Sendable {
    public var counts = TaskCounts()
    /// The first submission of any task; nil when none was submitted.
    public var firstSubmission: Instant?
    /// The last end of any task; nil when none ended.
    public var lastEnd: Instant?

    public init() {}

    public mutating func add(_ record: TaskRecord) {
        counts.count(record.status)
        firstSubmission = min(firstSubmission ?? record.submitted, record.submitted)
        if let end = record.end { lastEnd = max(lastEnd ?? end, end) }
    }

    /// From the first submission to the last end; nil when no task ended, or all within no time.
    public var elapsed: Nanoseconds? {
        guard let firstSubmission, let lastEnd, lastEnd > firstSubmission else { return nil }
        return lastEnd - firstSubmission
    }

    /// Ended tasks per second of `elapsed`.
    public var throughput: Double? { elapsed.map { Double(counts.ended) / $0.seconds } }
}

/// How one process execution of one benchmark came out.
public struct Trial: Hashable, Sendable {
    public enum Status: String, Sendable, Codable {
        /// All tasks were submitted, ended, and told.
        case completed
        /// The process crashed, exited non-zero, said something wrong, or ran past its limit.
        case failed
        /// The person stopped the run while this trial ran.
        case interrupted
    }

    public var benchmark: BenchmarkID
    /// Its place in the order in which the run executed its trials: 0, 1, 2…
    public var number: Int
    /// Its round: every benchmark runs once in each block, in an order drawn anew.
    public var block: Int
    public var status: Status
    /// Why it did not complete, in a sentence; empty when it did.
    public var reason: String
    /// When the process was started.
    public var started: Instant
    /// When the measured part began and ended; nil when it did not get that far. The end of a process that died is when
    /// its death was noticed.
    public var measureBegin: Instant?
    public var measureEnd: Instant?
    public var tasks: TaskCounts
    public var faults: RecordingFaults
    /// Tasks that were run for warm-up before the measured part, and not recorded.
    public var warmupTasks: Int

    public init(
        benchmark: BenchmarkID, number: Int, block: Int, status: Status, reason: String = "", started: Instant,
        measureBegin: Instant? = nil, measureEnd: Instant? = nil, tasks: TaskCounts = TaskCounts(),
        faults: RecordingFaults = .none, warmupTasks: Int = 0
    ) {
        self.benchmark = benchmark
        self.number = number
        self.block = block
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
