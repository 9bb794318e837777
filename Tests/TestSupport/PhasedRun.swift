import Results

/// A run folder of tasks with phases made by hand.
package struct PhasedRun {
    /// A task; moments in nanoseconds. One without end is unfinished.
    package struct Task {
        package var due: Int64
        package var submitted: Int64
        package var begin: Int64
        package var end: Int64?
        package var status: TaskStatus?
        /// In the order in which they were made.
        package var marks: [(phase: String, at: Int64)]

        package init(
            due: Int64? = nil, submitted: Int64? = nil, begin: Int64, end: Int64?, status: TaskStatus? = nil,
            _ marks: [(phase: String, at: Int64)] = []
        ) {
            self.submitted = submitted ?? begin
            self.due = due ?? self.submitted
            self.begin = begin
            self.end = end
            self.status = status
            self.marks = marks
        }
    }

    package let path: String
    /// Nil where the folder is somebody else's.
    package private(set) var folder: TemporaryFolder?
    package var runFolder: RunFolder { RunFolder(path) }
    private let trials: TrialCSV.Writer
    private let tasks: TaskCSV.Writer
    private let phases: PhaseCSV.Writer
    private let samples: SampleCSV.Writer
    private var number = 0

    /// In a folder of its own, which lives as long as this.
    package init(_ benchmarks: [String], trials planned: Int, change: (inout Run) -> Void = { _ in }) throws {
        let folder = TemporaryFolder()
        try self.init(at: folder.path, benchmarks, trials: planned, change: change)
        self.folder = folder
    }

    /// - Parameter path: an existing folder.
    package init(
        at path: String, _ benchmarks: [String], trials planned: Int, change: (inout Run) -> Void = { _ in }
    ) throws {
        self.path = path
        var run = exampleRun(benchmarks, trials: planned)
        run.state = .complete
        change(&run)
        let folder = RunFolder(path)
        try folder.write(run)
        trials = try TrialCSV.Writer(creating: folder.trialsFile)
        tasks = try TaskCSV.Writer(creating: folder.tasksFile)
        phases = try PhaseCSV.Writer(creating: folder.phasesFile)
        samples = try SampleCSV.Writer(creating: folder.samplesFile)
    }

    /// Adds the next trial. Marks stand in the order of their moments, as threads make them, or task by task.
    package mutating func add(
        _ benchmark: String, block: Int = 0, status: Trial.Status = .completed, interleaved: Bool = false,
        _ list: [Task]
    ) throws {
        guard let id = BenchmarkID(benchmark) else { return }
        defer { number += 1 }
        var counts = TaskCounts()
        let records = list.enumerated().map { index, task in
            let status = task.status ?? (task.end == nil ? .unfinished : .ok)
            counts.count(status)
            return TaskRecord(
                id: TaskID(index), due: Instant(sinceOrigin: task.due), submitted: Instant(sinceOrigin: task.submitted),
                begin: Instant(sinceOrigin: task.begin), end: task.end.map(Instant.init(sinceOrigin:)),
                worker: index % 4, status: status, bytes: 0)
        }
        try tasks.append(benchmark: id, trial: number, records)
        var marks = list.enumerated().flatMap { index, task in
            task.marks.map { PhaseMark(task: TaskID(index), phase: $0.phase, at: Instant(sinceOrigin: $0.at)) }
        }
        if interleaved {
            marks = marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
                .map(\.element)
        }
        try phases.append(benchmark: id, trial: number, marks)
        let first = list.map(\.submitted).min() ?? 0
        let last = list.compactMap(\.end).max() ?? 1
        let elapsed = Double(max(last - first, 1))
        try samples.append(
            benchmark: id, trial: number,
            [
                Sample(
                    number: 0, metric: Metric.throughput.name, unit: Metric.throughput.unit,
                    value: Double(counts.ok) / elapsed * 1e9, iterations: counts.ended),
                Sample(
                    number: 1, metric: Metric.elapsed.name, unit: Metric.elapsed.unit, value: elapsed,
                    iterations: counts.ended),
            ])
        try trials.append(
            Trial(
                benchmark: id, number: number, block: block, status: status, reason: "",
                started: Instant(sinceOrigin: first), measureBegin: Instant(sinceOrigin: first),
                measureEnd: Instant(sinceOrigin: last), tasks: counts))
    }
}
