import CAllocations
import ChildProcesses
import Clocks
import Glibc
import Recording
import Results

// Does what a test must have done by a process of its own, because it kills that process or narrows its limits.

func say(_ text: String) {
    print(text)
    fflush(nil)
}

func recorder(_ path: String, expectedTasks: Int = 0) throws -> TaskRecorder {
    try TaskRecorder(
        path: path, benchmark: "S/killed[strategy=pool-8]", trial: 3, expectedTasks: expectedTasks,
        clock: MonotonicClock())
}

/// The largest stretch of addresses that can be had, to 1 MiB.
func addressesLeft() -> Int {
    var (most, step) = (0, 1 << 36)
    while step >= 1 << 20 {
        let memory = mmap(nil, most + step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        if let memory, memory != MAP_FAILED {
            munmap(memory, most + step)
            most += step
        }
        step /= 2
    }
    return most
}

let arguments = CommandLine.arguments
switch arguments.count > 2 ? arguments[1] : "" {
case "record-and-wait":
    // Tasks of each kind in turn: submitted only, begun, ended, failed. Then waits for its end.
    let recorder = try recorder(arguments[2])
    recorder.note(measureBegin: recorder.clock.now(), warmupTasks: 5)
    for number in 0..<Int(arguments[3])! {
        let task = recorder.submit()
        if number % 4 >= 1 { recorder.begin(task) }
        if number % 4 == 2 { recorder.end(task) }
        if number % 4 == 3 { recorder.end(task, .failed(reason: "reason \(number % 3)")) }
    }
    recorder.end(TaskID(0))
    say("ready")
    while true { pause() }

case "record-for-ever":
    // Four threads that record as fast as they can, until they are killed.
    recordForEver(try recorder(arguments[2]), threads: 4) { say("ready") }

case "record-with-witness":
    recordWithWitness(try recorder(arguments[2]), arguments[3]) { say("ready") }

case "mark-phases":
    // One task with a mark of each of so many phases. Then waits for its end.
    let recorder = try recorder(arguments[2])
    let task = recorder.submit()
    recorder.begin(task)
    for number in 0..<Int(arguments[3])! { recorder.mark(task, Phase("phase \(number)")) }
    say("ready")
    while true { pause() }

case "count-allocations":
    // So many tasks that end well, with a phase each, and samples; says how many allocations that took.
    let recorder = try recorder(arguments[2])
    let samples = try SampleLog(path: arguments[2] + ".samples", benchmark: "S/n", trial: 0, clock: recorder.clock)
    let phase = Phase("marked")
    func record() {
        let task = recorder.submit()
        recorder.begin(task)
        recorder.mark(task, phase)
        recorder.add(bytes: 1, to: task)
        recorder.end(task)
        samples.append(.work, begin: recorder.clock.now(), elapsed: .zero, iterations: 1)
    }
    record()
    let before = callocations_count()
    for _ in 0..<Int(arguments[3])! { record() }
    let after = callocations_count()
    say("\(after - before) of \(after)")

case "record-with-limit":
    // A file that may not grow beyond a limit; says what became of the tasks.
    let recorder = try recorder(arguments[2])
    var limit = rlimit(rlim_cur: rlim_t(arguments[3])!, rlim_max: rlim_t(arguments[3])!)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    for _ in 0..<Int(arguments[4])! {
        let task = recorder.submit()
        recorder.begin(task)
        recorder.add(bytes: 1, to: task)
        recorder.end(task)
    }
    say(
        "\(recorder.submittedTasks) \(recorder.lost?.count ?? 0) \(recorder.faults.total) \(recorder.lost?.reason ?? "")"
    )

case "record-in-little-space":
    // Addresses for so many MiB and no more; says whether most of them are left beside a recorder, and what became of a task.
    // A sanitizer has taken more of them than there are to be.
    guard callocations_count() >= 0 else {
        say("sanitized")
        exit(0)
    }
    var limit = rlimit(rlim_cur: rlim_t(arguments[3])! << 20, rlim_max: rlim_t(arguments[3])! << 20)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let free = addressesLeft()
    let recorder = try recorder(arguments[2])
    let left = addressesLeft()
    let task = recorder.submit()
    recorder.begin(task)
    recorder.end(task)
    say("\(left * 2 > free ? "most" : "\(left >> 20) of \(free >> 20) MiB") \(recorder.lost?.count ?? 0)")

case "start-child":
    // Starts a child that would live for long, says its pid and waits for its own end.
    let child = try ChildProcess(arguments[2], ["1000"], output: .null, error: .null)
    say("\(child.pid)")
    while true { pause() }

case "energy-as-nobody":
    sayEnergyAsNobody(root: arguments[2])

case "energy-held":
    sayWhatAMeterHolds(root: arguments[2])

case "energy-refused":
    sayWhatRefusalsMake(root: arguments[2], zone: arguments[3])

case "energy-windows":
    sayEnergyWindows(root: arguments[2], seconds: Double(arguments[3])!, count: Int(arguments[4])!)

case "run-beside-zones":
    exit(runBesideZones(folder: arguments[2], readsOfOne: UInt64(arguments[3])!, Array(arguments[4...])))

case "watch-stalls":
    try watchUntilStopped(say)

default:
    say("this program is part of TaskMeter's tests, and of no use by itself")
    exit(2)
}
