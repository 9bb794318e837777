import Glibc
import Results

/// Proves that events are counted: starts them, does work that makes them happen, and reads a plausible count. What is
/// listed cannot always be opened, and what can be opened does not always count.
package struct CounterProof: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// It counts, in the domain that it now names.
        case counts(CounterEvent)
        case unavailable(Reading)
    }

    package var source: any CounterSource
    package var surroundings: CounterSurroundings

    package init(_ source: any CounterSource, _ surroundings: CounterSurroundings) {
        self.source = source
        self.surroundings = surroundings
    }

    /// Whether an event counts by itself. Takes a millisecond or so, on the calling thread.
    package func outcome(of event: CounterEvent) -> Outcome {
        do {
            guard let problem = try problem(of: [event]) else { return .counts(event) }
            return .unavailable(problem)
        } catch {
            // An unprivileged process may count itself, but not the kernel's part of it.
            if error.errno == EACCES || error.errno == EPERM, let narrower = event.inUserModeOnly, fit([narrower]) {
                return .counts(narrower)
            }
            return .unavailable(surroundings.reading(error))
        }
    }

    /// Whether events that count one by one also count together: all of the time, and each of them.
    package func fit(_ events: [CounterEvent]) -> Bool {
        do { return try problem(of: events) == nil } catch { return false }
    }

    /// What is wrong with what was counted of the work; nil if nothing is.
    private func problem(of events: [CounterEvent]) throws(CounterRefusal) -> Reading? {
        let set = try source.start(events)
        defer { set.end() }
        let work = KnownWork(for: events)
        let bracket = CounterBracket(set)
        bracket.open()
        let done = work.perform()
        bracket.close()
        if let fault = bracket.totals.fault { return fault.reading }
        for (event, reading) in zip(events, bracket.totals.readings) {
            guard case .measured(let count) = reading else { return reading }
            let plausible = work.plausible(event, after: done)
            guard plausible.contains(count) else { return disbelief(event, count, plausible) }
        }
        return nil
    }

    private func disbelief(_ event: CounterEvent, _ count: Double, _ plausible: ClosedRange<Double>) -> Reading {
        if count == 0 {
            let place = surroundings.circumstances.isVirtual ? "this virtual machine" : "this processor"
            return .unsupported(
                reason: "a counter of “\(event)” can be opened, but \(place) counts nothing of work that should show")
        }
        let side =
            count < plausible.lowerBound
            ? "at least \(Int(plausible.lowerBound))" : "at most \(Int(plausible.upperBound))"
        return .unsupported(
            reason:
                "a counter of “\(event)” read \(Int(count)) of known work, which makes \(side) happen: it is not to "
                + "be believed")
    }
}
