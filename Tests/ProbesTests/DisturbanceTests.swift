import Probes
import Results
import TestSupport
import Testing

@Suite("What disturbs a measurement")
struct DisturbanceTests {
    @Test("stolen time is the eighth number of all processors together, in the kernel's ticks")
    func steal() {
        let folder = TemporaryFolder()
        folder.write("cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 0 0 0 0 0 0 0 99 0 0\nintr 1\n", to: "proc/stat")
        #expect(stealTime(KernelFiles(root: folder.path)) == .seconds(2.5), "a tick is 10 ms on Linux")
    }

    @Test("stolen time is not known where the kernel does not tell", arguments: ["", "cpu 1 2 3\n", "what?\n"])
    func noSteal(text: String) {
        let folder = TemporaryFolder()
        folder.write(text, to: "proc/stat")
        #expect(stealTime(KernelFiles(root: folder.path)) == nil)
        #expect(stealTime(KernelFiles(root: TemporaryFolder().path)) == nil)
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

    @Test("switches and moves are summed over the threads of the process")
    func scheduler() {
        let folder = TemporaryFolder()
        let files = KernelFiles(root: folder.path)
        #expect(SchedulerCounts(files) == SchedulerCounts(KernelFiles(root: TemporaryFolder().path)))
        #expect(SchedulerCounts(files).migrations == nil)
        for thread in [11, 12] {
            folder.write(
                "name (\(thread), #threads: 2)\n-----\nse.nr_migrations      :     \(thread)\n"
                    + "nr_involuntary_switches   :     3\n", to: "proc/self/task/\(thread)/sched")
        }
        var counts = SchedulerCounts(files)
        #expect(counts.migrations == 23 && counts.involuntarySwitches == 6)
        let before = counts
        counts.migrations = 30
        counts.involuntarySwitches = 2
        let difference = counts - before
        #expect(difference.migrations == 7)
        #expect(difference.involuntarySwitches == nil, "a thread that ended took its count with it")
    }

    @Test("this machine's own counts can be read twice")
    func here() throws {
        let before = SchedulerCounts()
        let difference = SchedulerCounts() - before
        if before.migrations != nil { #expect((difference.migrations ?? 0) >= 0) }
        if let stolen = stealTime(KernelFiles()) { #expect(stolen >= .zero) }
    }
}
