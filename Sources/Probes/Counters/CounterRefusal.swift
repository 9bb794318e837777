import CPAPI
import Glibc
import Results

/// Why counters could not be started.
package struct CounterRefusal: Error, Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// An errno of perf_event_open(2) or of what follows it.
        case system(Int32)
        case papi(Int32)
        /// PAPI knows none of its names; with its answer to the last one.
        case unknownToPAPI(Int32)
        case papiOff(String)
        /// Only PAPI knows it by name.
        case noEncoding
        /// PAPI lets a thread run one set at a time.
        case alreadyRunning
    }

    /// The event that was refused, where it was one.
    package var event: CounterEvent?
    package var cause: Cause

    package init(_ event: CounterEvent?, _ cause: Cause) {
        self.event = event
        self.cause = cause
    }

    /// What the kernel had answered: PAPI passes it on under numbers of its own.
    package var errno: Int32? {
        switch cause {
        case .system(let number): number
        case .papi(PAPI_ENOEVNT): ENOENT
        case .papi(PAPI_EPERM): EPERM
        case .papi(PAPI_ECOUNT): EMFILE
        case .papi(PAPI_ENOMEM): ENOMEM
        case .papi(PAPI_ENOSUPP): EOPNOTSUPP
        case .papi, .unknownToPAPI, .papiOff, .noEncoding, .alreadyRunning: nil
        }
    }

    /// Whether more events were asked for than can count at once, none of which need be wrong by itself.
    package var isOfTooMany: Bool {
        switch cause {
        case .papi(PAPI_ECNFLCT), .papi(PAPI_ECOUNT): true
        case .system(EINVAL), .system(ENOSPC): true
        default: false
        }
    }
}

/// What bears upon the meaning of refusals: facts of this machine and this process.
package struct CounterSurroundings: Sendable {
    package var circumstances: CounterCircumstances
    /// What trying a counter of instructions answered: 0 where the processor's counters count.
    package var processorErrno: Int32
    /// How many files this process may have open, and might if it asked for it; nil for no limit.
    package var openFiles: (soft: Int?, hard: Int?)

    package init(
        circumstances: CounterCircumstances, processorErrno: Int32, openFiles: (soft: Int?, hard: Int?) = (nil, nil)
    ) {
        self.circumstances = circumstances
        self.processorErrno = processorErrno
        self.openFiles = openFiles
    }

    /// Those of this process, tried out just now.
    package static func current(_ files: KernelFiles = KernelFiles()) -> CounterSurroundings {
        CounterSurroundings(
            circumstances: .current(files), processorErrno: triedInstructions(), openFiles: openFilesLimit())
    }

    /// What a refusal makes of the event's value.
    package func reading(_ refusal: CounterRefusal) -> Reading {
        let name = refusal.event.map { "“\($0)”" } ?? "the event"
        if let number = refusal.errno {
            if number == EMFILE || number == ENFILE { return noDescriptor(number) }
            // Where no counter of the processor counts, that is the reason for each of them, whatever its source said.
            if lacksProcessor(refusal) {
                return reading(hardwareCounterState(errno: processorErrno, circumstances), of: processorErrno)
            }
            if refusal.event?.isSoftware == true { return softwareReading(number, refusal.event!) }
            if number == ENOENT || number == EOPNOTSUPP || number == EINVAL {
                return .unsupported(reason: "this processor has no counter for \(name)")
            }
            return reading(hardwareCounterState(errno: number, circumstances), of: number)
        }
        switch refusal.cause {
        case .alreadyRunning:
            return .notCounted(reason: "other counters of PAPI already ran for this thread, which may have one set")
        // PAPI's one word for many answers of the kernel; what it said to the trial counter says more.
        case .papi(PAPI_ESYS) where processorErrno == ENOSYS:
            return reading(hardwareCounterState(errno: ENOSYS, circumstances), of: ENOSYS)
        // Of a processor without counters PAPI may know no event at all.
        case .unknownToPAPI where lacksProcessor(refusal), .papiOff where lacksProcessor(refusal),
            .noEncoding where lacksProcessor(refusal):
            return reading(hardwareCounterState(errno: processorErrno, circumstances), of: processorErrno)
        case .papi(let code): return .unsupported(reason: "PAPI refused \(name) (\(PAPILibrary.text(code)))")
        case .unknownToPAPI:
            return .unsupported(
                reason:
                    "PAPI knows no event \(name) on this processor; papi_avail and papi_native_avail list those that "
                    + "it knows")
        case .papiOff(let reason): return .unsupported(reason: reason)
        case .noEncoding:
            return .unsupported(reason: "\(name) can be counted through PAPI only, which does not count here")
        case .system: return .unsupported(reason: "\(name) was refused")
        }
    }

    /// Whether an event needs the processor's counters where none counts.
    private func lacksProcessor(_ refusal: CounterRefusal) -> Bool {
        refusal.event?.isSoftware == false && processorErrno != 0
    }

    private func noDescriptor(_ number: Int32) -> Reading {
        guard number == EMFILE else {
            return .denied(
                reason: "the system has no file descriptor left for a counter",
                remedy: "raise fs.file-max, or end programs that hold many files open")
        }
        let limit = openFiles.soft.map { " of its \($0)" } ?? ""
        let more = openFiles.hard.map { "ulimit -n \($0)" } ?? "ulimit -n 65536"
        return .denied(
            reason: "the process has no file descriptor\(limit) left for a counter, of which each event takes one "
                + "on each thread",
            remedy: openFiles.soft != nil && openFiles.soft == openFiles.hard
                ? "ask the administrator for a higher hard limit of open files, or count fewer events"
                : "allow more open files with “\(more)”, or count fewer events")
    }

    /// Software events are always there where the kernel has performance events at all.
    private func softwareReading(_ number: Int32, _ event: CounterEvent) -> Reading {
        let mayOpen = (circumstances.paranoid ?? 2) <= 2
        if (number == EACCES || number == EPERM) && mayOpen && event.domain == .userAndKernel
            && !(number == EPERM && circumstances.isFiltered)
        {
            let setting = circumstances.paranoid.map { " (kernel.perf_event_paranoid is \($0))" } ?? ""
            return .denied(
                reason: "“\(event)” happens in the kernel, whose events are not for ordinary users here\(setting)",
                remedy: "sudo sysctl kernel.perf_event_paranoid=1, or run with the capability CAP_PERFMON")
        }
        if number == ENOENT || number == EINVAL || number == EOPNOTSUPP {
            return .unsupported(reason: "this kernel does not count “\(event)”")
        }
        return reading(hardwareCounterState(errno: number, circumstances), of: number)
    }

    private func reading(_ state: Capability.State, of number: Int32) -> Reading {
        guard case .unavailable(let reason, let remedy) = state else {
            return .unsupported(reason: "refused (\(errnoText(number)))")
        }
        guard let remedy else { return .unsupported(reason: reason) }
        // Nobody needs to allow what is not there; what to do instead is still worth telling.
        return number == EACCES || number == EPERM
            ? .denied(reason: reason, remedy: remedy) : .unsupported(reason: "\(reason); \(remedy)")
    }
}
