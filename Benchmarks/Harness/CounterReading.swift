import CPAPI
import Glibc
import Probes
import Results
import TaskMeter

/// Who reads a running set of counters.
enum CounterReader: String {
    /// PAPI_read itself, called as a C program calls it.
    case papiItself = "PAPI_read"
    /// The same through TaskMeter.
    case papi = "papi"
    /// A group of the kernel, through TaskMeter.
    case perf = "perf"
}

/// Events that every machine counts which counts anything.
let countedEvents = ["page-faults", "context-switches", "task-clock"]

/// Whether counters can be read here. PAPI is not asked: making it ready would change what else this suite measures. It is
/// known to give up where the setting is 3.
func canCount() -> Bool {
    guard
        KernelFiles().number("/proc/sys/kernel/perf_event_paranoid").map({ $0 < 2 || isSuperuser && $0 != 3 }) ?? true,
        let events = try? CounterEvent.list(countedEvents), let set = try? PerfSource(units: []).start(events)
    else { return false }
    set.end()
    return true
}

private let isSuperuser = geteuid() == 0

/// Reads a set of counters that the measuring thread starts at its first iteration, and that ends with that thread.
///
/// Unchecked Sendable: one thread executes all iterations of a trial.
final class ReadCounters: @unchecked Sendable {
    private let start: () throws -> () -> Bool
    private var read: (() -> Bool)?

    init(_ reader: CounterReader) throws {
        let events = try CounterEvent.list(countedEvents)
        start = {
            let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16)
            switch reader {
            case .papiItself:
                let set = try startedSet(events)
                let values = UnsafeMutablePointer<CLongLong>.allocate(capacity: 16)
                return { PAPI_read(set, values) == PAPI_OK }
            case .papi:
                let set = try PAPISource().start(events)
                return { set.read(into: words) == nil }
            case .perf:
                let set = try PerfSource(units: []).start(events)
                return { set.read(into: words) == nil }
            }
        }
    }

    func iterate() throws {
        if read == nil { read = try start() }
        guard read?() == true else { throw RivalError(description: "the counters could not be read") }
    }
}

/// A set as the manual of PAPI makes one.
private func startedSet(_ events: [CounterEvent]) throws -> Int32 {
    if let refusal = PAPILibrary.shared.refusal { throw RivalError(description: refusal) }
    var set: Int32 = PAPI_NULL
    var answer = PAPI_create_eventset(&set)
    for event in events where answer == PAPI_OK {
        answer = PAPI_add_named_event(set, event.papiNames[0] + (event.domain == .user ? "" : ":u=1:k=1"))
    }
    if answer == PAPI_OK { answer = PAPI_start(set) }
    guard answer == PAPI_OK else { throw RivalError(description: "PAPI refuses the events: error \(answer)") }
    return set
}
