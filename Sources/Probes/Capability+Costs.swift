import ChildProcesses
import Clocks
import Results

/// What the kernel counts for threads and processes, read once around nothing.
func operatingSystemCosts() -> Capability {
    let clock = MonotonicClock()
    let thread = ThreadCosts()
    var rounds: [Int64] = []
    for _ in 0..<50 {
        let begin = clock.now()
        thread.begin()
        thread.end()
        rounds.append((clock.now() - begin).count)
    }
    thread.settle(.work, iterations: 1)
    var process = ProcessCosts()
    process.begin()
    process.end()
    // How the kernel splits processor time is told of long stretches only; that is no lack.
    let missing = (thread.readings + process.readings).filter { [.unsupported, .denied].contains($0.1.status) }
    let cost = "around a sample those of its thread take \(rounds.sorted()[rounds.count / 2]) ns"
    let name = "operating system"
    let purpose = "processor time, switches, faults, memory, input and output"
    guard let first = missing.first else { return Capability(name, for: purpose, .available(cost)) }
    return Capability(
        name, for: purpose,
        .limited(
            "\(cost); without \(missing.map(\.0.name).joined(separator: ", ")): \(first.1.reason ?? "")",
            remedy: first.1.remedy))
}

/// The kernel's own events, each tried on known work.
func softwareEvents() -> Capability {
    let name = "software events"
    let purpose = "page faults, switches and moves, by --counters"
    let names = ["page-faults", "context-switches", "cpu-migrations", "task-clock"]
    guard let events = try? CounterEvent.list(names) else {
        return Capability(name, for: purpose, .unavailable(reason: "their names are not known", remedy: nil))
    }
    let plan = CounterPlan(events)
    let counted = plan.groups.flatMap { $0 }.map(\.description).joined(separator: ", ")
    let through = plan.choice.map { ", through \($0.backend.rawValue): \($0.reason)" } ?? ""
    guard let lacking = plan.unavailable.first else {
        return Capability(name, for: purpose, .available(counted + through))
    }
    let reasons = plan.unavailable.map { "\($0.event): \($0.reading.reason ?? "")" }.joined(separator: "; ")
    return Capability(
        name, for: purpose,
        counted.isEmpty
            ? .unavailable(reason: reasons, remedy: lacking.reading.remedy)
            : .limited("\(counted)\(through); without \(reasons)", remedy: lacking.reading.remedy))
}

/// Whether allocations can be counted.
func allocations() -> Capability {
    let state: Capability.State
    do throws(AllocationsNotCounted) {
        _ = try AllocationLibrary.environment(forSuite: OwnProgram.path)
        state = .available("\(AllocationLibrary.fileName) is there; --allocations counts")
    } catch {
        state = .unavailable(reason: error.reading.reason ?? "", remedy: error.reading.remedy)
    }
    return Capability("allocations", for: "blocks, bytes, peak and leaks", state)
}

/// Each source of energy.
func energyCapabilities(_ files: KernelFiles) -> [Capability] {
    energySourceStates(files).filter { $0.source != "battery" }.map { source, state in
        let shown: Capability.State =
            switch state {
            case .found(let text): .available(text)
            case .unsupported(let reason, let remedy): .unavailable(reason: reason, remedy: remedy)
            case .denied(let reason, let remedy): .unavailable(reason: reason, remedy: remedy)
            }
        return Capability("energy by \(source)", for: "joules", shown)
    } + [battery(files)]
}
