import Statistics

/// A percentile of many values: measured, or not supported by their number.
package enum Percentile: Hashable, Sendable, Codable {
    case value(Nanoseconds)
    case unavailable(reason: String)

    package var value: Nanoseconds? {
        if case .value(let value) = self { value } else { nil }
    }

    private enum Key: String, CodingKey { case unavailable }

    package init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Nanoseconds.self) {
            self = .value(value)
        } else {
            self = .unavailable(
                reason: try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .unavailable))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .value(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .unavailable(let reason):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(reason, forKey: .unavailable)
        }
    }
}

/// Times of all tasks of a benchmark, all trials together.
package struct Distribution: Hashable, Sendable, Codable {
    package var count: Int
    /// Percentiles are exact and of nearest rank; see `nearestRank`.
    package var p50: Percentile
    package var p90: Percentile
    package var p99: Percentile
    package var p999: Percentile
    package var max: Nanoseconds
    package var mean: Nanoseconds
    /// The median over trials of each trial's own median, in nanoseconds, with its interval. Trials are the
    /// independent unit: thousands of tasks of one process do not make this narrower.
    package var medianOverTrials: MedianEstimate

    package init(
        count: Int, p50: Percentile, p90: Percentile, p99: Percentile, p999: Percentile, max: Nanoseconds,
        mean: Nanoseconds, medianOverTrials: MedianEstimate
    ) {
        self.count = count
        self.p50 = p50
        self.p90 = p90
        self.p99 = p99
        self.p999 = p999
        self.max = max
        self.mean = mean
        self.medianOverTrials = medianOverTrials
    }
}

/// How a benchmark's workers came to life: the shape of a pool that grows.
package struct WorkerGrowth: Hashable, Sendable, Codable {
    /// Workers that began a task within the first 50 ms of a trial (median over trials).
    package var workersAtStart: Double
    /// Workers that began a task at all (median over trials).
    package var workersInAll: Double
    /// Workers that came after the first 50 ms, per second from the first submission to when the last of them came; nil when
    /// none came, when all came within half a second, or when no more tasks ran at once than at the start.
    package var workersPerSecond: Double?
    /// Most tasks that ran at the same time (median over trials).
    package var peakRunning: Double

    package init(workersAtStart: Double, workersInAll: Double, workersPerSecond: Double?, peakRunning: Double) {
        self.workersAtStart = workersAtStart
        self.workersInAll = workersInAll
        self.workersPerSecond = workersPerSecond
        self.peakRunning = peakRunning
    }
}

/// What a run says of code that was timed in batches, by iteration and in nanoseconds.
package struct IterationSummary: Hashable, Sendable, Codable {
    /// The median over trials of each trial's own: the median of its samples less that of its empty batches. Trials are
    /// the independent unit; what the subtraction leaves uncertain is in the differences between them.
    package var time: MedianEstimate
    /// What was subtracted: an iteration that does nothing, in the same loop; over the trials that timed any, nil where none did
    /// and nothing was subtracted.
    package var empty: MedianEstimate?
    /// Samples of completed trials.
    package var samples: Int
    /// Iterations of a sample (median over all).
    package var iterationsPerSample: Int
    /// Median absolute deviation of the samples from their trial's median, over that median (median over trials):
    /// how much they scatter inside a process.
    package var scatter: Double

    package init(
        time: MedianEstimate, empty: MedianEstimate?, samples: Int, iterationsPerSample: Int, scatter: Double
    ) {
        self.time = time
        self.empty = empty
        self.samples = samples
        self.iterationsPerSample = iterationsPerSample
        self.scatter = scatter
    }
}

/// What a run says of one benchmark.
package struct BenchmarkSummary: Hashable, Sendable, Codable {
    package var benchmark: BenchmarkID
    package var trialsPlanned: Int
    package var trialsCompleted: Int
    package var trialsFailed: Int
    package var tasks: TaskCounts
    package var faults: RecordingFaults
    /// Age of the oldest unfinished task when its trial stopped waiting; nil when all tasks ended.
    package var oldestUnfinished: Nanoseconds?
    /// Tasks that ended well per second, over trials; nil when no trial completed.
    package var throughput: MedianEstimate?
    /// First submission to last end, in nanoseconds, over trials; nil when no trial completed.
    package var elapsed: MedianEstimate?
    /// Processor time per ended task, in nanoseconds, over trials; nil when no trial completed.
    package var processorTimePerTask: MedianEstimate?
    /// Nil when no task ended in a completed trial.
    package var spent: Distribution?
    package var wait: Distribution?
    /// Of an open loop: from when each task was due to its end; nil for other loads.
    package var response: Distribution?
    /// Of an open loop: how late tasks were submitted; nil for other loads.
    package var lag: Distribution?
    package var workers: WorkerGrowth?
    /// Nil for a benchmark of tasks, and when no trial completed.
    package var iteration: IterationSummary?
    /// Reasons of failed tasks with how often each occurred, most frequent first, five at most.
    package var failureReasons: [FailureReason]
    /// All failed tasks by the class of their reason; nil in runs of before this was told.
    package var failureClasses: [FailureClass]?
    /// Nil where no task of a completed trial has phases, and in runs of before they were looked at.
    package var phases: PhaseSummary?
    package var warnings: [String]
    /// What makes the numbers doubtful, found in the data; nil in runs of before this was looked for.
    package var doubts: [Doubt]?
    /// What its tasks or iterations cost, by metric; nil in runs of before probes were told.
    package var costs: [CostSummary]?

    /// A reason for which tasks failed.
    package struct FailureReason: Hashable, Sendable, Codable {
        package var reason: String
        package var count: Int

        package init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    package init(benchmark: BenchmarkID, trialsPlanned: Int) {
        self.benchmark = benchmark
        self.trialsPlanned = trialsPlanned
        trialsCompleted = 0
        trialsFailed = 0
        tasks = TaskCounts()
        faults = .none
        failureReasons = []
        warnings = []
    }
}
