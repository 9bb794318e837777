import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite struct CounterProofTests {
    private func outcome(
        _ name: String, _ script: FakeSource, _ surroundings: CounterSurroundings = .plain
    ) async throws -> CounterProof.Outcome {
        let event = try CounterEvent(name)
        return try await onOwnThread { CounterProof(script, surroundings).outcome(of: event) }
    }

    private func reading(_ outcome: CounterProof.Outcome) -> Reading? {
        if case .unavailable(let reading) = outcome { reading } else { nil }
    }

    @Test("a plausible count proves a counter")
    func plausible() async throws {
        // Half a million steps of two instructions, one of them a branch.
        #expect(
            try await outcome("instructions", FakeSource(steps: ["instructions": 1_000_050]))
                == .counts(CounterEvent("instructions")))
        #expect(
            try await outcome("branches", FakeSource(steps: ["branches": 500_010])) == .counts(CounterEvent("branches"))
        )
        #expect(
            try await outcome("page-faults", FakeSource(steps: ["page-faults": 64]))
                == .counts(CounterEvent("page-faults")))
        #expect(
            try await outcome("PAPI_L1_DCM", FakeSource(steps: ["PAPI_L1_DCM": 1]))
                == .counts(CounterEvent("PAPI_L1_DCM")))
    }

    @Test("a counter that can be opened and does not count is unsupported")
    func silent() async throws {
        let zero = reading(try await outcome("branches", FakeSource(steps: [:])))
        #expect(zero?.status == .unsupported && zero?.reason?.contains("counts nothing") == true)
        let virtual = reading(try await outcome("PAPI_L1_DCM", FakeSource(steps: [:]), .machine(isVirtual: true)))
        #expect(virtual?.reason?.contains("virtual machine") == true)
    }

    @Test(
        "a count that cannot be is not believed, too few as well as too many",
        arguments: [999_999, 3_000_000] as [UInt64])
    func implausible(_ count: UInt64) async throws {
        let reading = reading(try await outcome("instructions", FakeSource(steps: ["instructions": count])))
        #expect(reading?.status == .unsupported && reading?.reason?.contains("\(count)") == true)
    }

    @Test("a counter that has to take turns proves nothing, and neither does one that had none or cannot be read")
    func turns() async throws {
        let script = FakeSource(steps: ["instructions": 1_000_050], time: (1_000, 500))
        #expect(reading(try await outcome("instructions", script))?.status == .estimated)
        var never = script
        never.time = (1_000, 0)
        #expect(reading(try await outcome("instructions", never))?.status == .notCounted)
        var broken = script
        broken.fault = .system(EIO)
        #expect(reading(try await outcome("instructions", broken))?.status == .notCounted)
    }

    @Test("without the right to count the kernel a software event is counted in user mode, or denied with its remedy")
    func permissions() async throws {
        let script = FakeSource(
            steps: ["page-faults": 64], refusal: { $0[0].domain == .userAndKernel ? .system(EACCES) : nil })
        let narrower = try #require(try CounterEvent("page-faults").inUserModeOnly)
        #expect(try await outcome("page-faults", script) == .counts(narrower))
        let switches = reading(try await outcome("context-switches", script))
        #expect(switches?.remedy?.contains("kernel.perf_event_paranoid=1") == true)
    }

    @Test("what counts together is grouped by trying")
    func plan() async throws {
        let script = FakeSource(
            steps: [
                "instructions": 1_000_050, "cycles": 700_000, "branches": 600_000, "branch-misses": 40_000,
                "cache-misses": 0,
            ],
            refusal: { $0.count { !$0.isSoftware } > 2 ? .papi(-8) : nil })
        let all = try events("instructions", "cycles", "branches", "branch-misses", "cache-misses")
        let plan = try await onOwnThread { CounterPlan(all, CounterProof(script, .plain), nil) }
        #expect(plan.groups.map { $0.map(\.name) } == [["instructions", "cycles"], ["branches", "branch-misses"]])
        #expect(plan.unavailable.map(\.event.name) == ["cache-misses"])
    }
}

@Suite struct CounterRefusalTests {
    private func reading(_ name: String, _ cause: CounterRefusal.Cause, _ surroundings: CounterSurroundings)
        throws -> Reading
    {
        surroundings.reading(CounterRefusal(try CounterEvent(name), cause))
    }

    @Test("without counters of the processor every hardware event has the processor's reason, whoever refused it")
    func noProcessor() throws {
        let machine = CounterSurroundings.machine(isVirtual: true, processorErrno: ENOENT)
        let causes: [CounterRefusal.Cause] = [
            .system(ENOENT), .papi(-7), .unknownToPAPI(-7), .papiOff("off"), .noEncoding, .system(EACCES),
        ]
        for cause in causes {
            let reading = try reading("PAPI_L1_DCM", cause, machine)
            #expect(reading.status == .unsupported, "\(cause)")
            #expect(reading.reason?.contains("virtual machine has no performance counters") == true, "\(cause)")
        }
        #expect(try reading("page-faults", .noEncoding, machine).reason?.contains("PAPI only") == true)
    }

    @Test("where others count, a refusal is the event's own")
    func ownReason() throws {
        #expect(
            try reading("PAPI_L1_DCM", .papi(-7), .plain).reason == "this processor has no counter for “PAPI_L1_DCM”")
        #expect(try reading("PAPI_NONE", .unknownToPAPI(-18), .plain).reason?.contains("papi_avail") == true)
        #expect(try reading("PAPI_L1_DCM", .papiOff("PAPI is off"), .plain).reason == "PAPI is off")
        #expect(
            try reading("page-faults", .system(EINVAL), .plain).reason?.contains("this kernel does not count") == true)
        #expect(try reading("instructions", .alreadyRunning, .plain).status == .notCounted)
    }

    @Test("each lack of permission says who can grant it")
    func denials() throws {
        let strict = CounterSurroundings.machine(paranoid: 3, processorErrno: EACCES)
        for name in ["instructions", "page-faults", "context-switches"] {
            let reading = try reading(name, .system(EACCES), strict)
            #expect(reading.remedy == "sudo sysctl kernel.perf_event_paranoid=2", "\(name)")
        }
        let filtered = CounterSurroundings.machine(isFiltered: true, processorErrno: EPERM)
        for name in ["instructions", "page-faults"] {
            #expect(try reading(name, .papi(-15), filtered).remedy?.contains("PERFMON") == true, "\(name)")
        }
        let hidden = CounterSurroundings.machine(isFiltered: true, processorErrno: ENOSYS)
        for cause in [CounterRefusal.Cause.system(ENOSYS), .papi(-3)] {
            #expect(try reading("page-faults", cause, hidden).reason?.contains("hidden") == true)
        }
    }

    @Test("too few open files are told with a limit that can be had")
    func files() throws {
        let some = try reading("page-faults", .system(EMFILE), .machine(openFiles: (256, 4096)))
        #expect(some.reason?.contains("256") == true && some.remedy?.contains("ulimit -n 4096") == true)
        let none = try reading("instructions", .papi(-23), .machine(openFiles: (256, 256)))
        #expect(none.remedy?.contains("hard limit") == true)
        #expect(try reading("page-faults", .system(ENFILE), .plain).remedy?.contains("fs.file-max") == true)
    }
}
