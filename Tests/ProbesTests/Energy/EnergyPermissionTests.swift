import Glibc
import Probes
import Results
import TestSupport
import Testing

/// What needs a process of its own: another user, a count of threads and files, a file system that refuses.
@Suite("The energy meter in a process of its own")
struct EnergyPermissionTests {
    private func lines(_ helper: HelperProcess) -> [String] {
        var lines: [String] = []
        while let line = helper.line() { lines.append(line) }
        return lines
    }

    @Test("an ordinary user is denied the counters, and told how an administrator grants them for good")
    func denied() throws {
        let tree = EnergyTree()
        tree.zone("intel-rapl:0", "package-0")
        tree.zone("intel-rapl:0:0", "dram", range: "65712999613")
        tree.set("hwmon/hwmon0", ["name": "amd_energy", "energy1_input": "5"])
        // A whole processor's clock stands where the PMU of a machine with RAPL stands (see PerfPowerSourceTests).
        let pmu = "sys/bus/event_source/devices/power"
        for (file, text) in [
            "type": "1", "cpumask": "0", "format/event": "config:0-7", "events/energy-pkg": "event=0x00",
            "events/energy-pkg.unit": "Joules", "events/energy-pkg.scale": "1e-9",
        ] { tree.folder.write(text + "\n", to: "\(pmu)/\(file)") }
        // Root's files are the superuser's alone with 0400; who runs the tests as somebody else may read his own but with 0000.
        let mode: mode_t = getuid() == 0 ? 0o400 : 0
        #expect(chmod(tree.folder.path, 0o755) == 0)
        for file in [
            "powercap/intel-rapl:0/energy_uj", "powercap/intel-rapl:0/intel-rapl:0:0/energy_uj",
            "hwmon/hwmon0/energy1_input",
        ] { #expect(chmod("\(tree.folder.path)/sys/class/\(file)", mode) == 0) }
        let said = lines(try HelperProcess("energy-as-nobody", tree.folder.path)).map { $0.split(separator: "\t") }
        try #require(said.count == 5, "\(said)")
        #expect(said[0][0] == "/sys/class/powercap/*/energy_uj may be read by the superuser only")
        #expect(said[0][1].contains("/etc/udev/rules.d/60-energy.rules") && said[0][1].contains("0440"))
        #expect(said[1][0] == "denied" && said[1][1] == said[0][0] && said[1][2] == said[0][1])
        #expect(said[2][0] == "denied" && said[2][2].contains("/etc/udev/rules.d/60-energy.rules"))
        #expect(said[3][0] == "denied" && said[3][2].contains("/etc/sysctl.d/60-energy.conf"))
        // At level 0 or less, an ordinary user may count whole processors.
        let level = KernelFiles().number("/proc/sys/kernel/perf_event_paranoid")
        if let level, level > 0 { #expect(said[4][0] == "denied", "\(said[4])") }
    }

    @Test("with nothing to count there is no thread and no open file; with a zone one of each, until it is stopped")
    func held() throws {
        let tree = EnergyTree()
        #expect(lines(try HelperProcess("energy-held", tree.folder.path)) == ["0 0", "0"])
        tree.zone("intel-rapl:0", "package-0")
        #expect(lines(try HelperProcess("energy-held", tree.folder.path)) == ["1 1", "0"])
    }

    @Test("a register that refuses leaves windows without a reading, and counts anew when it is back")
    func refused() throws {
        let tree = EnergyTree()
        let zone = tree.folder.path + "/sys/class/powercap/intel-rapl:0"
        tree.folder.write("", to: "sys/class/powercap/intel-rapl:0/.keep")
        #expect(chmod(tree.folder.path, 0o755) == 0)
        let said = lines(try HelperProcess("energy-refused", tree.folder.path, zone))
        if let refusal = said.first, refusal.hasPrefix("cannot: ") {
            try Test.cancel("no file system of one's own can be mounted here (needs root and /dev/fuse): \(refusal)")
        }
        try #require(said.count == 15, "\(said)")
        let file = "/sys/class/powercap/intel-rapl:0/energy_uj"
        // 328,850 µJ to the highest count, a unit of 61 µJ, and 1 J.
        #expect(said[0] == "measured\t1.328911\t")
        let errors = ["Input/output error", "No data available", "No such device"]
        for (index, error) in errors.enumerated() {
            let failure = "not-counted\tpackage-0 could not be read: \(file): \(error)\t"
            #expect(said[1 + 3 * index] == failure)
            #expect(said[2 + 3 * index] == failure, "nobody saw the count at the window's begin")
            #expect(said[3 + 3 * index] == "measured\t1.0\t")
        }
        #expect(said[10] == "not-counted\tpackage-0 could not be read: \(file): No such device\t")
        #expect(said[11] == "not-counted\tpackage-0 could not be read: \(file): No such file or directory\t")
        #expect(said[12] == "measured\t2.0\t")
        #expect(said[13].contains("unsupported") && said[13].contains("\(file): No data available"))
        #expect(said[14] == "denied")
    }
}
