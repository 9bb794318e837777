import CLinux
import FoundationEssentials
import Glibc
import Results

/// Which clock a person asks for.
package enum ClockChoice: String, Sendable, CaseIterable {
    /// The time-stamp counter where it is sound, else the kernel's clock.
    case automatic = "auto"
    /// The processor's time-stamp counter, also where the kernel does not trust it.
    case tsc
    /// `clock_gettime(CLOCK_MONOTONIC)`.
    case kernel
}

/// A processor that has no clock of the kind that was asked for, in a sentence.
package struct ClockError: Error, CustomStringConvertible {
    package var description: String
}

/// The clock of a run, and why it is this one.
///
/// The time-stamp counter is read directly where the kernel itself trusts it (it is the current clock source, and the
/// processor promises that it neither changes its rate nor stops) and where two calibrations against
/// `CLOCK_MONOTONIC` agree. It costs two thirds of the kernel's call, and both are the same counter underneath.
package struct ClockSelection: Sendable {
    package var clock: MonotonicClock
    package var reason: String

    /// Chooses; takes 20 ms where the counter comes into question.
    ///
    /// - Parameter text: the content of a file of the kernel, or nil where there is none.
    package init(
        _ choice: ClockChoice = .automatic,
        text: (String) -> String? = { try? String(contentsOfFile: $0, encoding: .utf8) }
    ) throws(ClockError) {
        let kernelClock = MonotonicClock()
        guard choice != .kernel else {
            self.init(clock: kernelClock, reason: "it was asked for")
            return
        }
        guard clinux_ticks() != 0 else {
            guard choice == .automatic else {
                throw ClockError(
                    description:
                        "this processor has no time-stamp counter; use --clock kernel, or leave the option out")
            }
            self.init(clock: kernelClock, reason: "this processor has no time-stamp counter")
            return
        }
        let objection = Self.objection(
            clockSource: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            cpuinfo: text("/proc/cpuinfo"))
        if let objection, choice == .automatic {
            self.init(clock: kernelClock, reason: objection)
            return
        }
        let first = Self.reading()
        usleep(10_000)
        let second = Self.reading()
        usleep(10_000)
        let third = Self.reading()
        switch Self.scale(first, second, third) {
        case .success(let scale):
            self.init(
                clock: MonotonicClock(origin: kernelClock.origin, ticks: scale),
                reason: objection.map { "it was asked for, though \($0)" }
                    ?? "the kernel trusts it, and two calibrations agree")
        case .failure(let error):
            guard choice == .automatic else { throw error }
            self.init(clock: kernelClock, reason: error.description)
        }
    }

    private init(clock: MonotonicClock, reason: String) {
        self.clock = clock
        self.reason = reason
    }

    /// Why the counter is not to be trusted; nil when it is.
    package static func objection(clockSource: String?, cpuinfo: String?) -> String? {
        let source = clockSource?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        guard source == "tsc" else {
            let found = source.map { "“\($0)”" } ?? "not known"
            return "the kernel's own clock source is \(found), not the time-stamp counter"
        }
        let flags = cpuinfo?.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        for flag in ["constant_tsc", "nonstop_tsc"] where !flags.contains(Substring(flag)) {
            return "the processor does not promise that its time-stamp counter is invariant (no \(flag))"
        }
        return nil
    }

    /// The scale on which three readings lie; a failure where the rate of the first two and of the last two differ.
    package static func scale(
        _ first: TickScale.Reading, _ second: TickScale.Reading, _ third: TickScale.Reading
    ) -> Result<TickScale, ClockError> {
        guard let early = TickScale(from: first, to: second), let late = TickScale(from: second, to: third),
            let whole = TickScale(from: first, to: third)
        else { return .failure(ClockError(description: "the time-stamp counter stands still or runs backwards")) }
        let difference = abs(Double(early.multiplier) / Double(late.multiplier) - 1) * 1e6
        // Each reading is right to some 20 ns of 10 ms: 2 in a million, and a busy machine is given some more.
        guard difference <= mostDisagreement else {
            return .failure(
                ClockError(
                    description:
                        "the time-stamp counter changed its rate by \(Int(difference)) parts per million between two calibrations"
                ))
        }
        return .success(whole)
    }

    private static let mostDisagreement = 100.0

    /// The counter and the kernel's clock at one moment: of some attempts the one that took the least time, and so was not
    /// interrupted.
    package static func reading() -> TickScale.Reading {
        var best = TickScale.Reading(ticks: 0, nanoseconds: 0)
        var least = Int64.max
        for _ in 0..<32 {
            let before = MonotonicClock.reading(CLOCK_MONOTONIC)
            let ticks = clinux_ticks()
            let after = MonotonicClock.reading(CLOCK_MONOTONIC)
            guard after - before < least else { continue }
            least = after - before
            best = TickScale.Reading(ticks: ticks, nanoseconds: before + least / 2)
        }
        return best
    }
}
