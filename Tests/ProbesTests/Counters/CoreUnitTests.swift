import Probes
import TestSupport
import Testing

@Suite struct CoreUnitTests {
    private let devices = "sys/bus/event_source/devices"

    @Test("a processor with two kinds of cores has two units; uncore units are none")
    func hybrid() {
        let folder = TemporaryFolder()
        folder.write("0-15\n", to: devices + "/cpu_core/cpus")
        folder.write("4\n", to: devices + "/cpu_core/type")
        folder.write("16-23\n", to: devices + "/cpu_atom/cpus")
        folder.write("10\n", to: devices + "/cpu_atom/type")
        folder.write("0\n", to: devices + "/power/cpumask")
        folder.write("9\n", to: devices + "/power/type")
        folder.write("1\n", to: devices + "/software/type")
        #expect(
            CoreUnit.ofHybrid(KernelFiles(root: folder.path))
                == [CoreUnit(name: "cpu_atom", type: 10), CoreUnit(name: "cpu_core", type: 4)])
    }

    @Test("cores that are all alike need no units")
    func alike() {
        let folder = TemporaryFolder()
        folder.write("4\n", to: devices + "/cpu/type")
        #expect(CoreUnit.ofHybrid(KernelFiles(root: folder.path)).isEmpty)
        folder.write("8\n", to: devices + "/armv8_cortex_a57/type")
        folder.write("0-3\n", to: devices + "/armv8_cortex_a57/cpus")
        #expect(CoreUnit.ofHybrid(KernelFiles(root: folder.path)).isEmpty)
    }
}
