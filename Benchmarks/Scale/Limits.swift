import ChildProcesses
import FoundationEssentials
import Glibc
import Probes
import Recording
import Results
import TaskMeter
import Threading

/// A limit that was not kept, or a program that failed.
struct ScaleError: Error, CustomStringConvertible {
    var description: String
}

/// The program `taskmeter` that was built together with this suite.
func taskmeter(_ arguments: [String]) throws {
    let program = OwnProgram.path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/taskmeter"
    let output = try ChildProcess.run(program, arguments, seconds: 600)
    guard output.status == .exited(0) else {
        throw ScaleError(
            description: "taskmeter \(arguments[0]) ended by \(output.status): \(output.errors.suffix(500))")
    }
}

/// Runs this suite's empty benchmarks, in as many trials as make `records` records.
func runEmptyTasks(_ records: Int, into folder: String) throws {
    let recordsPerBlock = 18_000 * StrategyChoice.usual(workers: 8).count
    let trials = (records + recordsPerBlock - 1) / recordsPerBlock
    try taskmeter([
        "run", "--suite", OwnProgram.path, "--filter", "Scale/empty", "--trials", "\(trials)", "--output",
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

/// Records tasks as a trial does; none may be lost.
func recordTasks(_ count: Int, in path: String, threads: Int) throws {
    let clock = MonotonicClock()
    let recorder = try TaskRecorder(
        path: path, benchmark: "Scale/own[strategy=resident-thread]", trial: 7, expectedTasks: count, clock: clock)
    let present = Monitor(threads)
    for _ in 0..<threads {
        let refusal = startThread(named: "recording") {
            for _ in 0..<count / threads {
                let task = recorder.submit()
                recorder.begin(task)
                recorder.end(task)
            }
            present.withLock { $0 -= 1 }
            present.wakeAll()
        }
        guard refusal == 0 else { throw ScaleError(description: "no thread could be started: \(errnoText(refusal))") }
    }
    present.wait { $0 == 0 ? () : nil }
    let took = Double(clock.now().sinceOrigin) / 1e9
    if let lost = recorder.lost { throw ScaleError(description: "\(lost.count) records were lost: \(lost.reason)") }
    print(
        "\(count) tasks recorded in \(took) s; \(recorder.lateParts) of \(count / 16_384) parts of the log came late")
}

/// Writes the records of a log as a runner does; returns the bytes of the file.
func writeTasks(of log: String, to path: String, bytesPerSecond limit: Double) throws -> Int {
    let clock = MonotonicClock()
    let totals = try TaskCSV.Writer(creating: path).append(RecordLogReader(log))
    let seconds = Double(clock.now().sinceOrigin) / 1e9
    let bytes = Int(fileSize(path) ?? 0)
    let rate = Double(bytes) / seconds
    print("\(totals.counts.ended) records of CSV, \(bytes) bytes, in \(seconds) s: \(rate / 1e6) MB/s")
    guard rate >= limit else {
        throw ScaleError(description: "CSV was written at \(rate / 1e6) MB/s, not \(limit / 1e6)")
    }
    return bytes
}

/// The most memory that this process ever had resident, by the kernel's count.
func checkOwnResidentMemory(below limit: Double) throws {
    guard let bytes = peakResidentMemory() else {
        throw ScaleError(description: "the kernel does not tell VmHWM")
    }
    print("\(bytes / 1e6) MB resident at most")
    guard bytes <= limit else {
        throw ScaleError(description: "\(bytes / 1e6) MB were resident, more than \(limit / 1e6)")
    }
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
