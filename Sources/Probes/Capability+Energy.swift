import Results

/// The energy counters of processors, as the kernel shows them under `powercap`.
package func energyCounters(_ files: KernelFiles) -> Capability {
    let name = "energy counters"
    let purpose = "joules of processors and memory"
    let folder = "/sys/class/powercap"
    let zones = files.names(in: folder).filter { $0.contains(":") }
    let named = zones.map { zone in (zone, files.text("\(folder)/\(zone)/name").value ?? zone) }
    guard !zones.isEmpty else {
        let isVirtual = Enclosure(files).virtualMachine != nil
        return Capability(
            name, for: purpose,
            .unavailable(
                reason: isVirtual
                    ? "this virtual machine is shown no energy counters (no zones in \(folder))"
                    : "the kernel shows no energy counters (no zones in \(folder))",
                remedy: isVirtual
                    ? "measure on a machine of one's own" : "on Intel and AMD: sudo modprobe intel_rapl_msr"))
    }
    // Readable by permission is not enough: in containers the links under powercap lead nowhere.
    let readable = named.filter { files.text("\(folder)/\($0.0)/energy_uj").value.flatMap { Int64($0) } != nil }
    guard !readable.isEmpty else {
        let masked = !zones.contains { files.exists("\(folder)/\($0)/energy_uj") }
        return Capability(
            name, for: purpose,
            .unavailable(
                reason: masked
                    ? "the zones in \(folder) lead nowhere, as they do in containers"
                    : "energy_uj of \(named.map(\.1).joined(separator: ", ")) may be read by the superuser only",
                remedy: masked
                    ? "measure outside the container" : "sudo chmod a+r \(folder)/*/energy_uj (until the next boot)"))
    }
    return Capability(
        name, for: purpose,
        .available(
            "this machine has \(readable.map(\.1).joined(separator: ", ")); this version of TaskMeter does not record "
                + "them yet"))
}

/// Batteries, whose charge is the coarsest of energy meters.
package func battery(_ files: KernelFiles) -> Capability {
    let folder = "/sys/class/power_supply"
    let batteries = files.names(in: folder).filter { name in
        // Mice and headphones have batteries too: their scope is “Device”.
        files.text("\(folder)/\(name)/type").value == "Battery"
            && files.text("\(folder)/\(name)/scope").value != "Device"
    }
    let texts = batteries.map { name -> String in
        let state = files.text("\(folder)/\(name)/status").value?.lowercased() ?? "state unknown"
        let charge = files.number("\(folder)/\(name)/capacity").map { ", \($0) %" } ?? ""
        return "\(name): \(state)\(charge)"
    }
    return Capability(
        "battery", for: "energy of the whole machine while it runs on it",
        batteries.isEmpty
            ? .unavailable(reason: "there is none", remedy: nil)
            : .available("\(texts.joined(separator: "; ")); this version of TaskMeter does not record it yet"))
}
