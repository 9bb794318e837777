import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TaskMeter

/// A limit that was not kept, or a program that failed.
struct ScaleError: Error, CustomStringConvertible {
    var description: String
}

/// The program `taskmeter` that was built together with this suite.
private func taskmeter(_ arguments: [String]) throws {
    let program = SuiteSearch.ownExecutable.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/taskmeter"
    let output = try ChildProcess.run(program, arguments, seconds: 600)
    guard output.status == .exited(0) else {
        throw ScaleError(
            description: "taskmeter \(arguments[0]) ended by \(output.status): \(output.errors.suffix(500))")
    }
}

/// Runs this suite's empty benchmarks, in as many trials as make `records` records.
func runEmptyTasks(_ records: Int, into folder: String) throws {
    let recordsPerBlock = 18_000 * StrategyChoice.all(workers: 8).count
    let trials = (records + recordsPerBlock - 1) / recordsPerBlock
    try taskmeter([
        "run", "--suite", SuiteSearch.ownExecutable, "--filter", "Scale/empty", "--trials", "\(trials)", "--output",
        folder,
        "--no-report", "--quiet",
    ])
    let rows = try TrialCSV.read(folder + "/latest/trials.csv").reduce(0) { $0 + $1.tasks.submitted }
    guard rows >= records else { throw ScaleError(description: "the run recorded \(rows) tasks, not \(records)") }
    print("a run of \(rows) records")
}

func makeReport(of folder: String, withinSeconds limit: Double) throws {
    let clock = MonotonicClock()
    try taskmeter(["report", folder, "--quiet"])
    try check(clock, limit, "the report")
    print("its report: \(fileSize(folder + "/index.html") ?? 0) bytes")
}

/// Writes records as a runner does; returns the bytes of the file.
func writeTasks(_ count: Int, into folder: String, withinSeconds limit: Double) throws -> Int {
    let path = folder + "/tasks.csv"
    let benchmark = BenchmarkID(
        suite: "Requests", name: "get",
        parameters: [.init(axis: "bytes", value: "1024"), .init(axis: "strategy", value: "pool-8")])
    let records = (0..<count).lazy.map { number -> TaskRecord in
        let submitted = Int64(number) * 83_000 + 1_000_000_000
        return TaskRecord(
            id: TaskID(number), due: Instant(sinceOrigin: submitted), submitted: Instant(sinceOrigin: submitted),
            begin: Instant(sinceOrigin: submitted + 17_003), end: Instant(sinceOrigin: submitted + 99_871),
            worker: number % 8, status: .ok, bytes: 1_024)
    }
    let clock = MonotonicClock()
    try TaskCSV.Writer(creating: path).append(benchmark: benchmark, trial: 7, records)
    try check(clock, limit, "\(count) records of CSV")
    return Int(fileSize(path) ?? 0)
}

private func check(_ clock: MonotonicClock, _ limit: Double, _ what: String) throws {
    let took = clock.now().sinceOrigin
    print("\(what) took \(took / 1_000_000) ms")
    guard Double(took) / 1e9 < limit else {
        throw ScaleError(description: "\(what) took longer than \(limit) s")
    }
}

/// The most memory that any process started from here ever had resident, by the kernel's count.
func checkResidentMemory(ofChildren what: String, below limit: Int) throws {
    var usage = rusage()
    getrusage(__rusage_who_t(-1), &usage)  // RUSAGE_CHILDREN, which Swift does not see
    let bytes = usage.ru_maxrss * 1024
    print("\(what) had \(bytes / 1_000_000) MB resident at most")
    guard bytes < limit else {
        throw ScaleError(description: "\(what) had more than \(limit / 1_000_000) MB resident")
    }
}
