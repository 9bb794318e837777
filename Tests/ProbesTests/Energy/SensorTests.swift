import ChildProcesses
import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite("Sensors of boards")
struct HwmonSourceTests {
    private func stepped(_ tree: EnergyTree) -> SteppedMeter { SteppedMeter(HwmonSource(tree.files)) }

    @Test("counters of energy are told under the sensor's own name, and are no processor's total")
    func energy() {
        let tree = EnergyTree()
        tree.set(
            "hwmon/hwmon2",
            [
                "name": "amd_energy", "energy1_label": "Esocket0", "energy1_input": "1000000", "energy2_input": "5",
            ])
        let use = stepped(tree).use(2) { tree.set("hwmon/hwmon2/energy1_input", "131000000") }
        #expect(use.energy("amd_energy Esocket0")?.isMeasured(130) == true)
        #expect(use.energy("amd_energy energy2")?.isNotCounted("did not move") == true)
        #expect(use.processors.energy.value == nil)
        #expect(use.total(.sensor).energy.reason?.contains("not added up") == true)
    }

    @Test("power is added up between samples, and told as an estimate with the time that was seen")
    func power() {
        let tree = EnergyTree()
        tree.set("hwmon/hwmon0", ["name": "amdgpu", "power1_label": "PPT", "power1_average": "10000000"])
        tree.set(
            "hwmon/hwmon1",
            [
                "name": "power_meter", "power1_average": "90000000", "power1_average_interval": "500",
                "power1_input": "7",
            ])
        let use = stepped(tree).use(1) {
            tree.set("hwmon/hwmon0/power1_average", "30000000")
            tree.set("hwmon/hwmon1/power1_average", "110000000")
        }
        #expect(use.energy("amdgpu PPT, from power") == .estimated(20, share: 0.001))
        #expect(use.energy("power_meter power1, from power") == .estimated(100, share: 0.5))
    }

    @Test("two cards of a name are two, and a battery's sensors are left to the battery")
    func names() {
        let tree = EnergyTree()
        for device in ["hwmon0", "hwmon1"] { tree.set("hwmon/\(device)", ["name": "ina226", "power1_input": "1000"]) }
        tree.set("hwmon/hwmon3", ["name": "BAT0", "power1_input": "1000", "device/type": "Battery"])
        #expect(
            stepped(tree).meter.domains.map(\.label)
                == ["ina226 power1, from power", "ina226 power1, from power (hwmon1)"])
        let bare = EnergyTree()
        #expect(HwmonSource(bare.files).find().state.absence?.status == .unsupported)
    }
}

@Suite("Graphics cards of NVIDIA")
struct NVMLSourceTests {
    private static let compiler = ChildProcess.executable(named: "cc") ?? ChildProcess.executable(named: "clang")

    /// Stands where the driver's library stands: a real library, loaded and called the same way, whose answers are in files.
    private static func library(in folder: TemporaryFolder) throws -> String {
        let compiler = try #require(Self.compiler)
        let source = folder.write(
            """
            #include <stdio.h>
            static long long number(const char *name) {
                char path[512]; snprintf(path, sizeof path, "\(folder.path)/%s", name);
                FILE *file = fopen(path, "r"); long long value = -3;
                if (file) { if (fscanf(file, "%lld", &value) != 1) value = -999; fclose(file); }
                return value;
            }
            int nvmlShutdown(void) { return 0; }
            int nvmlInit_v2(void) { return (int)-number("init"); }
            int nvmlDeviceGetCount_v2(unsigned *count) { *count = (unsigned)number("count"); return 0; }
            int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
                *device = (void *)(unsigned long)(index + 1); return 0;
            }
            int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy) {
                long long value = number((long)device == 1 ? "energy0" : "energy1");
                if (value < 0) return (int)-value;
                *energy = (unsigned long long)value; return 0;
            }
            int nvmlDeviceGetPowerUsage(void *device, unsigned *power) {
                long long value = number((long)device == 1 ? "power0" : "power1");
                if (value < 0) return (int)-value;
                *power = (unsigned)value; return 0;
            }
            const char *nvmlErrorString(int error) {
                return error == 3 ? "Not Supported" : error == 4 ? "Insufficient Permissions"
                    : error == 9 ? "Driver Not Loaded" : error == 15 ? "GPU is lost" : "Unknown Error";
            }
            """, to: "nvml.c")
        let library = folder.path + "/libnvidia-ml.so.1"
        let build = try ChildProcess(compiler, ["-shared", "-fPIC", "-o", library, source], error: .null)
        try #require(build.waitUntilExit() == .exited(0))
        return library
    }

    @Test(
        "joules come from the library's millijoules, and from power only where a card has none",
        .enabled(if: compiler != nil, "needs a C compiler"))
    func cards() throws {
        let folder = TemporaryFolder()
        let library = try Self.library(in: folder)
        folder.write("0", to: "init")
        folder.write("2", to: "count")
        folder.write("5000000", to: "energy0")
        folder.write("100000", to: "power1")
        let stepped = SteppedMeter(NVMLSource(library: library))
        let use = stepped.use(10) {
            folder.write("7500000", to: "energy0")
            folder.write("300000", to: "power1")
        }
        #expect(use.energy("gpu-0")?.isMeasured(2500) == true)
        // Power is sampled each second by the meter's own thread; here there is one step of 10 s, of which 25 ms were seen.
        #expect(use.energy("gpu-1") == .estimated(2000, share: 0.0025))
        #expect(use.total(.gpu).energy == .estimated(4500, share: 0.0025))
        #expect(use.domains.allSatisfy { $0.doubts == [] })
        let short = stepped.use(1) { folder.write("7600000", to: "energy0") }
        #expect(short.domains[0].doubts == [.short(lasted: .seconds(1), trusted: .seconds(10))])
        let lost = stepped.use(10) { folder.write("-15", to: "energy0") }
        #expect(lost.total(.gpu).energy.isNotCounted("GPU is lost"))
        folder.write("100", to: "energy0")
        stepped.meter.sample()
        let reloaded = stepped.use(10) { folder.write("5", to: "energy0") }
        #expect(reloaded.energy("gpu-0")?.isNotCounted("was reset") == true, "the driver was loaded anew")
    }

    @Test("a driver that refuses says why", .enabled(if: compiler != nil, "needs a C compiler"))
    func refusals() throws {
        let folder = TemporaryFolder()
        let library = try Self.library(in: folder)
        folder.write("-9", to: "init")
        #expect(
            NVMLSource(library: library).find().state.absence
                == .unsupported(reason: "\(library): Driver Not Loaded"))
        folder.write("-4", to: "init")
        #expect(NVMLSource(library: library).find().state.absence?.status == .denied)
    }

    @Test("without the library there is no driver")
    func absent() {
        let state = NVMLSource(library: "libnvidia-ml-that-is-not-there.so.1").find().state
        #expect(state.absence?.reason?.contains("no driver of NVIDIA") == true)
    }
}
