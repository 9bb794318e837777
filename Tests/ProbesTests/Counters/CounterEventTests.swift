import Probes
import Results
import Testing

@Suite struct CounterEventTests {
    @Test("different names of an event are one event")
    func names() throws {
        let names = [
            "instructions", "INSTRUCTIONS", "TOT_INS", "PAPI_TOT_INS", "perf::INSTRUCTIONS",
            "perf::PERF_COUNT_HW_INSTRUCTIONS",
        ]
        #expect(try CounterEvent.list(names) == [CounterEvent("instructions")])
        let switches = [
            "context-switches", "perf::CONTEXT-SWITCHES", "perf::CS", "perf::PERF_COUNT_SW_CONTEXT_SWITCHES",
            "perf::CONTEXT-SWITCHES:u=1:k=1",
        ]
        #expect(try CounterEvent.list(switches) == [CounterEvent("context-switches")])
    }

    // linux/perf_event.h: PERF_TYPE_…, PERF_COUNT_HW_…, PERF_COUNT_SW_….
    @Test(
        "the kernel is asked for events by the numbers of its header",
        arguments: [
            ("cycles", 0, 0), ("instructions", 0, 1), ("cache-references", 0, 2), ("cache-misses", 0, 3),
            ("branches", 0, 4), ("branch-misses", 0, 5), ("ref-cycles", 0, 9), ("cpu-clock", 1, 0),
            ("task-clock", 1, 1), ("page-faults", 1, 2), ("context-switches", 1, 3), ("cpu-migrations", 1, 4),
            ("minor-faults", 1, 5), ("major-faults", 1, 6), ("cgroup-switches", 1, 11),
            ("l1d-load-misses", 3, 0x10000), ("llc-load-misses", 3, 0x10002), ("dtlb-load-misses", 3, 0x10003),
        ])
    func numbers(_ name: String, _ type: UInt32, _ config: UInt64) throws {
        let event = try CounterEvent(name)
        #expect(event.perf == PerfEncoding(type: type, config: config))
        #expect(event.isSoftware == (type == 1))
    }

    @Test(
        "a name in files is of small letters, digits and underscores",
        arguments: [
            ("branch-misses", "branch_misses"), ("PAPI_L1_DCM", "papi_l1_dcm"), ("L1_DCM", "papi_l1_dcm"),
            ("perf::BRANCH-LOADS", "perf_branch_loads"), ("TOT_CYC", "cycles"),
            ("skx::MEM_LOAD_RETIRED:L1_MISS", "skx_mem_load_retired_l1_miss"),
        ])
    func metricNames(_ name: String, _ expected: String) throws {
        #expect(try CounterEvent(name).metricName == expected)
        #expect(try CounterEvent(name).metric(.thread).name == expected)
        #expect(try CounterEvent(name).metric(.process).name == "process_" + expected)
    }

    @Test("clocks are in nanoseconds, everything else is a plain number")
    func units() throws {
        for event in CounterEvent.known {
            #expect(event.unit == (["task-clock", "cpu-clock"].contains(event.name) ? "ns" : "1"))
        }
    }

    @Test("software events are counted with the kernel, hardware events in user mode")
    func domains() throws {
        for event in CounterEvent.known where !event.isClock {
            #expect(event.domain == (event.isSoftware ? .userAndKernel : .user), "\(event)")
        }
    }

    @Test("a count without its kernel part has a name of its own; of what happens only there nothing would be left")
    func narrower() throws {
        let faults = try #require(try CounterEvent("page-faults").inUserModeOnly)
        #expect(faults.metricName == "page_faults_user" && faults.description.contains("user mode only"))
        #expect(try CounterEvent("context-switches").inUserModeOnly == nil)
        #expect(try CounterEvent("cpu-migrations").inUserModeOnly == nil)
        #expect(try CounterEvent("instructions").inUserModeOnly == nil)
    }

    @Test(
        "what would be counted wrong, or is no event, is refused with what to write instead",
        arguments: [
            ("perf::INSTRUCTIONS:k", ":k=1"), ("perf::INSTRUCTIONS:u:k", ":u=1"), ("perf::CYCLES:cpu=0", "a processor"),
            ("perf::CONTEXT-SWITCHES:u=1", "“context-switches”"), ("instrutions", "instructions, cycles"),
            ("", "known"),
        ])
    func refused(_ name: String, _ words: String) {
        let error = #expect(throws: CounterNameError.self) { try CounterEvent(name) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("two events of the same name in files are refused")
    func twins() {
        #expect(throws: CounterNameError.self) { try CounterEvent.list(["a::B-C", "a::B_C"]) }
    }
}
