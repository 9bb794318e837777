import Probes
import Results
import TestSupport
import Testing

@Suite("What disturbs a measurement")
struct DisturbanceTests {
    @Test("stolen time is the eighth number of all processors together, in the kernel's ticks; work is five others")
    func processorUse() {
        let folder = TemporaryFolder()
        folder.write("cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 0 0 0 0 0 0 0 99 0 0\nintr 1\n", to: "proc/stat")
        let use = ProcessorUse(KernelFiles(root: folder.path))
        #expect(use?.stolen == .seconds(2.5), "a tick is 10 ms on Linux")
        #expect(use?.busy == .seconds(0.19), "user, nice, system, and interrupts of both kinds")
    }

    @Test("what processors did is not known where the kernel does not tell", arguments: ["", "cpu 1 2 3\n", "what?\n"])
    func noProcessorUse(text: String) {
        let folder = TemporaryFolder()
        folder.write(text, to: "proc/stat")
        #expect(ProcessorUse(KernelFiles(root: folder.path)) == nil)
        let nowhere = MachineCounts(KernelFiles(root: TemporaryFolder().path))
        #expect(nowhere.steal(until: nowhere).status == .unsupported)
        #expect(nowhere.others(until: nowhere, own: 1).status == .unsupported)
        #expect(nowhere.throttling(until: nowhere).status == .unsupported)
    }

    @Test("what others used is what the processors did less what the suite used, and counts set back are not counted")
    func machineCounts() {
        let folder = TemporaryFolder()
        let files = KernelFiles(root: folder.path)
        func counts(user: Int, stolen: Int, throttled: Int) -> MachineCounts {
            folder.write("cpu  \(user) 0 0 0 0 0 0 \(stolen) 0 0\n", to: "proc/stat")
            folder.write("\(throttled)\n", to: "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count")
            return MachineCounts(files)
        }
        let before = counts(user: 100, stolen: 7, throttled: 3)
        let after = counts(user: 150, stolen: 9, throttled: 4)
        #expect(before.steal(until: after) == .measured(20e6))
        #expect(before.others(until: after, own: 100e6) == .measured(400e6))
        #expect(before.others(until: after, own: 600e6) == .measured(0), "the kernel counts in ticks")
        #expect(before.others(until: after, own: nil).status == .notCounted)
        #expect(before.throttling(until: after) == .measured(1))
        #expect(after.steal(until: before).status == .notCounted)
        #expect(after.throttling(until: before).status == .notCounted)
    }

    @Test("slow-downs are those of all cores, packages and control groups around the process")
    func throttling() {
        let folder = TemporaryFolder()
        let files = KernelFiles(root: folder.path)
        #expect(throttleEvents(files) == nil)
        for cpu in 0...1 {
            folder.write("\(cpu + 3)\n", to: "sys/devices/system/cpu/cpu\(cpu)/thermal_throttle/core_throttle_count")
        }
        folder.write("1\n", to: "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count")
        folder.write("7\n", to: "sys/devices/system/cpu/cpufreq/thermal_throttle/core_throttle_count")
        #expect(throttleEvents(files) == 8)
        folder.write("0::/a/b\n", to: "proc/self/cgroup")
        folder.write("", to: "sys/fs/cgroup/cgroup.procs")
        folder.write("usage_usec 5\nnr_periods 3\nnr_throttled 2\nthrottled_usec 9\n", to: "sys/fs/cgroup/a/cpu.stat")
        folder.write("nr_throttled 10\n", to: "sys/fs/cgroup/a/b/cpu.stat")
        #expect(throttleEvents(files) == 20)
    }
}
