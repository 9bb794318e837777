import Glibc
import Results

/// The energy counters of processors under `/sys/class/powercap` (Documentation/power/powercap/powercap.rst). Processors of
/// AMD have zones of the same names.
package struct PowercapSource: EnergySource {
    package let name = "powercap"
    let files: KernelFiles
    static let folder = "/sys/class/powercap"

    package init(_ files: KernelFiles) { self.files = files }

    /// Since CVE-2020-8694 the counters are the superuser's (Linux 5.10): they tell others' secrets to who looks often enough.
    static let remedy =
        "let a group read them for good: sudo groupadd --system energy, add the user to it, put "
        + #"‘SUBSYSTEM=="powercap", ACTION=="add", TEST=="energy_uj", RUN+="/bin/chgrp energy /sys%p/energy_uj", "#
        + #"RUN+="/bin/chmod 0440 /sys%p/energy_uj"’ into /etc/udev/rules.d/60-energy.rules, then "#
        + "sudo udevadm trigger --subsystem-match=powercap --action=add"

    package func find() -> EnergyFinding {
        let names = files.names(in: Self.folder).filter { $0.contains(":") }
        let zones = names.compactMap(zone)
        return EnergyFinding(source: name, domains: distinctDomains(zones), otherwise: absence(links: names))
    }

    private struct Zone {
        /// `intel-rapl:0:1`, whose last index may be a letter.
        var name: String
        var found: FoundDomain
        /// Another driver of the same registers, such as `intel-rapl-mmio`.
        var controlType: Substring { name.prefix { $0 != ":" } }
    }

    private func zone(_ name: String) -> Zone? {
        let path = "\(Self.folder)/\(name)"
        guard let zoneName = files.text(path + "/name").value else { return nil }
        let parent = name.split(separator: ":").count > 2 ? String(name[..<name.lastIndex(of: ":")!]) : nil
        let parentName = parent.flatMap { files.text("\(Self.folder)/\($0)/name").value }
        // Zones of other drivers (arm-scmi, dtpm) have names of their own.
        let domain =
            EnergyDomain(zoneName: zoneName, parentName: parentName)
            ?? EnergyDomain(.sensor, label: "\(name.prefix { $0 != ":" }) \(zoneName)")
        return Zone(name: name, found: FoundDomain(domain, source: self.name, access(domain, path, parent)))
    }

    private func access(_ domain: EnergyDomain, _ path: String, _ parent: String?) -> FoundDomain.Access {
        if domain.kind == .core, ["AuthenticAMD", "HygonGenuine"].contains(vendor) {
            return .none(.unsupported(reason: "\(path): on this processor the register is that of one core, no total"))
        }
        let file = KeptFile(path + "/energy_uj", in: files)
        switch file.number() {
        case .success(_?):
            let counter = WrappingCounter(
                unit: .microjoules(1), range: range(path), highestPower: highestPower(domain, path, parent))
            return .open(NumberFileReader(file), .counter(counter), .processor)
        case .success(nil): return .none(.unsupported(reason: "\(file.path) holds no number"))
        case .failure(let refusal) where refusal.number == EACCES || refusal.number == EPERM:
            return .none(
                .denied(reason: "\(Self.folder)/*/energy_uj may be read by the superuser only", remedy: Self.remedy))
        case .failure(let refusal) where refusal.number == ENOENT:
            return .none(.unsupported(reason: "\(path) has no energy_uj"))
        case .failure(let refusal): return .none(.unsupported(reason: refusal.text))
        }
    }

    private var vendor: String { values(of: "vendor_id", in: files.text("/proc/cpuinfo").value ?? "").first ?? "" }

    private func range(_ path: String) -> WrappingCounter.Range {
        guard let highest = files.text(path + "/max_energy_range_uj").value.flatMap({ UInt64($0) }), highest > 0 else {
            return .unknown
        }
        return .upTo(highest)
    }

    /// More than a domain can take. `max_power_uw` is what the cooling is made for: short of it a processor of 15 W takes 64 W,
    /// one of 125 W takes 350 W, so that four times of it and 250 W at least are beyond any.
    private func highestPower(_ domain: EnergyDomain, _ path: String, _ parent: String?) -> Watts {
        for folder in [path, parent.map { "\(Self.folder)/\($0)" }].compactMap({ $0 }) {
            let limits = (0...2).compactMap { files.number("\(folder)/constraint_\($0)_max_power_uw") }.filter {
                $0 > 0
            }
            if let most = limits.max() { return max(Watts(250), .microwatts(4 * Double(most))) }
        }
        return domain.kind == .psys ? Watts(4000) : Watts(1000)
    }

    /// Of zones that speak of the same thing, one: the first that can be read, the register itself (`intel-rapl`) before its
    /// copy in memory (`intel-rapl-mmio`).
    private func distinctDomains(_ zones: [Zone]) -> [FoundDomain] {
        var kept: [FoundDomain] = []
        let ordered = zones.sorted {
            ($0.found.isOpen ? 0 : 1, $0.controlType.count, $0.name.count, $0.name)
                < ($1.found.isOpen ? 0 : 1, $1.controlType.count, $1.name.count, $1.name)
        }
        for zone in ordered where !kept.contains(where: { $0.domain.isSame(as: zone.found.domain) }) {
            kept.append(zone.found)
        }
        return kept
    }

    /// Why there is no zone that tells its name.
    private func absence(links: [String]) -> EnergyFinding.State {
        let folder = Self.folder
        let enclosure = Enclosure(files)
        if !links.isEmpty {
            return .denied(
                reason: "the zones in \(folder) lead nowhere, as they do in containers",
                remedy:
                    "measure outside the container, or start it without the mask over /sys/devices/virtual/powercap "
                    + "(Podman: --security-opt unmask=/sys/devices/virtual/powercap; "
                    + "Docker: --security-opt systempaths=unconfined)")
        }
        if enclosure.virtualMachine != nil {
            return .unsupported(
                reason: "this virtual machine is shown no energy counters (no zones in \(folder))",
                remedy: "measure on a machine of one's own")
        }
        return .unsupported(
            reason: "the kernel shows no energy counters (no zones in \(folder))",
            remedy: "on Intel and AMD: sudo modprobe intel_rapl_msr, and for good: "
                + "echo intel_rapl_msr | sudo tee /etc/modules-load.d/energy.conf")
    }
}
