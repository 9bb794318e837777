import ChildProcesses
import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite struct ProcessorsTests {
    @Test("an x86 processor is called by its model name, once however many cores have it")
    func x86() {
        let text = """
            processor\t: 0
            vendor_id\t: GenuineIntel
            model\t\t: 85
            model name\t: Intel(R) Xeon(R) CPU @ 2.20GHz
            cpu MHz\t\t: 2200.172

            processor\t: 1
            model name\t: Intel(R) Xeon(R) CPU @ 2.20GHz
            """
        #expect(processorModel(cpuinfo: text) == .known("Intel(R) Xeon(R) CPU @ 2.20GHz"))
    }

    @Test("an ARM processor of two kinds of cores is called by both its parts and its board")
    func arm() {
        let text = """
            processor\t: 0
            CPU implementer\t: 0x41
            CPU part\t: 0xd05
            processor\t: 1
            CPU implementer\t: 0x41
            CPU part\t: 0xd0a
            processor\t: 2
            CPU implementer\t: 0x41
            CPU part\t: 0xd0a

            Model\t\t: Board Model 4
            """
        #expect(
            processorModel(cpuinfo: text)
                == .known("ARM implementer 0x41, part 0xd05 and implementer 0x41, part 0xd0a (Board Model 4)"))
    }

    @Test("a processor that is not named is unavailable with a reason")
    func unnamed() {
        guard case .unavailable = processorModel(cpuinfo: "processor : 0\nbogus line\n") else {
            Issue.record("a name was made up")
            return
        }
    }

    @Test(
        "lists of processors are counted",
        arguments: [("0", 1), ("0-3", 4), ("0-3,8,10-11", 7), ("", nil), ("3-1", nil), ("a-b", nil), ("1-2-3", nil)]
            as [(String, Int?)])
    func lists(_ list: String, _ count: Int?) { #expect(countOfList(list) == count) }

    @Test("governors that differ are told with their numbers")
    func governors() {
        let folder = TemporaryFolder()
        let policies = "sys/devices/system/cpu/cpufreq/policy"
        folder.write("performance\n", to: policies + "0/scaling_governor")
        #expect(frequencyGovernor(KernelFiles(root: folder.path)) == .known("performance"))
        folder.write("powersave\n", to: policies + "1/scaling_governor")
        folder.write("powersave\n", to: policies + "2/scaling_governor")
        #expect(
            frequencyGovernor(KernelFiles(root: folder.path)) == .known("performance (1 of 3), powersave (2 of 3)"))
    }

    @Test("a machine without frequency control has no governor, and says so")
    func noGovernor() {
        let folder = TemporaryFolder()
        #expect(frequencyGovernor(KernelFiles(root: folder.path)).value == nil)
    }

    @Test(
        "multithreading is read from sysfs",
        arguments: [("1\n", "on"), ("0\n", "off"), ("2", nil)] as [(String, String?)])
    func multithreading(_ text: String, _ expected: String?) {
        let folder = TemporaryFolder()
        folder.write(text, to: "sys/devices/system/cpu/smt/active")
        #expect(simultaneousMultithreading(KernelFiles(root: folder.path)).value == expected)
    }

    @Test("usable processors are those that nproc counts")
    func nproc() throws {
        let program = try #require(ChildProcess.executable(named: "nproc"))
        unsetenv("OMP_NUM_THREADS")  // nproc counts these when they are set
        let output = try ChildProcess.run(program, [])
        #expect(usableProcessors().map { "\($0)\n" } == output.text)
    }
}
