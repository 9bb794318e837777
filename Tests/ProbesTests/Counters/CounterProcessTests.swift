import ChildProcesses
import FoundationEssentials
import Glibc
import Probes
import Results
import TestSupport
import Testing

/// What a process of its own says of its counters.
private func told(_ arguments: String...) async throws -> [String] {
    let path = String(HelperProcess.path.dropLast("Helper".count)) + "CounterHelper"
    let output = try await onOwnThread { try ChildProcess.run(path, arguments) }
    try #require(output.status == .exited(0), "\(output.status): \(output.errors)")
    return output.text.split(separator: "\n").map(String.init)
}

private let isSuperuser = geteuid() == 0

@Suite struct CounterProcessTests {
    private let all = ["instructions", "PAPI_L1_DCM", "page-faults", "context-switches", "task-clock"]

    @Test(
        "an ordinary user counts user mode, and is told what the rest needs",
        .enabled(if: isSuperuser, "only the superuser can become another user"),
        .enabled(if: KernelFiles().number("/proc/sys/kernel/perf_event_paranoid") == 2, "the setting is not 2 here"))
    func ordinaryUser() async throws {
        let lines = try await told("as-user", "65534", "page-faults", "context-switches", "task-clock")
        #expect(lines.contains("counts page_faults_user task_clock"), "\(lines)")
        let switches = try #require(lines.first { $0.hasPrefix("context_switches ") })
        #expect(switches.contains("denied") && switches.contains("kernel.perf_event_paranoid=1"), "\(switches)")
    }

    @Test("behind a filter that forbids counters every event is denied, and the container's remedy is told")
    func forbidden() async throws {
        let lines = try await told("filtered", "\(EPERM)", all[0], all[1], all[2], all[3], all[4])
        #expect(!lines.contains { $0.hasPrefix("counts") }, "\(lines)")
        #expect(
            lines.count { $0.contains("denied: the container's seccomp filter") && $0.contains("PERFMON") } == 5,
            "\(lines)")
    }

    @Test("behind a filter that hides counters no event is supported")
    func hidden() async throws {
        let lines = try await told("filtered", "\(ENOSYS)", all[0], all[1], all[2], all[3], all[4])
        #expect(!lines.contains { $0.hasPrefix("counts") }, "\(lines)")
        #expect(lines.count { $0.contains("unsupported: perf_event_open is hidden") } == 5, "\(lines)")
    }

    @Test("with no file left to open every event is denied; with few of them PAPI is left alone")
    func files() async throws {
        let none = try await told("with-files", "3", "page-faults", "task-clock")
        #expect(none.count { $0.contains("denied: the process has no file descriptor of its 3 left") } == 2, "\(none)")
        let few = try await told("with-files", "12", "page-faults", "task-clock")
        #expect(few.first?.contains("too few file descriptors left to make PAPI ready") == true, "\(few)")
    }

    @Test(
        "threads beyond the limit of open files make a reason, not a crash",
        .enabled(if: ContractSource.refusal == nil, "\(ContractSource.refusal ?? "")"))
    func threads() async throws {
        let lines = try await told("threads-with-files", "7", "page-faults")
        let counts = lines[0].split(separator: " ").compactMap { Int($0) }
        #expect(counts.count == 2 && counts[0] > 0 && counts[1] > 0 && counts.reduce(0, +) == 8, "\(lines)")
        #expect(lines[1].hasPrefix("denied"), "\(lines)")
    }

    @Test(
        "where PAPI gives up for kernel.perf_event_paranoid=3 the kernel is asked itself",
        .enabled(if: isSuperuser, "only the superuser can show a process another file"),
        .enabled(if: ContractSource.refusal == nil, "\(ContractSource.refusal ?? "")"))
    func paranoid() async throws {
        let folder = TemporaryFolder()
        let lines = try await told(
            "as-if-paranoid", folder.write("3\n", to: "three"), "page-faults", "context-switches")
        guard lines != ["no superuser"] else { return }
        #expect(lines.contains("counts page_faults context_switches"), "\(lines)")
        #expect(lines[0].hasPrefix("choice perf_event_open: "), "\(lines)")
    }

    @Test(
        "counters opened before any other thread count them all, and no other process",
        .enabled(if: ContractSource.refusal == nil, "\(ContractSource.refusal ?? "")"))
    func process() async throws {
        let lines = try await told("process", "1000", "page-faults", "context-switches")
        let faults = try #require(lines[0].split(separator: " ").first.flatMap { Double($0) })
        // 1,000 pages on each of three threads, and what a new thread costs.
        #expect(faults >= 3_000 && faults < 3_100, "\(lines)")
        let later = lines[1].split(separator: " ")
        let others = try #require(Double(later[0]))
        if later[1] == "false" { #expect(others < 100, "\(lines)") }
    }

    @Test("counters of the process that come too late say so")
    func late() async throws {
        let counters = ProcessCounters(try events("page-faults"))
        let snapshot = counters.snapshot()
        let reading = counters.readings(from: snapshot, to: counters.snapshot(), .plain).readings[0]
        #expect(reading.status == .unsupported && reading.reason?.contains("other thread") == true)
    }

    @Test("nothing asked for opens nothing, and leaves PAPI alone")
    func nothing() async throws {
        #expect(try await told("nothing", "-") == ["0 false 0", "end"])
    }

    @Test("reading counters allocates nothing", arguments: ["PAPI", "perf_event_open"])
    func allocations(_ source: String) async throws {
        let words = try await told("count-allocations", source, "page-faults", "task-clock")[0].split(separator: " ")
        guard words.last != "-1" else { return }
        #expect(words.first == "0", "\(words)")
    }
}

