import Glibc
import Results

/// What the kernel counts for the calling thread, read around each batch of a sampled benchmark and added up.
///
/// One owner at a time. Who owns it is the thread that made it: on any other the readings would be of two threads; see
/// `BatchProbe`.
package final class ThreadCosts: BatchProbe {
    /// What was counted so far: the thread's life, or the sum of some brackets.
    struct Amounts {
        var processorTime: Int64 = 0
        var userTime: Int64 = 0
        var systemTime: Int64 = 0
        var voluntarySwitches: Int64 = 0
        var involuntarySwitches: Int64 = 0
        var minorFaults: Int64 = 0
        var majorFaults: Int64 = 0
        var runQueueWait: Int64 = 0

        static func += (left: inout Amounts, right: Amounts) {
            left.processorTime += right.processorTime
            left.userTime += right.userTime
            left.systemTime += right.systemTime
            left.voluntarySwitches += right.voluntarySwitches
            left.involuntarySwitches += right.involuntarySwitches
            left.minorFaults += right.minorFaults
            left.majorFaults += right.majorFaults
            left.runQueueWait += right.runQueueWait
        }
    }

    private let schedule = KeptFile("/proc/thread-self/schedstat", in: KernelFiles())
    private let scheduleRefusal: String?
    /// Switches of the thread when `wait` was read.
    private var switches: Int64 = -1
    private var wait: Int64 = 0
    private var opened = Amounts()
    private var pending = Amounts()
    private var sums = BatchSums(work: Amounts(), empty: Amounts())

    /// Made on the thread that will measure.
    package init() {
        if case .failure(let refusal) = schedule.text() {
            scheduleRefusal = refusal.text
        } else {
            scheduleRefusal = nil
        }
    }

    // hot path: no allocation, no lock, no call that can block
    package func begin() {
        // The processor time comes last here and first there: what the other readings cost is not in it.
        readUsage(&opened)
        opened.processorTime = Self.processorTime()
    }

    // hot path: no allocation, no lock, no call that can block
    package func end() {
        let processorTime = Self.processorTime()
        var now = Amounts()
        readUsage(&now)
        pending.processorTime += processorTime - opened.processorTime
        pending.userTime += now.userTime - opened.userTime
        pending.systemTime += now.systemTime - opened.systemTime
        pending.voluntarySwitches += now.voluntarySwitches - opened.voluntarySwitches
        pending.involuntarySwitches += now.involuntarySwitches - opened.involuntarySwitches
        pending.minorFaults += now.minorFaults - opened.minorFaults
        pending.majorFaults += now.majorFaults - opened.majorFaults
        pending.runQueueWait += now.runQueueWait - opened.runQueueWait
    }

    // hot path: no allocation, no lock, no call that can block
    package func settle(_ kind: BatchKind, iterations: Int) {
        switch kind {
        case .work:
            sums.work += pending
            sums.workIterations += iterations
        case .empty:
            sums.empty += pending
            sums.emptyIterations += iterations
        case .unmeasured: break
        }
        pending = Amounts()
    }

    /// `RUSAGE_THREAD` of getrusage(2), which the C library's headers keep from Swift.
    private static let callingThread: __rusage_who_t = 1

    // hot path: no allocation, no lock, no call that can block
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // hot path: no allocation, no lock, no call that can block
    private func readUsage(_ amounts: inout Amounts) {
        var usage = rusage()
        getrusage(Self.callingThread, &usage)
        amounts.userTime = usage.ru_utime.nanoseconds
        amounts.systemTime = usage.ru_stime.nanoseconds
        amounts.voluntarySwitches = Int64(usage.ru_nvcsw)
        amounts.involuntarySwitches = Int64(usage.ru_nivcsw)
        amounts.minorFaults = Int64(usage.ru_minflt)
        amounts.majorFaults = Int64(usage.ru_majflt)
        // A thread that was not switched has not waited: the file, which costs as much as all of the rest, is read only then.
        let switches = amounts.voluntarySwitches + amounts.involuntarySwitches
        if switches != self.switches {
            self.switches = switches
            if case .success(let waited?) = schedule.read({ $0.number(at: 1) }) { wait = waited }
        }
        amounts.runQueueWait = wait
    }

    package var readings: [(Metric, Reading)] {
        // What is left of work that is next to nothing may be below zero by what both vary; without those trials the median of the others
        // would be too high, as it would for times.
        // Of the empty batches only the time is subtracted, which is what reading costs: a switch or a fault in one of them is no
        // part of the others.
        let processorTime = Double(sums.work.processorTime) - sums.scale * Double(sums.empty.processorTime)
        let work = sums.work
        let split = TimeSplit.readings(user: Double(work.userTime), system: Double(work.systemTime))
        return [
            (.threadProcessorTime, .measured(processorTime)),
            (.threadUserTime, split.user), (.threadSystemTime, split.system),
            (.threadVoluntarySwitches, .measured(Double(work.voluntarySwitches))),
            (.threadInvoluntarySwitches, .measured(Double(work.involuntarySwitches))),
            (.threadMinorFaults, .measured(Double(work.minorFaults))),
            (.threadMajorFaults, .measured(Double(work.majorFaults))),
            (
                .threadRunQueueWait,
                scheduleRefusal.map { .unsupported(reason: $0) } ?? .measured(Double(work.runQueueWait))
            ),
        ]
    }
}

extension timeval {
    var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_usec) * 1_000 }
}
