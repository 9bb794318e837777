import CCounters
import Glibc
import Results

/// Counts every thread that this process starts from now on, and the calling one. Opened first of all, while there is no
/// other thread, it counts the whole process; later it would miss those that are there already, and refuses.
///
/// What a plan with the scope `.process` has proved is opened by this before a plan for threads is made: its proofs then find
/// the processor's counters that are left, and count no event in turns.
///
/// By the kernel itself: PAPI cannot do this where the processor has no counters. Sendable: any thread may read it.
package final class ProcessCounters: Sendable {
    package let events: [CounterEvent]
    /// Whether processes that this one starts are counted too: kernels before 5.13 know no other way.
    package let countsChildren: Bool
    private let groups: PerfGroups?
    private let refusal: Refusal?

    private enum Refusal: Hashable {
        case otherThreads(Int)
        case counters(CounterRefusal)
    }

    /// Opens and starts them. Opens nothing for an empty list.
    package init(_ events: [CounterEvent], units: [CoreUnit] = CoreUnit.ofHybrid()) {
        self.events = events
        let threads = KernelFiles().names(in: "/proc/self/task").count
        guard !events.isEmpty, threads <= 1 else {
            (groups, countsChildren) = (nil, false)
            refusal = events.isEmpty ? nil : .otherThreads(threads - 1)
            return
        }
        var last = CounterRefusal(events.first, .system(EINVAL))
        // Newest kernels first; each older one answers EINVAL to what it does not know.
        for flags in [CCOUNTERS_INHERIT_THREADS, CCOUNTERS_INHERIT] {
            for separately in [false, true] {
                do throws(CounterRefusal) {
                    groups = try PerfGroups(events, units: units, flags: Int(flags), separately: separately)
                    countsChildren = flags == CCOUNTERS_INHERIT
                    refusal = nil
                    return
                } catch {
                    last = error
                }
                if last.errno != EINVAL && last.errno != E2BIG { break }
            }
            if last.errno != EINVAL && last.errno != E2BIG { break }
        }
        (groups, countsChildren, refusal) = (nil, false, .counters(last))
    }

    /// What the counters read now: for `readings(from:to:)`.
    package struct Snapshot: Sendable {
        fileprivate var words: [UInt64]
        fileprivate var fault: CounterFault?
    }

    /// Reads them. Ended threads count; for those that run the kernel asks each processor.
    package func snapshot() -> Snapshot {
        guard let groups else { return Snapshot(words: [], fault: .ended) }
        var snapshot = Snapshot(words: [UInt64](repeating: 0, count: groups.layout.wordCount), fault: nil)
        snapshot.fault = snapshot.words.withUnsafeMutableBufferPointer { groups.read(into: $0) }
        return snapshot
    }

    /// What the process cost between two readings.
    package func readings(
        from begin: Snapshot, to end: Snapshot, _ surroundings: @autoclosure () -> CounterSurroundings
    ) -> CounterReadings {
        func all(_ reading: Reading) -> CounterReadings { CounterReadings(events, events.map { _ in reading }) }
        switch refusal {
        case .otherThreads(let count):
            return all(
                .unsupported(
                    reason: "its counter was opened when the process already had \(count) other "
                        + "\(count == 1 ? "thread" : "threads"), which it would not have counted"))
        case .counters(let refusal): return all(surroundings().reading(refusal))
        case nil: break
        }
        guard let groups else { return CounterReadings([], []) }
        if let fault = begin.fault ?? end.fault { return all(fault.reading) }
        return CounterReadings(events, groups.layout.readings(of: zip(end.words, begin.words).map { $0 &- $1 }))
    }
}
