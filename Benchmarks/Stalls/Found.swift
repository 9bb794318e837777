import Apparatus
import Dispatch
import StallMonitoring
import Statistics
import Synchronization
import TaskMeter

private let kind = Axis("watched", WatchedKind.allCases.map(\.rawValue))
private let length = Axis("stall-ms", [15, 40], full: [8, 100, 400])

private let recall = Metric("stalls_found", .count, "stalls found, of a hundred", .higherIsBetter)
private let error = Metric("length_error_max", .nanoseconds, "greatest error of a length")
private let outside = Metric("lengths_outside", .count, "lengths beyond their own uncertainty")
private let invented = Metric("stalls_invented", .count, "stalls that were none")
private let delay = Metric("notice_delay_max", .nanoseconds, "longest delay of a notice")

/// Stalls of known length, each at a moment of its own, between blocks that are short. A run loop stamps its own passes: every stall longer than
/// the threshold of 10 ms is found, and its length is exact. Of queues, actors and threads a beat tells, every 20 ms by default: one longer
/// than the threshold, the time between beats and a step together (37.5 ms) is found for certain, a shorter one by chance, and its length
/// is short by what had passed when the beat came.
///
/// A stall that falls into a time in which the monitor itself had no processor is left out: nobody can tell it from one of the machine.
let found = Benchmark(
    "found", "Injects stalls into something that is watched, and compares what the monitor found.",
    axes: [kind, length],
    observing: [recall, error, outside, invented, delay]
) { parameters in
    let kind = WatchedKind(rawValue: parameters[kind]) ?? .runLoop
    let length = Nanoseconds.milliseconds(Double(parameters[length]))
    let count = parameters.isQuick ? 3 : 5
    var generator = SplitMix64(seed: parameters.seed)
    // Beats must not fall into step with the stalls.
    let pauses = (0..<count).map { _ in Nanoseconds.milliseconds(30 + Double(generator.next(below: 20))) }
    return Observing { observer in
        let watched = try Watched(kind)
        let notices = Mutex<[Instant]>([])
        let clock = observer.clock
        let monitor = try StallMonitor(clock: clock) { stall in
            if stall.end == nil { notices.withLock { $0.append(clock.now()) } }
        }
        _ = watched.watch(monitor)
        let injected = Mutex<[(begin: Instant, end: Instant)]>([])
        for pause in pauses {
            let end = clock.now() + pause
            while clock.now() < end {
                watched.run {}
                nap(.milliseconds(2))
            }
            let done = DispatchSemaphore(value: 0)
            watched.run {
                let begin = clock.now()
                // Busy, for a sleeping thread would be woken by the signal that asks for its stack.
                while clock.now() < begin + length {}
                let end = clock.now()
                injected.withLock { $0.append((begin, end)) }
                done.signal()
            }
            guard done.wait(timeout: .now() + 20) == .success else { throw Lost() }
        }
        // The last stall is told when a look comes after its end.
        nap(.milliseconds(30))
        monitor.stop()
        let (stalls, gaps, truths) = (monitor.stalls, monitor.monitorGaps, injected.withLock { $0 })
        let judged = truths.filter { truth in !gaps.contains { $0.overlaps(truth.begin, truth.end) } }
        func matching(_ truth: (begin: Instant, end: Instant)) -> [Stall] {
            stalls.filter { $0.begin <= truth.end && ($0.end ?? truth.end) >= truth.begin }
        }
        observer.tell(
            invented,
            stalls.count { stall in
                !truths.contains { stall.begin <= $0.end && (stall.end ?? $0.end) >= $0.begin }
                    && !gaps.contains { $0.overlaps(stall.begin, stall.end ?? stall.begin) }
            })
        guard !judged.isEmpty else {
            for metric in [recall, error, outside, delay] {
                observer.tell(metric, unavailable: "the monitor had no processor during any of the stalls")
            }
            return watched.end()
        }
        let hits = judged.filter { !matching($0).isEmpty }
        observer.tell(recall, Double(hits.count * 100) / Double(judged.count))
        let errors = hits.compactMap { truth -> Nanoseconds? in
            guard let spent = matching(truth).first?.spent else { return nil }
            return Nanoseconds(abs((spent - (truth.end - truth.begin)).count))
        }
        // What a stall says of its length: from spent to spent and its uncertainty, and a millisecond for the machine's own.
        observer.tell(
            outside,
            hits.count { truth in
                guard let stall = matching(truth).first, let spent = stall.spent, let open = stall.uncertainty else {
                    return true
                }
                let length = truth.end - truth.begin
                return length < spent - .milliseconds(1) || length > spent + open + .milliseconds(1)
            })
        if let greatest = errors.max() {
            observer.tell(error, greatest)
        } else {
            observer.tell(error, unavailable: "none was found")
        }
        let delays = notices.withLock { $0 }.compactMap { notice in
            judged.last { $0.begin <= notice && notice <= $0.end }.map { notice - $0.begin }
        }
        if let longest = delays.max() {
            observer.tell(delay, longest)
        } else {
            observer.tell(delay, unavailable: "none was noticed while it lasted")
        }
        watched.end()
    }
}
.answering(Experiment("Which stalls does the monitor find?", comparing: kind, along: length, by: recall))
.trials(atMost: 6)

private struct Lost: Error, CustomStringConvertible { let description = "a block did not run" }
