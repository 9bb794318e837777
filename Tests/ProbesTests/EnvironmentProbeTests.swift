import Probes
import Results
import TestSupport
import Testing

@Suite struct EnvironmentProbeTests {
    @Test("this machine's environment has plausible facts")
    func real() throws {
        let environment = currentEnvironment(buildConfiguration: .known("release"))
        #expect(environment.kernel.value?.hasPrefix("Linux ") == true)
        #expect(environment.architecture.value != nil)
        #expect(environment.usableProcessors >= 1)
        #expect(environment.usableProcessors == usableProcessors())
        let memory = try #require(environment.memoryBytes.value.flatMap { Int64($0) })
        #expect(memory > 64 << 20 && memory % 1024 == 0)
        #expect((1...10_000_000).contains(environment.clockResolution.count))
        #expect(environment.swiftVersion.value?.hasPrefix("Swift ") == true)
        #expect(environment.loadAtStart.value?.split(separator: " ").count == 3)
        #expect(environment.buildConfiguration == .known("release"))
        #expect(environment.openFilesLimit?.value != nil)
    }

    @Test(
        "a distribution is called by the best name that os-release has",
        arguments: [
            (
                "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
                "Debian GNU/Linux 12 (bookworm)"
            ),
            ("PRETTY_NAME='Some Linux'", "Some Linux"), ("ID=arch\n", "arch"), ("PRETTY_NAME=\"\"\nID=x", "x"),
            ("# nothing\n", nil),
        ] as [(String, String?)])
    func osRelease(_ text: String, _ name: String?) { #expect(distribution(osRelease: text).value == name) }

    @Test("memory is told in bytes")
    func memory() {
        #expect(memoryBytes(meminfo: "MemTotal:       24684096 kB\nMemFree: 1 kB\n") == .known("25276514304"))
        #expect(memoryBytes(meminfo: "MemFree: 1 kB\n").value == nil)
    }

    @Test("of the load, three averages are kept")
    func load() {
        #expect(loadAverages("0.45 0.23 0.13 2/85 6055\n") == .known("0.45 0.23 0.13"))
        #expect(loadAverages("busy").value == nil)
    }

    @Test("the compiler's version is found among bytes, and words without a number are not it")
    func compiler() {
        func version(_ text: String) -> String? { Array(text.utf8).withUnsafeBytes(compilerVersion(in:)) }
        #expect(
            version("\0Swift version \0zz\0Swift version 6.3.1 (swift-6.3.1-RELEASE) effective-5.10\0")
                == "Swift 6.3.1 (swift-6.3.1-RELEASE)")
        #expect(version("Swift version 6.3") == "Swift 6.3")
        #expect(version("SSwift version 6-dev (LLVM a, Swift b)\nTarget: x") == "Swift 6-dev (LLVM a, Swift b)")
        #expect(version("Swift version x\0") == nil)
        #expect(version("Swift versio") == nil)
        #expect(version("") == nil)
    }
}

@Suite struct EnclosureTests {
    private func enclosure(_ files: [(String, String)]) -> Enclosure {
        let folder = TemporaryFolder()
        for (name, text) in files { folder.write(text, to: name) }
        return Enclosure(KernelFiles(root: folder.path))
    }

    @Test("a machine with no sign is not called virtual, and its product is not told")
    func bare() {
        let found = enclosure([
            ("proc/cpuinfo", "flags : fpu vme\n"), ("sys/class/dmi/id/product_name", "PowerEdge R640\n"),
        ])
        #expect(found.virtualMachine == nil && found.container == nil)
        #expect(found.fact == .known("no sign of one"))
    }

    @Test("the hypervisor flag of the processor gives a virtual machine away")
    func flag() {
        #expect(enclosure([("proc/cpuinfo", "flags\t: fpu hypervisor avx\n")]).virtualMachine != nil)
        #expect(enclosure([("proc/cpuinfo", "flags\t: fpu hypervisor_guest\n")]).virtualMachine == nil)
    }

    @Test("where the processor has no such flag, the firmware's product does")
    func product() {
        let found = enclosure([
            ("proc/cpuinfo", "CPU part : 0xd0c\n"), ("sys/class/dmi/id/sys_vendor", "QEMU"),
            ("sys/class/dmi/id/product_name", "KVM Virtual Machine"),
        ])
        #expect(found.virtualMachine == "QEMU KVM Virtual Machine")
    }

    @Test("a container is known by its file or by the control group of its first process")
    func containers() {
        #expect(enclosure([(".dockerenv", "")]).container == "/.dockerenv")
        #expect(enclosure([("proc/1/cgroup", "0::/kubepods/burstable/x")]).container == "control group of kubepods")
        #expect(enclosure([("proc/1/cgroup", "0::/init.scope")]).container == nil)
    }
}

@Suite struct ControlGroupsTests {
    @Test("the least quota of all groups around a process holds, in version 2")
    func version2() {
        let folder = TemporaryFolder()
        folder.write("0::/a/b\n", to: "proc/self/cgroup")
        folder.write("", to: "sys/fs/cgroup/cgroup.procs")
        folder.write("max 100000\n", to: "sys/fs/cgroup/a/b/cpu.max")
        folder.write("150000 100000\n", to: "sys/fs/cgroup/a/cpu.max")
        folder.write("500\n", to: "sys/fs/cgroup/a/pids.max")
        folder.write("max\n", to: "sys/fs/cgroup/a/b/pids.max")
        let groups = ControlGroups(KernelFiles(root: folder.path))
        #expect(groups.processorQuota == .known("1.5 processors"))
        #expect(groups.threadLimit == 500)
    }

    @Test("a quota of version 1 is read, and −1 is none")
    func version1() {
        let folder = TemporaryFolder()
        folder.write("4:cpu,cpuacct:/job\n3:pids:/job\n", to: "proc/self/cgroup")
        folder.write("", to: "sys/fs/cgroup/cpu,cpuacct/cgroup.procs")
        folder.write("-1\n", to: "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")
        folder.write("100000\n", to: "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us")
        let files = KernelFiles(root: folder.path)
        #expect(ControlGroups(files).processorQuota == .known("no quota"))
        folder.write("50000\n", to: "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us")
        folder.write("100000\n", to: "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us")
        #expect(ControlGroups(files).processorQuota == .known("0.5 processors"))
        #expect(ControlGroups(files).threadLimit == nil)
    }

    @Test("a quota that is no quota is none", arguments: ["max 100000", "", "100000", "x y", "1 0"])
    func noQuota(_ text: String) { #expect(ControlGroups.quota(cpuMax: text) == nil) }
}
