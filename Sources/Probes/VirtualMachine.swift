import Results

/// What this system runs in, as far as it shows: a virtual machine, a container, both, or no sign of either.
package struct Enclosure: Hashable, Sendable {
    /// What gives the virtual machine away, or nil where nothing does.
    package var virtualMachine: String?
    /// What gives the container away, or nil where nothing does.
    package var container: String?

    package init(_ files: KernelFiles) {
        virtualMachine = Self.virtualMachine(files)
        container = Self.container(files)
    }

    package var fact: Fact {
        let signs = [
            virtualMachine.map { "virtual machine (\($0))" }, container.map { "container (\($0))" },
        ].compactMap { $0 }
        return .known(signs.isEmpty ? "no sign of one" : signs.joined(separator: ", and in it a "))
    }

    private static func virtualMachine(_ files: KernelFiles) -> String? {
        let flags = (files.text("/proc/cpuinfo").value ?? "")
        let flagged = values(of: "flags", in: flags).first?.split(separator: " ").contains("hypervisor") ?? false
        let product = ["/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"]
            .compactMap { files.text($0).value }.filter { !$0.isEmpty }.joined(separator: " ")
        var signs: [String] = []
        let isVirtualProduct = virtualProducts.contains { product.lowercased().contains($0) }
        // A product's name is told only where it names a virtual machine: else it would name somebody's hardware.
        if isVirtualProduct || (flagged && !product.isEmpty) { signs.append(product) }
        if let kind = files.text("/sys/hypervisor/type").value, !kind.isEmpty { signs.append(kind) }
        if files.exists("/proc/device-tree/hypervisor/compatible") { signs.append("hypervisor in the device tree") }
        guard flagged || !signs.isEmpty else { return nil }
        let clocks = files.text("/sys/devices/system/clocksource/clocksource0/available_clocksource").value ?? ""
        if clocks.contains("kvm-clock") { signs.append("KVM, by its clock") }
        if clocks.contains("hyperv") { signs.append("Hyper-V, by its clock") }
        if clocks.contains("xen") { signs.append("Xen, by its clock") }
        return signs.isEmpty ? "hypervisor flag of the processor" : distinct(signs).joined(separator: ", ")
    }

    /// Parts of what firmware calls the product in a virtual machine, in lower case.
    private static let virtualProducts = [
        "kvm", "qemu", "virtualbox", "vmware", "virtual machine", "hvm domu", "bochs", "standard pc (", "openstack",
        "google compute engine", "amazon ec2", "parallels", "bhyve", "xen", "cloud hypervisor", "apple virtualization",
    ]

    private static func container(_ files: KernelFiles) -> String? {
        for path in ["/.dockerenv", "/run/.containerenv"] where files.exists(path) { return path }
        let groups = files.text("/proc/1/cgroup").value ?? ""
        for word in ["docker", "kubepods", "containerd", "libpod", "lxc"] where groups.contains(word) {
            return "control group of \(word)"
        }
        return nil
    }
}
