import Apparatus
import Dispatch
import Glibc
import TaskMeter

private let ways: [(name: String, mechanism: ResidentThread.Mechanism)] = [
    ("condition-variable", .conditionVariable), ("run-loop-source", .runLoopSource),
    ("run-loop-slices", .runLoopSlices),
]
private let mechanism = Axis("mechanism", ways.map(\.name))

private let latency = Metric("submit_to_run_p50", .nanoseconds, "median time from submission to the block")
private let perBlock = Metric("time_per_block", .nanoseconds, "time per block of a burst")
private let stopping = Metric("stop_time_p50", .nanoseconds, "median time of a stop")
private let memory = Metric("memory_per_thread", .bytes, "memory of a thread that waits")
private let descriptors = Metric("descriptors_per_thread", .count, "file descriptors of a thread")
private let idleShare = Metric("idle_time_per_second", .nanoseconds, "processor time of 50 idle threads in a second")

/// The three ways to keep a resident thread: a condition variable; a run loop with a source, for blocks that need `RunLoop.current`; a run loop
/// that is run in slices with a look at a flag between them, which outlives a lost wake-up and pays for that while nothing is to do.
let mechanisms = Benchmark(
    "resident-mechanisms", "Hands blocks to a resident thread, one at a time and in bursts, and stops 50 that wait.",
    axes: [mechanism], observing: [latency, perBlock, stopping, memory, descriptors, idleShare]
) { parameters in
    let name = parameters[mechanism]
    guard let mechanism = ways.first(where: { $0.name == name })?.mechanism else { throw Hang(what: name) }
    let isQuick = parameters.isQuick
    return Observing { observer in
        let clock = observer.clock
        let thread = ResidentThread(name: "measured", mechanism: mechanism)
        let done = DispatchSemaphore(value: 0)
        var waits: [Nanoseconds] = []
        for round in 0..<(isQuick ? 60 : 220) {
            nap(.microseconds(150))
            let moment = MomentBox()
            let submitted = clock.now()
            thread.submit {
                moment.note(clock.now())
                done.signal()
            }
            guard done.wait(timeout: .now() + 10) == .success else { throw Hang(what: "a block") }
            if round >= 20 { waits.append(moment.moment - submitted) }
        }
        observer.tell(latency, percentile: 0.5, of: waits)

        let burst = isQuick ? 1_000 : 10_000
        let begin = clock.now()
        for _ in 0..<burst { thread.submit {} }
        thread.submit { done.signal() }
        guard done.wait(timeout: .now() + 10) == .success else { throw Hang(what: "the burst") }
        observer.tell(perBlock, Double((clock.now() - begin).count) / Double(burst))
        thread.stop()

        let (residentBefore, openBefore) = (residentBytes(), openDescriptors())
        let threads = (0..<50).map { _ in ResidentThread(mechanism: mechanism) }
        for each in threads {
            each.submit { done.signal() }
            guard done.wait(timeout: .now() + 10) == .success else { throw Hang(what: "a thread's start") }
        }
        observer.tell(memory, Double(max(residentBytes() - residentBefore, 0)) / 50)
        observer.tell(descriptors, Double(openDescriptors() - openBefore) / 50)
        let (used, from) = (processorTime(), clock.now())
        nap(.milliseconds(isQuick ? 50 : 300))
        observer.tell(idleShare, Double((processorTime() - used).count) / (clock.now() - from).seconds)
        let stops = threads.map { each in
            let begin = clock.now()
            each.stop(.discard)
            return clock.now() - begin
        }
        observer.tell(stopping, percentile: 0.5, of: stops)
    }
}
.answering(
    Experiment("On what should a resident thread sleep?", comparing: mechanism, by: latency)
).trials(atMost: 7)

/// Resident memory, by the second number of `/proc/self/statm` (proc(5)).
private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}

private func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
