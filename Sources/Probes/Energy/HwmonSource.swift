import Glibc
import Results

/// Sensors of boards, cards and drivers under `/sys/class/hwmon` (Documentation/hwmon/sysfs-interface.rst): counters of energy in
/// µJ, and power in µW. Each under its own name, for what a rail feeds only its board's maker knows.
package struct HwmonSource: EnergySource {
    package let name = "hwmon"
    let files: KernelFiles
    static let folder = "/sys/class/hwmon"

    package init(_ files: KernelFiles) { self.files = files }

    package func find() -> EnergyFinding {
        var found: [FoundDomain] = []
        for device in files.names(in: Self.folder) {
            for sensor in sensors(of: device) {
                var sensor = sensor
                if found.contains(where: { $0.domain.isSame(as: sensor.domain) }) {
                    sensor.domain.label += " (\(device))"
                }
                found.append(sensor)
            }
        }
        return EnergyFinding(
            source: name, domains: found,
            otherwise: .unsupported(reason: "no sensor in \(Self.folder) tells energy or power", remedy: nil))
    }

    private func sensors(of device: String) -> [FoundDomain] {
        let folder = "\(Self.folder)/\(device)"
        // A battery's own sensors show what `power_supply` shows; that source knows what its signs mean.
        guard files.text(folder + "/device/type").value != "Battery" else { return [] }
        let names = files.names(in: folder)
        let title = files.text(folder + "/name").value ?? device
        func label(_ sensor: String) -> String { "\(title) \(files.text("\(folder)/\(sensor)_label").value ?? sensor)" }
        let energies = names.compactMap { $0.hasPrefix("energy") && $0.hasSuffix("_input") ? $0 : nil }
        if !energies.isEmpty {
            return energies.map { file in
                let domain = EnergyDomain(.sensor, label: label(String(file.dropLast("_input".count))))
                let counter = WrappingCounter(unit: .microjoules(1), range: .endless, highestPower: Watts(4000))
                return FoundDomain(
                    domain, source: name, access("\(folder)/\(file)", isPower: false, .counter(counter)))
            }
        }
        // An average over a known time says more of that time than what a sensor shows for the moment.
        let powers = Set(
            names.filter { $0.hasPrefix("power") && ($0.hasSuffix("_average") || $0.hasSuffix("_input")) }
                .map { String($0.prefix { $0 != "_" }) })
        return powers.sorted().map { sensor in
            let isAverage = names.contains(sensor + "_average")
            let sensed = (isAverage ? files.number("\(folder)/\(sensor)_average_interval") : nil) ?? 1
            return FoundDomain(
                EnergyDomain(.sensor, label: label(sensor) + ", from power"), source: name,
                access(
                    "\(folder)/\(sensor)\(isAverage ? "_average" : "_input")", isPower: true,
                    .power(sensed: .milliseconds(Double(max(sensed, 1))))))
        }
    }

    private func access(_ path: String, isPower: Bool, _ scale: EnergyScale) -> FoundDomain.Access {
        let file = KeptFile(path, in: files)
        switch file.number() {
        case .success(_?): return .open(NumberFileReader(file, isPower: isPower), scale, .processor)
        case .success(nil): return .none(.unsupported(reason: "\(path) holds no number"))
        case .failure(let refusal) where refusal.number == EACCES || refusal.number == EPERM:
            return .none(
                .denied(
                    reason: "\(path) may be read by the superuser only",
                    remedy: "let a group read it for good: put ‘SUBSYSTEM==\"hwmon\", ACTION==\"add\", "
                        + "RUN+=\"/bin/sh -c 'chgrp energy /sys%p/energy*_input; chmod 0440 /sys%p/energy*_input'\"’ into "
                        + "/etc/udev/rules.d/60-energy.rules, then sudo udevadm trigger --subsystem-match=hwmon --action=add"
                ))
        case .failure(let refusal): return .none(.unsupported(reason: refusal.text))
        }
    }
}
