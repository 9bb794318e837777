import Results

/// How often the processors were slowed down since boot: by heat (each core's and package's count of
/// `thermal_throttle`, which Intel's processors have), or by the quota of a control group around this process
/// (`nr_throttled` of `cpu.stat`). Nil where the kernel counts neither.
package func throttleEvents(_ files: KernelFiles) -> Int? {
    let all = [thermalThrottleEvents(files)].compactMap { $0 } + ControlGroups(files).throttleCounts
    return all.isEmpty ? nil : all.reduce(0, +)
}

/// Those by heat alone.
func thermalThrottleEvents(_ files: KernelFiles) -> Int? {
    let cpus = "/sys/devices/system/cpu"
    let counters = files.names(in: cpus).filter { $0.hasPrefix("cpu") && $0.dropFirst(3).allSatisfy(\.isNumber) }
        .flatMap { cpu in
            ["core_throttle_count", "package_throttle_count"].compactMap { name in
                files.number("\(cpus)/\(cpu)/thermal_throttle/\(name)")
            }
        }
    return counters.isEmpty ? nil : counters.reduce(0, +)
}

extension ControlGroups {
    /// How often each group around this process came to the end of its quota.
    var throttleCounts: [Int] {
        processorFolders.compactMap { folder in
            files.text(folder + "/cpu.stat").value
                .flatMap { values(of: "nr_throttled", in: $0, separator: " ").first }.flatMap { Int($0) }
        }
    }
}
