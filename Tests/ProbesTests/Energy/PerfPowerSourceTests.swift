import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite("perf's power PMU")
struct PerfPowerSourceTests {
    private let folder = "sys/bus/event_source/devices/power"

    /// Two packages of two dies' worth of processors, as the kernel describes them.
    private func tree(
        type: String = "9", cpumask: String = "0,18",
        events: [(String, String)] = [
            ("energy-cores", "0x01"), ("energy-pkg", "0x02"), ("energy-ram", "0x03"), ("energy-gpu", "0x04"),
            ("energy-psys", "0x05"),
        ], scale: String = "2.3283064365386962890625e-10"
    ) -> EnergyTree {
        let tree = EnergyTree()
        tree.folder.write(type + "\n", to: folder + "/type")
        tree.folder.write(cpumask + "\n", to: folder + "/cpumask")
        tree.folder.write("config:0-7\n", to: folder + "/format/event")
        for (name, code) in events {
            tree.folder.write("event=\(code)\n", to: "\(folder)/events/\(name)")
            tree.folder.write("Joules\n", to: "\(folder)/events/\(name).unit")
            tree.folder.write(scale + "\n", to: "\(folder)/events/\(name).scale")
        }
        for (processor, socket) in [(0, 0), (18, 1)] {
            tree.folder.write("\(socket)\n", to: "sys/devices/system/cpu/cpu\(processor)/topology/physical_package_id")
        }
        return tree
    }

    @Test("the description gives type, processors, codes and units")
    func description() throws {
        let (tree, bare) = (tree(), TemporaryFolder())
        let description = try #require(PerfPowerDescription(tree.files))
        #expect(description.type == 9 && description.processors == [0, 18])
        #expect(description.events.map(\.config) == [2, 3, 5, 1, 4])
        #expect(description.events.allSatisfy { $0.unit.count == 0x1p-32 })
        #expect(PerfPowerDescription(KernelFiles(root: bare.path)) == nil)
    }

    @Test("an event is placed where its format says")
    func configurations() {
        func config(_ text: String, _ formats: [String: String]) -> UInt64? {
            PerfPowerDescription.config(of: text) { formats[$0] }
        }
        #expect(config("event=0x02", ["event": "config:0-7"]) == 2)
        #expect(config("event=2,umask=0x1", ["event": "config:0-7", "umask": "config:8-15"]) == 0x102)
        #expect(config("event=0x02,edge", ["event": "config:0-7", "edge": "config:18"]) == 0x40002)
        #expect(config("event=0x100", ["event": "config:0-7"]) == nil, "it does not fit")
        #expect(config("event=1", ["event": "config1:0-7"]) == nil)
        #expect(config("event=x", ["event": "config:0-7"]) == nil && config("event=1", [:]) == nil)
    }

