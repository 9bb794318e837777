import Results
import Words

/// What tasks or iterations cost, as a table: a row for each benchmark, a column for each cost of which there is any number.
struct CostTable {
    /// A cost as the table shows it. Of several metrics the first that a benchmark has a number of stands in the cell: what the
    /// measuring thread cost rather than what its process did.
    struct Column {
        var title: String
        var metrics: [String]
        /// Costs that are nothing to speak of for every row are named below the table and have no column.
        var isHiddenWhenZero = true
    }

    var columns: [Column]
    /// For each benchmark its costs, in the order of the columns; nil where there is no number.
    var rows: [[CostSummary?]]
    /// Titles of what was measured and is zero in every row.
    var zeros: [String]

    /// Nil where nothing is known of any of them.
    init?(_ summaries: [BenchmarkSummary]) {
        let costs = summaries.map { summary in
            Dictionary((summary.costs ?? []).map { ($0.metric, $0) }, uniquingKeysWith: { first, _ in first })
        }
        var columns: [Column] = []
        var zeros: [String] = []
        let hasIterations = summaries.contains { ($0.costs ?? []).contains { $0.per == .iteration } }
        for var column in Self.usual + Self.others(summaries) {
            if hasIterations, column.title == Self.withStrategy { continue }
            if hasIterations, column.metrics == ["emulated_instructions"] {
                column.metrics.append("process_emulated_instructions")
            }
            let cells = costs.map { Self.cell(column, $0) }
            let numbers = cells.compactMap { $0?.estimate?.median }
            guard !numbers.isEmpty else { continue }
            if column.isHiddenWhenZero, numbers.allSatisfy({ $0 == 0 }) {
                zeros.append(column.title)
            } else {
                columns.append(column)
            }
        }
        guard !columns.isEmpty else { return nil }
        self.columns = columns
        self.zeros = zeros
        rows = costs.map { costs in columns.map { Self.cell($0, costs) } }
    }

    /// What is said below the table, as one sentence.
    ///
    /// - Parameter unit: what its numbers are by: “task” or “iteration”.
    func note(by unit: String) -> String {
        var notes = [
            "Medians over trials; peak memory and threads are of the whole process and of a trial, not of \(Self.one(unit))"
        ]
        let costs = rows.joined().compactMap { $0 }
        if costs.contains(where: \.isEstimated) {
            notes.append("≈ marks what was counted for a part of the time only")
        }
        if let widest = costs.filter({ $0.metric == "emulated_instructions" }).compactMap(\.spread).max() {
            let share = widest == 0 ? "nothing at all" : PlainNumber.roughPercent(widest) + " at most"
            notes.append("instructions of trials differ by \(share)")
        }
        if columns.contains(where: { $0.title.hasPrefix("simulated") }) {
            notes.append(
                "simulated caches and branch prediction are those of no processor: they tell of changes, not of time")
        }
        if !zeros.isEmpty { notes.append("measured, and zero throughout: " + zeros.joined(separator: ", ")) }
        return notes.joined(separator: "; ") + "."
    }

    /// “a task”, “an iteration”.
    static func one(_ unit: String) -> String { (unit == "iteration" ? "an " : "a ") + unit }

    private static func cell(_ column: Column, _ costs: [String: CostSummary]) -> CostSummary? {
        column.metrics.compactMap { costs[$0] }.first { $0.estimate != nil }
    }

    /// Of a task only: an iteration has no strategy, and where it may go on on other threads the process's count is its own.
    private static let withStrategy = "… with the strategy"

    private static let usual = [
        Column(title: "CPU", metrics: ["thread_cpu_time", "cpu_time"], isHiddenWhenZero: false),
        Column(title: "instructions, counted", metrics: ["instructions", "task_instructions", "process_instructions"]),
        Column(title: "instructions, emulated", metrics: ["emulated_instructions"]),
        Column(title: withStrategy, metrics: ["process_emulated_instructions"]),
        Column(title: "branches", metrics: ["emulated_branches"]),
        Column(title: "retains", metrics: ["emulated_retains"]),
        Column(title: "releases", metrics: ["emulated_releases"]),
        Column(title: "objects", metrics: ["emulated_objects"]),
        Column(title: "simulated instructions", metrics: ["simulated_instructions"]),
        Column(title: "simulated L1 misses", metrics: ["simulated_l1_data_misses"]),
        Column(title: "simulated L1 misses of code", metrics: ["simulated_l1_instruction_misses"]),
        Column(title: "simulated last-level misses", metrics: ["simulated_last_level_misses"]),
        Column(title: "simulated branch misses", metrics: ["simulated_branch_misses"]),
        Column(title: "allocations", metrics: ["allocations", "process_allocations"], isHiddenWhenZero: false),
        Column(title: "allocated", metrics: ["allocated_bytes", "process_allocated_bytes"]),
        Column(title: "peak of the heap", metrics: ["peak_live_bytes"]),
        Column(title: "left on the heap", metrics: ["leaked_bytes"]),
        Column(title: "energy", metrics: ["cpu_energy"], isHiddenWhenZero: false),
        Column(title: "waits", metrics: ["thread_voluntary_switches", "voluntary_switches"]),
        Column(title: "interruptions", metrics: ["thread_involuntary_switches", "involuntary_switches"]),
        Column(title: "moves", metrics: ["migrations"]),
        Column(title: "without a processor", metrics: ["thread_run_queue_wait", "run_queue_wait"]),
        Column(title: "page faults", metrics: ["thread_minor_faults", "minor_faults"]),
        Column(title: "faults from disk", metrics: ["thread_major_faults", "major_faults"]),
        Column(title: "peak memory", metrics: ["peak_resident"]),
        Column(title: "threads", metrics: ["peak_threads"]),
        Column(title: "read calls", metrics: ["read_calls"]), Column(title: "read", metrics: ["read_bytes"]),
        Column(title: "write calls", metrics: ["write_calls"]), Column(title: "written", metrics: ["written_bytes"]),
        Column(title: "from disk", metrics: ["disk_read_bytes"]),
        Column(title: "to disk", metrics: ["disk_written_bytes"]),
    ]

    /// Metrics that have no place in the usual columns, under their own names: events that were asked for, zones of energy. What
    /// tells of the machine and not of the work, how the kernel splits processor time, and what stands in the table in another way,
    /// is in the files alone.
    private static func others(_ summaries: [BenchmarkSummary]) -> [Column] {
        let known = Set(
            usual.flatMap(\.metrics) + (Metric.ofProcess + Metric.ofThread + Metric.ofMachine).map(\.name) + [
                "frees", "process_frees", "reallocations", "process_reallocations", "leaked_blocks",
                "emulated_allocations", "emulated_frees", "emulated_spread", "process_emulated_branches",
                "process_emulated_retains", "process_emulated_releases", "process_emulated_objects",
                "process_emulated_allocations", "process_emulated_frees",
            ])
        var seen = known
        return summaries.flatMap { $0.costs ?? [] }.filter { seen.insert($0.metric).inserted }
            .map { Column(title: $0.metric.replacing("_", with: " "), metrics: [$0.metric]) }
    }
}
