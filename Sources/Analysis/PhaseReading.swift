import Results
import Statistics

/// The phases of one trial's tasks while its marks are read: what each task spent up to each phase, added up mark by mark.
///
/// A task costs 8 bytes for each phase of the trial and 19 more, until the trial is read. No mark is kept, but those of the few tasks
/// that are traced.
struct TrialPhases {
    let trial: Int
    let columns: TaskColumns
    private let places: TaskPlaces
    /// Names in the order in which they first come.
    private(set) var names: [String] = []
    /// By phase and task; −1 where the task never came to the phase.
    private var times: [[Int64]] = []
    /// When the last mark of each task was made; its begin before the first.
    private var last: [Int64]
    /// The phase to which each task came last for the first time, plus 1; 0 before the first.
    private var newest: [UInt16]
    private var isOutOfOrder: [Bool]
    private(set) var marksOutOfOrder = 0
    /// How often tasks came to the second phase for the first time when they had last come to the first.
    private(set) var follows: [[Int]] = []
    private var traced: [Int: [TaskTraces.Mark]] = [:]

    /// - Parameter traced: indices of the tasks whose marks are kept.
    init(_ trial: Int, _ columns: TaskColumns, traced: [Int]) {
        self.trial = trial
        self.columns = columns
        places = TaskPlaces(columns)
        last = columns.begin
        newest = Array(repeating: 0, count: columns.count)
        isOutOfOrder = Array(repeating: false, count: columns.count)
        for index in traced { self.traced[index] = [] }
    }

    /// Takes up a phase, and gives it its number.
    mutating func add(phase name: String) -> Int {
        for index in follows.indices { follows[index].append(0) }
        names.append(name)
        times.append(Array(repeating: -1, count: columns.count))
        follows.append(Array(repeating: 0, count: names.count))
        return names.count - 1
    }

    /// A mark, in the order in which they were made. One of a task that did not end is passed over.
    mutating func mark(task number: Int, _ phase: Int, at moment: Int64) {
        guard let task = places.index(of: number) else { return }
        if moment < last[task] || moment < columns.begin[task] || moment > columns.end[task] {
            marksOutOfOrder += 1
            isOutOfOrder[task] = true
        }
        let before = times[phase][task]
        if before < 0 {
            if newest[task] > 0 { follows[Int(newest[task]) - 1][phase] += 1 }
            newest[task] = UInt16(truncatingIfNeeded: phase + 1)
        }
        times[phase][task] = max(before, 0) &+ (moment &- last[task])
        last[task] = moment
        if !traced.isEmpty, traced[task] != nil { traced[task]?.append(TaskTraces.Mark(phase: phase, at: moment)) }
    }

    var tasksOutOfOrder: Int { isOutOfOrder.count { $0 } }
    private var inOrder: some Sequence<Int> { columns.begin.indices.lazy.filter { !isOutOfOrder[$0] } }

    /// What the tasks that came to a phase spent up to it, sorted.
    func times(to phase: Int) -> [Int64] { inOrder.map { times[phase][$0] }.filter { $0 >= 0 }.sorted() }

    /// What all tasks spent after their last phase, sorted.
    var rests: [Int64] { inOrder.map { columns.end[$0] - last[$0] }.sorted() }

    /// What all tasks spent.
    var spent: (total: Double, tasks: Int) {
        inOrder.reduce(into: (0, 0)) { sum, task in
            sum.0 += Double(columns.spent(task))
            sum.1 += 1
        }
    }

    /// Traces of those of the tasks whose phases are in order.
    func traces(of tasks: [Int]) -> [TaskTraces.Task] {
        tasks.filter { !isOutOfOrder[$0] }.map { task in
            TaskTraces.Task(
                number: columns.number(task), due: columns.submitted[task] - columns.lag(task),
                submitted: columns.submitted[task], begin: columns.begin[task], end: columns.end[task],
                marks: traced[task] ?? [])
        }
    }
}

/// The phases of one benchmark's tasks, added up trial by trial: 8 bytes for each segment of each task, until all are read.
private struct BenchmarkPhases {
    private var names: [String] = []
    private var numbers: [String: Int] = [:]
    private var follows: [[Int]] = []
    /// By phase and trial, each trial sorted.
    private var times: [[[Int64]]] = []
    private var rests: [[Int64]] = []
    private var spent = 0.0
    private var tasks = 0
    private var tasksOutOfOrder = 0
    private var marksOutOfOrder = 0