    @Test("packages are told apart by their processors, and the platform has one counter")
    func domains() {
        let tree = tree()
        let source = PerfPowerSource(tree.files) { _, _, _ in -ENOENT }
        #expect(
            source.find().domains.map(\.domain.label) == [
                "package-0", "package-1", "dram of package-0", "dram of package-1", "psys", "core of package-0",
                "core of package-1", "uncore of package-0", "uncore of package-1",
            ])
    }

    @Test("counts of several dies are not added up: they may be one register", arguments: [true, false])
    func dies(topologyIsTold: Bool) {
        let tree = tree(events: [("energy-pkg", "0x02"), ("energy-psys", "0x05")])
        for (processor, die) in [(0, 0), (18, 1)] {
            let topology = "sys/devices/system/cpu/cpu\(processor)/topology"
            if topologyIsTold {
                tree.folder.write("0\n", to: topology + "/physical_package_id")
                tree.folder.write("\(die)\n", to: topology + "/die_id")
            } else {
                unlink("\(tree.folder.path)/\(topology)/physical_package_id")
            }
        }
        let source = PerfPowerSource(tree.files) { _, _, _ in -ENOENT }
        let domains = source.find().domains
        #expect(domains.map(\.domain.label) == ["package-0-die-0", "package-0-die-1", "psys"])
        #expect(domains[1].absence?.reason?.contains("may not be read") == true)
        #expect(SteppedMeter(source).use(1).processors.energy.status == .denied)
    }

    @Test("reads go through a descriptor of three numbers, in units of 2⁻³² J")
    func reading() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(output) }
        func say(_ count: UInt64, _ enabled: UInt64, _ running: UInt64) {
            let numbers = [count, enabled, running]
            _ = numbers.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        }
        let tree = tree(cpumask: "0", events: [("energy-pkg", "0x02")])
        say(0, 0, 0)
        let stepped = SteppedMeter(
            PerfPowerSource(tree.files) { type, config, processor in
                type == 9 && config == 2 && processor == 0 ? input : -EINVAL
            })
        let second: UInt64 = 1_000_000_000
        say(5 << 32, 1000, 1000)
        let use = stepped.use(1) { say(70 << 32, second, second) }
        #expect(use.processors.energy.isMeasured(65) && use.domains.first?.source == "perf power PMU")
        say(70 << 32, second, second)
        let offline = stepped.use(1) { say(71 << 32, 2 * second, second + second / 4) }
        #expect(offline.processors.energy.isNotCounted("off-line"), "wanted for a second, counted for a quarter")
        say(71 << 32, 2 * second, 2 * second)
        let gone = stepped.use(1) { say(71 << 32, 2 * second, 2 * second) }
        #expect(gone.processors.energy.isNotCounted("off-line"), "a second passed for us, none for the counter")
    }

    @Test("the real kernel counts through the same path: the clock of processor 0 in joules of a second each")
    func realCounter() async throws {
        // perf's software event “cpu-clock” in nanoseconds, which stands where a machine with RAPL has “energy-pkg”.
        let tree = tree(type: "1", cpumask: "0", events: [("energy-pkg", "0x00")], scale: "1e-9")
        let source = PerfPowerSource(tree.files)
        guard case .found = source.find().state else {
            // Nobody may count here: that is told as denied, or as unsupported in a sandbox without perf_event_open.
            #expect(source.find().state.absence?.value == nil)
            return
        }
        let use = try await onOwnThread { () -> EnergyUse in
            let meter = EnergyMeter([source.find()], isShared: false, inBackground: false)
            let window = meter.begin()
            let begin = EnergyMoment.now()
            while EnergyMoment.now().awakeTime(since: begin) < .milliseconds(40) {}
            return meter.end(window)
        }
        let joules = try #require(use.processors.energy.value)
        let seconds = use.processors.lasted.seconds
        #expect(seconds >= 0.04 && abs(joules - seconds) < 0.02 * seconds, "\(joules) J in \(seconds) s")
    }

    @Test("each refusal has its words")
    func refusals() {
        let tree = tree()
        tree.folder.write("2\n", to: "proc/sys/kernel/perf_event_paranoid")
        let source = PerfPowerSource(tree.files)
        #expect(source.refusal(EACCES).reason?.contains("kernel.perf_event_paranoid is 2") == true)
        #expect(source.refusal(EACCES).remedy?.contains("/etc/sysctl.d/") == true, "for good, not until the next boot")
        #expect(source.refusal(EACCES).remedy?.contains("cap_perfmon") == true)
        #expect(
            source.refusal(EINVAL) == .unsupported(reason: "perf_event_open refuses the power PMU: Invalid argument"))
        tree.folder.write("Seccomp:\t2\n", to: "proc/self/status")
        #expect(source.refusal(EPERM).reason?.contains("seccomp") == true)
    }

    @Test("a kernel without the PMU says which module has it, a virtual machine does not")
    func absent() {
        let tree = EnergyTree()
        guard case .unsupported(_, let remedy) = PerfPowerSource(tree.files).find().state else {
            Issue.record("it is absent")
            return
        }
        #expect(remedy?.contains("modprobe rapl") == true)
        tree.folder.write("flags : hypervisor\n", to: "proc/cpuinfo")
        guard case .unsupported(let reason, _) = PerfPowerSource(tree.files).find().state else {
            Issue.record("it is absent")
            return
        }
        #expect(reason.contains("virtual machine"))
    }
}
