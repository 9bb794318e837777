import Clocks
import Glibc
import Results

/// The clock that all moments are read from.
func monotonicClock(_ files: KernelFiles) -> Capability {
    let quality = ClockQuality(CLOCK_MONOTONIC)
    return Capability(
        "monotonic clock", for: "every moment that is recorded",
        monotonicClockState(source: clockSource(files), readCost: quality.readCost, text: quality.text))
}

/// A read that enters the kernel costs some hundred nanoseconds; one that does not, some ten.
package func monotonicClockState(source: Fact, readCost: Double, text: String) -> Capability.State {
    let detail = "source \(source), \(text)"
    guard readCost > 150 else { return .available(detail) }
    return .limited(
        "\(detail): it enters the kernel each time, and that is part of every short task",
        remedy: "if “tsc” is in /sys/devices/system/clocksource/clocksource0/available_clocksource, write it to "
            + "current_clocksource beside it")
}

/// The counter that moments are read from where it is sound.
func timeStampCounter() -> Capability {
    let state: Capability.State
    do {
        let selection = try ClockSelection()
        let quality = ClockQuality(selection.clock)
        let step = largestBackwardStep(selection.clock)
        let across =
            step.map { $0 == 0 ? ", in step on all processors" : ", up to \($0) ns apart between processors" } ?? ""
        state =
            selection.clock.ticks == nil
            ? .limited("not read, but the kernel's clock at some nanoseconds more: \(selection.reason)", remedy: nil)
            : .available("\(selection.reason); \(quality.text)\(across)")
    } catch {
        state = .unavailable(reason: "\(error)", remedy: nil)
    }
    return Capability("time-stamp counter", for: "moments at less cost than the kernel's clock", state)
}

/// The clocks of processor time.
func processorTime() -> Capability {
    let process = ClockQuality(CLOCK_PROCESS_CPUTIME_ID, reads: 2_000)
    let thread = ClockQuality(CLOCK_THREAD_CPUTIME_ID, reads: 2_000)
    return Capability(
        "processor time", for: "what a trial costs in time of processors",
        .available("of the process: \(process.text); of a thread: \(thread.text)"))
}
