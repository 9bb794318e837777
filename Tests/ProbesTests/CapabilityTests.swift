import Glibc
import Probes
import Results
import TestSupport
import Testing

extension Capability.State {
    fileprivate var isAvailable: Bool { if case .available = self { true } else { false } }
    fileprivate var isLimited: Bool { if case .limited = self { true } else { false } }
    fileprivate var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
    fileprivate var text: String {
        switch self {
        case .available(let detail): detail
        case .limited(let detail, let remedy): detail + "; " + (remedy ?? "")
        case .unavailable(let reason, let remedy): reason + "; " + (remedy ?? "")
        }
    }
}

@Suite struct CapabilityTests {
    @Test("this machine's capabilities have names that differ, and none has an empty text")
    func real() {
        let all = capabilities().flatMap(\.capabilities)
        #expect(Set(all.map(\.name)).count == all.count)
        for capability in all {
            #expect(!capability.purpose.isEmpty && !capability.state.text.isEmpty, "\(capability.name)")
        }
        #expect(all.first { $0.name == "monotonic clock" }?.state.isUnavailable == false)
    }

    private func counters(
        _ number: Int32, paranoid: Int? = 2, isVirtual: Bool = false, isFiltered: Bool = false
    ) -> Capability.State {
        hardwareCounterState(
            errno: number, CounterCircumstances(paranoid: paranoid, isVirtual: isVirtual, isFiltered: isFiltered))
    }

    @Test("counters that count say how they are recorded")
    func counting() { #expect(counters(0).isAvailable && counters(0).text.contains("--counters")) }

    @Test("each refusal of a counter is told by its cause")
    func refusals() {
        #expect(counters(ENOENT, isVirtual: true).text.contains("virtual machine has no performance counters"))
        #expect(counters(EOPNOTSUPP, isVirtual: true).isUnavailable)
        #expect(counters(ENOENT).text.contains("no driver"))
        #expect(counters(EACCES, paranoid: 3).text.contains("sudo sysctl kernel.perf_event_paranoid=2"))
        #expect(counters(EPERM, isFiltered: true).text.contains("seccomp"))
        #expect(counters(EACCES).text.contains("though kernel.perf_event_paranoid is 2"))
        #expect(counters(EPERM, paranoid: nil).text.contains("CAP_PERFMON"))
        #expect(counters(ENOSYS).text.contains("without performance events"))
        #expect(counters(ENODATA).text.contains("does not count"))
        #expect(counters(EMFILE).text.contains("no file descriptor left"))
        #expect(counters(EINVAL).text.contains("Invalid argument"))
    }

    @Test("a clock whose reads enter the kernel is limited, and the remedy names the better one")
    func clock() {
        #expect(monotonicClockState(source: .known("tsc"), readCost: 32, text: "").isAvailable)
        let slow = monotonicClockState(source: .known("hpet"), readCost: 900, text: "")
        #expect(slow.isLimited && slow.text.contains("tsc"))
    }

    @Test("a quota and a single processor limit what runs side by side")
    func processors() {
        #expect(processorsState(usable: 2, online: 2, quota: .known("no quota")).isAvailable)
        #expect(processorsState(usable: 2, online: 4, quota: .known("1.5 processors")).isLimited)
        #expect(processorsState(usable: 1, online: 4, quota: .known("no quota")).isLimited)
        #expect(processorsState(usable: nil, online: 4, quota: .known("no quota")).isUnavailable)
        // A kernel without control groups is no limit, and its reason is not read as one.
        let unknown = processorsState(usable: 2, online: 2, quota: .unavailable(reason: "r"))
        #expect(unknown == .available("2 of 2 usable, whether with a quota is not known (r)"))
    }

    @Test("only the governor “performance” keeps the frequency")
    func governors() {
        #expect(governorState(.known("performance")).isAvailable)
        #expect(governorState(.known("powersave")).isLimited)
        #expect(governorState(.unavailable(reason: "r")) == .unavailable(reason: "r", remedy: nil))
    }

    @Test("a load of more than half the processors is told")
    func load() {
        #expect(loadState(.known("0.99 0.1 0.1"), processors: 2).isAvailable)
        #expect(loadState(.known("1.01 0.1 0.1"), processors: 2).isLimited)
    }

    @Test("a low limit on open files names one that can be had")
    func files() {
        #expect(openFilesState(soft: nil, hard: nil).isAvailable)
        #expect(openFilesState(soft: 1024, hard: 4096).isAvailable)
        #expect(openFilesState(soft: 256, hard: 512).text.contains("ulimit -n 512"))
        #expect(openFilesState(soft: 256, hard: nil).text.contains("ulimit -n 4096"))
        #expect(openFilesState(soft: 256, hard: 256).text.contains("higher hard limit than 256"))
    }

    @Test("few threads are too few for thousands of tasks")
    func threads() {
        #expect(threadsState(32_768, setBy: "kernel.pid_max").isAvailable)
        #expect(threadsState(512, setBy: "pids.max").text.contains("raise pids.max"))
    }

    private let zone = "sys/class/powercap/intel-rapl:0"

    @Test("energy counters that can be read are told by name and source")
    func energy() {
        let folder = TemporaryFolder()
        folder.write("package-0\n", to: zone + "/name")
        folder.write("123456\n", to: zone + "/energy_uj")
        let state = energyCounters(KernelFiles(root: folder.path)).state
        #expect(state.isAvailable && state.text == "package-0 (powercap)")
    }

    @Test("zones that lead nowhere are those of a container, and no zones are no counters")
    func noEnergy() {
        let folder = TemporaryFolder()
        #expect(energyCounters(KernelFiles(root: folder.path)).state.text.contains("no zones"))
        folder.write("", to: "sys/class/powercap/.keep")
        #expect(symlink("../../devices/virtual/powercap/intel-rapl/intel-rapl:0", folder.path + "/" + zone) == 0)
        #expect(energyCounters(KernelFiles(root: folder.path)).state.text.contains("container"))
    }

    @Test("a machine's battery is told, a mouse's is not")
    func batteries() {
        let folder = TemporaryFolder()
        folder.write("Battery\n", to: "sys/class/power_supply/mouse/type")
        folder.write("Device\n", to: "sys/class/power_supply/mouse/scope")
        folder.write("Mains\n", to: "sys/class/power_supply/AC/type")
        #expect(battery(KernelFiles(root: folder.path)).state.isUnavailable)
        folder.write("Battery\n", to: "sys/class/power_supply/BAT0/type")
        folder.write("Discharging\n", to: "sys/class/power_supply/BAT0/status")
        folder.write("80\n", to: "sys/class/power_supply/BAT0/capacity")
        folder.write("40730000\n", to: "sys/class/power_supply/BAT0/energy_now")
        #expect(battery(KernelFiles(root: folder.path)).state == .available("BAT0: discharging, 80 %"))
    }
}