    mutating func add(_ trial: TrialPhases) {
        let own = trial.names.map { number($0) }
        for (one, row) in trial.follows.enumerated() {
            for (other, count) in row.enumerated() { follows[own[one]][own[other]] += count }
        }
        for (phase, number) in own.enumerated() { times[number].append(trial.times(to: phase)) }
        rests.append(trial.rests)
        let (total, count) = trial.spent
        spent += total
        tasks += count
        tasksOutOfOrder += trial.tasksOutOfOrder
        marksOutOfOrder += trial.marksOutOfOrder
    }

    private mutating func number(_ name: String) -> Int {
        if let number = numbers[name] { return number }
        for index in follows.indices { follows[index].append(0) }
        numbers[name] = names.count
        names.append(name)
        follows.append(Array(repeating: 0, count: names.count))
        times.append([])
        return names.count - 1
    }

    var summary: PhaseSummary {
        var segments = PhaseOrder.order(follows).compactMap { segment(names[$0], times[$0], isRest: false) }
        if let rest = segment("end", rests, isRest: true) { segments.append(rest) }
        return PhaseSummary(
            segments: segments, tasks: tasks, tasksOutOfOrder: tasksOutOfOrder, marksOutOfOrder: marksOutOfOrder)
    }

    private func segment(_ name: String, _ trials: [[Int64]], isRest: Bool) -> PhaseSummary.Segment? {
        guard let times = Distribution(ofSorted: trials) else { return nil }
        let total = trials.reduce(0) { $1.reduce($0) { $0 + Double($1) } }
        return PhaseSummary.Segment(
            name: name, isRest: isRest, times: times, share: spent > 0 ? total / spent : 0,
            meanOfAllTasks: total / Double(tasks))
    }
}

extension RunData {
    /// Reads the phases of all completed timed trials, one trial at a time.
    mutating func readPhases() throws(ResultsError) {
        guard fileSize(folder.phasesFile) != nil else { return }
        let reader = try PhaseCSV.Reader(folder.phasesFile)
        let completed = Dictionary(
            trials.filter { $0.status == .completed && $0.mode == .timed }.map { ($0.number, $0.benchmark) },
            uniquingKeysWith: { first, _ in first })
        var benchmarks: [BenchmarkID: BenchmarkPhases] = [:]
        var typical: [BenchmarkID: Int] = [:]
        var done: Set<Int> = []
        // What is known of the trial at hand; nil for one that has no part.
        var current: TrialPhases?
        var chosen: (typical: [Int], slowest: [Int]) = ([], [])
        /// The number in the trial of each phase of the file.
        var own: [Int?] = []
        var number: Int?

        func finish(_ data: inout RunData) {
            guard let trial = current, let benchmark = completed[trial.trial], !trial.names.isEmpty else { return }
            benchmarks[benchmark, default: BenchmarkPhases()].add(trial)
            guard typical[benchmark] == trial.trial else { return }
            data.traces[benchmark] = TaskTraces(
                trial: trial.trial, phases: trial.names, typical: trial.traces(of: chosen.typical),
                slowest: trial.traces(of: chosen.slowest))
        }

        while let row = try reader.nextRow() {
            if row.trial != number {
                finish(&self)
                guard done.insert(row.trial).inserted else {
                    throw reader.malformed("phases of trial \(row.trial) stand apart from its others")
                }
                number = row.trial
                current = nil
                own = []
                if let benchmark = completed[row.trial], let columns = tasks[row.trial] {
                    if typical[benchmark] == nil {
                        typical[benchmark] = typicalTrial(completedTrials(of: benchmark))?.number ?? -1
                    }
                    chosen = typical[benchmark] == row.trial ? TaskTraces.chosen(from: columns) : ([], [])
                    current = TrialPhases(row.trial, columns, traced: chosen.typical + chosen.slowest)
                }
            }
            guard current != nil else { continue }
            while own.count <= row.phase { own.append(nil) }
            if own[row.phase] == nil {
                guard (current?.names.count ?? 0) < PhaseLogLayout.Header.mostNames else {
                    throw reader.malformed("trial \(row.trial) has more phases than a trial can have")
                }
                let name = reader.phases[row.phase]
                // −1 for what is no phase of the task's own.
                own[row.phase] = name == PhaseMark.acceptedPhase ? -1 : current?.add(phase: name)
            }
            if let phase = own[row.phase], phase >= 0 { current?.mark(task: row.task, phase, at: row.at) }
        }
        finish(&self)
        current = nil
        phases = benchmarks.mapValues(\.summary)
    }
}