private func output(of command: String) async throws -> String? {
    let result = try await onOwnThread { try ChildProcess.run("/bin/sh", ["-c", command]) }
    return result.status == .exited(0) ? result.text + result.errors : nil
}

private func isInstalled(_ program: String) -> Bool { ChildProcess.executable(named: program) != nil }

@Suite struct CounterOracleTests {
    @Test(
        "what papi_avail can count of the processor's presets we can, and nothing where it finds none",
        .enabled(if: isInstalled("papi_avail"), "papi_avail is not installed"))
    func papi() async throws {
        let text = try #require(try await output(of: "papi_avail -c"))
        let plan = try await onOwnThread { CounterPlan(try events("PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L1_DCM")) }
        if text.contains("No events detected") {
            #expect(plan.groups.isEmpty)
            #expect(plan.unavailable.allSatisfy { $0.reading.value == nil && $0.reading.reason != nil })
        } else {
            // It lists what can be added; it does not prove that it counts.
            for group in plan.groups {
                for event in group { #expect(event.papiNames.contains { text.contains($0) }, "\(event)") }
            }
        }
    }

    @Test(
        "perf stat supports the events that we do, and no others",
        .enabled(if: isInstalled("perf"), "perf is not installed"),
        arguments: [
            "instructions", "cycles", "branches", "branch-misses", "page-faults", "context-switches", "task-clock",
        ])
    func perf(_ name: String) async throws {
        guard let text = try await output(of: "perf stat -x, -e \(name) true 2>&1") else { return }
        let event = try CounterEvent(name)
        let plan = try await onOwnThread { CounterPlan([event]) }
        #expect(text.contains("<not supported>") == plan.groups.isEmpty, "\(text)")
    }

    @Test("this virtual machine's lack of counters is told in words that fit it")
    func words() async throws {
        let surroundings = CounterSurroundings.current()
        guard surroundings.processorErrno == ENOENT, surroundings.circumstances.isVirtual else { return }
        let plan = try await onOwnThread { CounterPlan(try events("instructions", "PAPI_L1_DCM")) }
        #expect(plan.groups.isEmpty && plan.unavailable.count == 2)
        for missing in plan.unavailable {
            #expect(missing.reading.status == .unsupported)
            #expect(missing.reading.reason?.hasPrefix("this virtual machine has no performance counters") == true)
        }
    }
}
