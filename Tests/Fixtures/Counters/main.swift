import CAllocations
import CCounters
import CRefusals
import Glibc
import Probes
import Results

// Counts events in a process of its own: one that is refused counters, or has no other threads yet.

func say(_ text: String) {
    print(text)
    fflush(nil)
}

/// What a plan makes of events, a line each: name and reading, or the source that counts it.
func tell(_ plan: CounterPlan) {
    say("choice \(plan.choice?.backend.rawValue ?? "none"): \(plan.choice?.reason ?? "")")
    for group in plan.groups { say("counts \(group.map(\.metricName).joined(separator: " "))") }
    for missing in plan.unavailable { say("\(missing.event.metricName) \(missing.reading)") }
}

func limitOpenFiles(_ count: Int) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

let arguments = CommandLine.arguments
let events = arguments.dropFirst().first == "known-work" ? [] : try CounterEvent.list(Array(arguments.dropFirst(3)))
switch arguments.count > 2 ? arguments[1] : "" {
case "as-user":
    // As a user without rights.
    guard crefusals_become(UInt32(arguments[2])!) == 0 else {
        say("no superuser")
        exit(0)
    }
    tell(CounterPlan(events))

case "filtered":
    // Behind a filter that answers perf_event_open with an errno.
    guard crefusals_filter_counters(Int32(arguments[2])!) == 0 else { exit(3) }
    tell(CounterPlan(events))

case "as-if-paranoid":
    // Where kernel.perf_event_paranoid reads as a file says; the kernel's own mind stays as it is.
    guard crefusals_replace("/proc/sys/kernel/perf_event_paranoid", arguments[2]) == 0 else {
        say("no superuser")
        exit(0)
    }
    tell(CounterPlan(events))

case "with-files":
    // With so many open files and no more.
    limitOpenFiles(Int(arguments[2])!)
    tell(CounterPlan(events))

case "threads-with-files":
    // Each of 8 threads wants counters of its own and keeps them; there are files for some of them only.
    limitOpenFiles(Int(arguments[2])!)
    let counters = TaskCounters(PerfSource(units: []), events)
    countOnThreads(counters, threads: 8)
    say("\(counters.totals.counted) \(counters.totals.refused)")
    say("\(counters.readings(.current()).readings[0])")

case "process":
    // Touches pages on threads that start after the counters were opened and have ended before they are read.
    let counters = ProcessCounters(events)
    let begin = counters.snapshot()
    touchOnThreads(3, pages: Int(arguments[2])!)
    let end = counters.snapshot()
    // A process that is started is not part of this one.
    runShell("x=1; while [ $x -lt 2000 ]; do x=$((x + 1)); done")
    let late = counters.snapshot()
    say("\(counters.readings(from: begin, to: end, .current()).readings.map(\.description).joined(separator: " "))")
    say("\(counters.readings(from: end, to: late, .current()).readings[0]) \(counters.countsChildren)")

case "known-work":
    // Does as many times a piece of work whose events are known, and says what a source counted of it.
    let source: any CounterSource = arguments[3] == "PAPI" ? PAPISource() : PerfSource()
    let bracket = CounterBracket(try source.start(try CounterEvent.list(Array(arguments.dropFirst(4)))))
    func work(_ times: Int) {
        for _ in 0..<times {
            ccounters_touch_pages(100)
            ccounters_sleep(5)
            ccounters_move(2)
            ccounters_spin(5_000_000)
        }
    }
    work(1)
    var (begin, end) = (rusage(), rusage())
    getrusage(__rusage_who_t(1), &begin)
    bracket.open()
    work(Int(arguments[2])!)
    bracket.close()
    getrusage(__rusage_who_t(1), &end)
    for (event, reading) in zip(bracket.totals.layout.events, bracket.totals.readings) { say("\(event) \(reading)") }
    say("getrusage page-faults \(end.ru_minflt + end.ru_majflt - begin.ru_minflt - begin.ru_majflt)")
    say("getrusage context-switches \(end.ru_nvcsw + end.ru_nivcsw - begin.ru_nvcsw - begin.ru_nivcsw)")
    func nanoseconds(_ usage: rusage) -> Int {
        (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000_000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1_000
    }
    say("getrusage time \(nanoseconds(end) - nanoseconds(begin))")

case "count-allocations":
    // How many allocations opening and closing a bracket a thousand times takes, and how many there were before.
    let source: any CounterSource = arguments[2] == "PAPI" ? PAPISource() : PerfSource()
    let bracket = CounterBracket(try source.start(events))
    let tasks = TaskCounters(PerfSource(), events)
    func count() {
        tasks.end(tasks.begin())
        bracket.open()
        bracket.close()
    }
    count()
    let before = callocations_count()
    for _ in 0..<1_000 { count() }
    let after = callocations_count()
    precondition(bracket.totals.closings == 1_001)
    say("\(after - before) of \(after)")

case "nothing":
    // An empty list: how many descriptors are open, and whether PAPI was made ready.
    let plan = CounterPlan(events)
    let counters = ProcessCounters(events)
    let readings = counters.readings(from: counters.snapshot(), to: counters.snapshot(), .current())
    say("\(plan.groups.count) \(PAPILibrary.isReady) \(readings.events.count)")
    for name in KernelFiles().names(in: "/proc/self/fd") {
        var target = [CChar](repeating: 0, count: 100)
        let length = max(readlink("/proc/self/fd/\(name)", &target, target.count), 0)
        let text = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.contains("perf_event") { say("perf") }
    }
    say("end")

default:
    say("this program is part of TaskMeter's tests, and of no use by itself")
    exit(2)
}
