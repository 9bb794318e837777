import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite("The energy meter")
struct EnergyMeterTests {
    private func tree(_ microjoules: UInt64 = 1_000_000, range: String? = "262143328850") -> EnergyTree {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0", microjoules: "\(microjoules)", range: range)
        return tree
    }

    @Test("below 20 ms nothing is told, below 300 ms it is told with a doubt")
    func lengths() {
        let tree = tree()
        let stepped = SteppedMeter(PowercapSource(tree.files))
        #expect(
            stepped.use(0.0199) { tree.tick("intel-rapl:0", 2_000_000) }.processors.energy
                == .notCounted(reason: "19.9 ms are too short for the energy of package-0: it takes 20 ms at least"))
        let short = stepped.use(0.02) { tree.tick("intel-rapl:0", 3_000_000) }.processors
        #expect(short.energy.isMeasured(1))
        #expect(short.doubts == [.short(lasted: .milliseconds(20), trusted: .milliseconds(300))])
        #expect(stepped.use(0.3) { tree.tick("intel-rapl:0", 4_000_000) }.processors.doubts == [])
    }

    @Test("fewer than 100 steps of the counter are doubted")
    func steps() {
        let tree = tree()
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let coarse = stepped.use(1) { tree.tick("intel-rapl:0", 1_000_000 + 6042) }.processors
        #expect(coarse.energy.isMeasured(0.006042) && coarse.doubts == [.coarse(steps: 99)])
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 1_000_000 + 6042 + 6104) }.processors.doubts == [])
    }

    @Test("many rounds within one window are counted when it is sampled often enough")
    func rounds() {
        let tree = tree(range: "65532610987")
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let window = stepped.meter.begin()
        // 400 W for an hour: 1.44 MJ, 22 rounds.
        var register: UInt64 = 0
        for _ in 0..<120 {
            stepped.clock.pass(30)
            register += 12_000_000_000
            tree.tick("intel-rapl:0", (1_000_000 + register) % (65_532_610_987 + 15))
            stepped.meter.sample()
        }
        let use = stepped.meter.end(window)
        #expect(use.processors.energy.isMeasured(1_440_000))
        #expect(use.processors.power.isMeasured(400))
    }

    @Test("a gap in which it may have gone round twice is not told as energy")
    func ambiguous() {
        let tree = tree(range: "65532610987")
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let use = stepped.use(3600) { tree.tick("intel-rapl:0", 900_000_000) }
        #expect(use.processors.energy.isNotCounted("was not read for 60 min: it may have gone round more than once"))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 950_000_000) }.processors.energy.isMeasured(50))
    }

    @Test("a reset, or a driver that was loaded anew, leaves the window without a reading")
    func reset() {
        let tree = tree(100_000_000_000)
        let stepped = SteppedMeter(PowercapSource(tree.files))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 0) }.processors.energy.isNotCounted("was reset"))
        #expect(
            stepped.use(1) { tree.tick("intel-rapl:0", 200_000_000_000) }.processors.energy.isNotCounted(
                "than it can take"))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 200_001_000_000) }.processors.energy.isMeasured(1))
    }

    @Test("a loss in the middle of a window leaves it without a reading, and the windows around it with theirs")
    func lossInTheMiddle() {
        let tree = tree(100_000_000_000)
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let whole = stepped.meter.begin()
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 100_010_000_000) }.processors.energy.isMeasured(10))
        tree.tick("intel-rapl:0", 0)
        stepped.clock.pass(1)
        stepped.meter.sample()
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 20_000_000) }.processors.energy.isMeasured(20))
        #expect(stepped.meter.end(whole).processors.energy.isNotCounted("was reset"))
    }

    @Test("a machine that slept in a window has no energy for it")
    func suspended() {
        let tree = tree()
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let use = stepped.use(1) {
            stepped.clock.suspend(3600)
            tree.tick("intel-rapl:0", 2_000_000)
        }
        #expect(use.processors.energy.isNotCounted("suspended for 60 min"))
        #expect(stepped.use(1) { tree.tick("intel-rapl:0", 3_000_000) }.processors.energy.isMeasured(1))
    }

    @Test("a zone that cannot be read leaves the sum without a reading, never with a smaller one")
    func unreadable() {
        let tree = tree()
        tree.zone("intel-rapl:1", "package-1")
        let counter = tree.folder.path + "/sys/class/powercap/intel-rapl:1/energy_uj"
        // Memory at address 0 refuses each read, as a register does that cannot be read any more.
        #expect(unlink(counter) == 0 && symlink("/proc/self/mem", counter) == 0)
        let use = SteppedMeter(PowercapSource(tree.files)).use(1) { tree.tick("intel-rapl:0", 6_000_000) }
        #expect(use.energy("package-0")?.isMeasured(5) == true)
        #expect(use.processors.energy.reason?.contains("Input/output error") == true)
        #expect(use.processors.energy.value == nil)
    }

    @Test("windows overlap, and each has its own length")
    func overlapping() {
        let tree = tree()
        let stepped = SteppedMeter(PowercapSource(tree.files))
        let outer = stepped.meter.begin()
        let first = stepped.use(1) { tree.tick("intel-rapl:0", 11_000_000) }
        let second = stepped.use(3) { tree.tick("intel-rapl:0", 71_000_000) }
        let all = stepped.meter.end(outer)
        #expect(first.processors.energy.isMeasured(10) && second.processors.energy.isMeasured(60))
        #expect(second.processors.power.isMeasured(20))
        #expect(all.processors.energy.isMeasured(70) && all.processors.lasted == .seconds(4))
    }

    @Test("its own thread reads a counter twice a round, until it is stopped")
    func background() async throws {
        let tree = EnergyTree()
        // 500 J at 250 W at most: 2 s a round, read each second.
        tree.zone(
            "intel-rapl:0", "package-0", microjoules: "499000000", range: "500000000",
            extra: ["constraint_0_max_power_uw": "15000000"])
        let read = try await onOwnThread { () -> (seconds: Double, use: EnergyUse, after: EnergyUse) in
            let meter = EnergyMeter([PowercapSource(tree.files).find()], isShared: true)
            let (begin, window, before) = (EnergyMoment.now(), meter.begin(), meter.samples)
            tree.tick("intel-rapl:0", 1_000_000)
            while meter.samples == before { usleep(1000) }
            let use = meter.end(window)
            let open = meter.begin()
            let seconds = EnergyMoment.now().awakeTime(since: begin).seconds
            meter.stop()
            meter.stop()
            return (seconds, use, meter.end(open))
        }
        #expect(read.seconds >= 0.75, "no sooner than need be")
        #expect(read.use.isShared, "numbers go on on a machine of several, but say so")
        #expect(read.use.processors.energy.isMeasured(2.000001), "one count from the highest to zero")
        #expect(read.after.processors.energy.isNotCounted("stopped"))
    }

    @Test("perf's counters stand in where powercap may not be read, and no sum mixes both")
    func preference() {
        func found(_ kind: EnergyDomain.Kind, _ socket: Int, _ source: String, open: Bool) -> FoundDomain {
            let domain = EnergyDomain(kind, socket: socket, label: "\(kind.rawValue)-\(socket)")
            guard open else { return FoundDomain(domain, source: source, .none(.denied(reason: "r", remedy: "d"))) }
            let counter = WrappingCounter(unit: .microjoules(1), range: .endless, highestPower: Watts(500))
            return FoundDomain(domain, source: source, .open(StillReader(), .counter(counter), .processor))
        }
        func finding(_ source: String, _ domains: [FoundDomain]) -> EnergyFinding {
            EnergyFinding(source: source, domains: domains, otherwise: .unsupported(reason: "none", remedy: nil))
        }
        let chosen = EnergySelection.choose([
            finding(
                "powercap",
                [
                    found(.package, 0, "powercap", open: true), found(.package, 1, "powercap", open: false),
                    found(.dram, 0, "powercap", open: true),
                ]),
            finding(
                "perf",
                [
                    found(.package, 0, "perf", open: true), found(.package, 1, "perf", open: true),
                    found(.dram, 0, "perf", open: true),
                ]),
        ])
        #expect(chosen.filter { $0.domain.kind == .package }.map(\.source) == ["perf", "perf"])
        #expect(chosen.filter { $0.domain.kind == .dram }.map(\.source) == ["powercap"])
    }
}

/// A counter that stands still.
final class StillReader: EnergyReader {
    func read(at moment: EnergyMoment) -> EnergyReadout { .count(0) }
}
