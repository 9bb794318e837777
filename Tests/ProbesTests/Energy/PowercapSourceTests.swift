import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite("Zones of powercap")
struct PowercapSourceTests {
    private func labels(_ tree: EnergyTree) -> [String] { meter(tree).domains.map(\.label).sorted() }
    private func meter(_ tree: EnergyTree) -> EnergyMeter { SteppedMeter(PowercapSource(tree.files)).meter }
    private func state(_ tree: EnergyTree) -> EnergyFinding.State { PowercapSource(tree.files).find().state }

    @Test(
        "zones are known by name",
        arguments: [
            ("package-0", EnergyDomain.Kind.package, 0, nil), ("package-15", .package, 15, nil),
            ("package-0-die-1", .package, 0, 1), ("package-10-die-12", .package, 10, 12),
            ("psys", .psys, nil, nil),
        ] as [(String, EnergyDomain.Kind, Int?, Int?)])
    func names(name: String, kind: EnergyDomain.Kind, socket: Int?, die: Int?) {
        #expect(EnergyDomain(zoneName: name) == EnergyDomain(kind, socket: socket, die: die, label: name))
    }

    @Test(
        "what is no known name is none",
        arguments: [
            "package", "package-", "package-x", "package-0-die", "package-0-core-1",
            "cpu", "", "package--1",
        ])
    func noNames(name: String) { #expect(EnergyDomain(zoneName: name) == nil) }

    @Test("a child belongs to the package around it")
    func child() {
        let dram = EnergyDomain(zoneName: "dram", parentName: "package-1-die-2")
        #expect(dram == EnergyDomain(.dram, socket: 1, die: 2, label: "dram of package-1-die-2"))
    }

    @Test("on a desktop the processor's joules are the package's alone")
    func desktop() {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0")
        tree.zone("intel-rapl:0:0", "core")
        tree.zone("intel-rapl:0:1", "uncore", microjoules: "5981")
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let use = stepped.use(10) {
            tree.tick("intel-rapl:0", 651_000_000)
            tree.tick("intel-rapl:0:0", 401_000_000)
        }
        #expect(use.processors.energy.isMeasured(650))
        #expect(use.total(.core).energy.isMeasured(400))
        #expect(use.total(.uncore).energy.isNotCounted("did not move in 10 s"), "what stands still is never 0 J")
        #expect(use.total(.dram).energy == .unsupported(reason: "this machine has no counter of dram"))
        #expect(use.processors.power.isMeasured(65))
        #expect(use.processors.doubts == [] && use.processors.lasted == .seconds(10))
    }

    @Test("two sockets with a platform between them are told apart by name, and each memory by its own range")
    func twoSockets() {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", microjoules: "262143000000")
        tree.zone("intel-rapl:0:0", "dram", microjoules: "65712000000", range: "65712999613")
        tree.zone("intel-rapl:1", "psys", microjoules: "60293987000000", range: "4294967295000000")
        tree.zone("intel-rapl:2", "package-1")
        tree.zone("intel-rapl:2:0", "dram", range: "65712999613")
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let use = stepped.use(10) {
            tree.tick("intel-rapl:0", 99_671_089)  // 0.328850 J to the highest, 61 µJ to zero, and 99.671089 J
            tree.tick("intel-rapl:0:0", 9_000_372)  // the same of its own range, in units of 15.3 µJ
            tree.tick("intel-rapl:1", 60_294_387_000_000)
            tree.tick("intel-rapl:2", 201_000_000)
            tree.tick("intel-rapl:2:0", 21_000_000)
        }
        #expect(use.processors.energy.isMeasured(300))
        #expect(use.processors.domain.label == "package-0, package-1")
        #expect(use.total(.dram).energy.isMeasured(30))
        #expect(use.total(.psys).energy.isMeasured(400), "apart from the packages, which are in it")
        #expect(use.total(.psys).doubts == [], "400 steps of 1 J")
        let short = stepped.use(2) { tree.tick("intel-rapl:1", 60_294_466_000_000) }
        #expect(short.total(.psys).doubts == [.coarse(steps: 79)])
    }

    @Test("the copy of a register in memory is no second package")
    func memoryMappedTwin() {
        let tree = EnergyTree()
        tree.zone("intel-rapl-mmio:0", "package-0", microjoules: "7")
        tree.zone("intel-rapl:0", "package-0")
        tree.zone("intel-rapl:1", "psys")
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let use = stepped.use(1) {
            tree.tick("intel-rapl:0", 4_930_000)
            tree.tick("intel-rapl-mmio:0", 3_780_000)
        }
        #expect(use.processors.energy.isMeasured(3.93))
    }

    @Test("the copy is taken where the register has no counter, or may not be read")
    func onlyTwin() {
        let tree = EnergyTree()
        tree.zone("intel-rapl-mmio:0", "package-0")
        tree.zone("intel-rapl:0", "package-0", microjoules: nil)
        let use = SteppedMeter(PowercapSource(tree.files)).use(1) { tree.tick("intel-rapl-mmio:0", 3_780_000) }
        #expect(use.processors.energy.isMeasured(2.78))
        #expect(use.domains.count == 1)
    }

    @Test("dies that show one register are one meter, dies with their own are two")
    func dies() {
        let mirrored = EnergyTree()
        mirrored.zone("intel-rapl:0", "package-0-die-0", microjoules: "68000000", range: "65532610987")
        mirrored.zone("intel-rapl:1", "package-0-die-1", microjoules: "68000120", range: "65532610987")
        #expect(labels(mirrored) == ["package-0-die-0"])
        let own = EnergyTree()
        own.zone("intel-rapl:0", "package-0-die-0", microjoules: "68000000")
        own.zone("intel-rapl:1", "package-0-die-1", microjoules: "91000000")
        own.zone("intel-rapl:2", "package-1-die-0", microjoules: "68000000")
        #expect(labels(own) == ["package-0-die-0", "package-0-die-1", "package-1-die-0"])
    }

    @Test("counts that agree once and part again are of two dies")
    func mirrors() {
        let counter = WrappingCounter(unit: .microjoules(1), range: .upTo(65_532_610_987), highestPower: Watts(200))
        #expect(EnergySelection.areMirrors([(1_000_000, 1_000_000), (2_000_000, 2_150_000)], counter))
        #expect(!EnergySelection.areMirrors([(1_000_000, 1_000_000), (2_000_000, 2_250_000)], counter))
        #expect(!EnergySelection.areMirrors([(1_250_000, 1_000_000), (2_000_000, 2_000_000)], counter))
    }

    @Test("on a processor of AMD the zone “core” is that of one core, and not told as a total")
    func amd() {
        let tree = EnergyTree()
        tree.vendor("AuthenticAMD")
        tree.zone("intel-rapl:0", "package-0", range: "65532610987")
        tree.zone("intel-rapl:0:0", "core", range: "65532610987")
        let use = SteppedMeter(PowercapSource(tree.files)).use(1) { tree.tick("intel-rapl:0", 226_000_000) }
        #expect(use.processors.energy.isMeasured(225))
        #expect(use.total(.core).energy.reason?.contains("one core") == true)
    }

    @Test("a package-15 and a zone with a letter for its index are zones like others")
    func oddNames() {
        let tree = EnergyTree()
        tree.folder.write("1\n", to: "sys/class/powercap/intel-rapl/enabled")
        tree.zone(
            "intel-rapl:0", "package-0", microjoules: "240422366267",
            extra: ["constraint_0_max_power_uw": "95000000", "constraint_1_max_power_uw": "0"])
        tree.zone(
            "intel-rapl:0:0", "core", microjoules: "118821284256", extra: ["constraint_0_max_power_uw": ""])
        tree.zone("intel-rapl:a", "package-10", microjoules: "240422366267")
        tree.zone("intel-rapl:f", "package-15")
        #expect(labels(tree) == ["core of package-0", "package-0", "package-10", "package-15"])
        let use = SteppedMeter(PowercapSource(tree.files)).use(1) {
            for zone in ["intel-rapl:0", "intel-rapl:a"] { tree.tick(zone, 240_432_366_267) }
            tree.tick("intel-rapl:f", 11_000_000)
        }
        #expect(use.processors.energy.isMeasured(30))
    }

    @Test("the highest power comes from what the cooling is made for, and the zone's parent stands in")
    func highestPower() throws {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", extra: ["constraint_0_max_power_uw": "350000000"])
        tree.zone("intel-rapl:0:0", "dram")
        tree.zone("intel-rapl:1", "package-1", extra: ["constraint_0_max_power_uw": "15000000"])
        tree.zone("intel-rapl:2", "package-2", extra: ["constraint_0_max_power_uw": "0"])
        let limits = PowercapSource(tree.files).find().domains.compactMap { found -> Double? in
            guard case .open(_, .counter(let counter), _) = found.access else { return nil }
            return counter.highestPower.count
        }
        #expect(limits == [1400, 250, 1000, 1400], "packages 0, 1 and 2, and the memory of package 0")
    }

    @Test("a machine whose range is 0 counts what rises, and says why it does not what fell", arguments: ["0", nil])
    func noRange(range: String?) {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", range: range)
        let stepped = SteppedMeter(PowercapSource(tree.files))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 21_000_000) }.processors.energy.isMeasured(20))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 5) }.processors.energy.isNotCounted("max_energy_range_uj"))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 5_000_005) }.processors.energy.isMeasured(5))
    }

    @Test("other drivers' zones stand apart under their own names")
    func otherDrivers() {
        let tree = EnergyTree()
        tree.zone("dtpm:0:0", "cpu0-cpufreq", microjoules: nil, extra: ["power_uw": "5"])
        tree.zone("arm-scmi:0", "big")
        #expect(labels(tree) == ["arm-scmi big"])
        let use = SteppedMeter(PowercapSource(tree.files)).use(1) { tree.tick("arm-scmi:0", 3_000_000) }
        #expect(use.energy("arm-scmi big")?.isMeasured(2) == true)
        #expect(use.processors.energy.value == nil)
    }

    @Test("links that lead nowhere are a container's mask, and somebody can take it away")
    func masked() {
        let tree = EnergyTree()
        tree.link("intel-rapl", to: "../../devices/virtual/powercap/intel-rapl")
        tree.link("intel-rapl:0", to: "../../devices/virtual/powercap/intel-rapl/intel-rapl:0")
        guard case .denied(let reason, let remedy) = state(tree) else {
            Issue.record("\(state(tree))")
            return
        }
        #expect(reason.contains("lead nowhere") && remedy.contains("/sys/devices/virtual/powercap"))
        let use = SteppedMeter(PowercapSource(tree.files)).use(1)
        #expect(use.processors.energy.status == .denied)
    }

    @Test("no zones are told as a virtual machine's lot, or as a missing module")
    func none() {
        let bare = EnergyTree()
        guard case .unsupported(let reason, let remedy) = state(bare) else {
            Issue.record("\(state(bare))")
            return
        }
        #expect(
            reason.contains("no zones in /sys/class/powercap") && remedy?.contains("modprobe intel_rapl_msr") == true)
        let guest = EnergyTree()
        guest.folder.write("flags : fpu hypervisor\n", to: "proc/cpuinfo")
        guard case .unsupported(let guestReason, _) = state(guest) else {
            Issue.record("\(state(guest))")
            return
        }
        #expect(guestReason.contains("virtual machine"))
        #expect(
            SteppedMeter(PowercapSource(guest.files)).use(1).processors.energy == .unsupported(reason: guestReason))
    }

    @Test(
        "a counter that holds no number is unsupported, and not zero",
        arguments: ["", "none", "-5", "99999999999999999999"])
    func noNumber(text: String) {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", microjoules: text)
        guard case .unsupported(let reason, _) = state(tree) else {
            Issue.record("\(state(tree))")
            return
        }
        #expect(reason == "/sys/class/powercap/intel-rapl:0/energy_uj holds no number")
    }

    @Test("the kernel's own error is told: reading memory at address 0 is an input/output error")
    func inputOutputError() {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", microjoules: nil)
        #expect(symlink("/proc/self/mem", tree.folder.path + "/sys/class/powercap/intel-rapl:0/energy_uj") == 0)
        #expect(
            state(tree)
                == .unsupported(
                    reason: "/sys/class/powercap/intel-rapl:0/energy_uj: Input/output error", remedy: nil))
    }
}
