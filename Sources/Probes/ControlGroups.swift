import Results

/// The control groups that this process is in, of either version, and the limits that they set.
package struct ControlGroups: Sendable {
    let files: KernelFiles
    /// Folders of this process's groups, innermost first, by controller; "" is the controller of version 2.
    private var folders: [String: [String]] = [:]

    package init(_ files: KernelFiles) {
        self.files = files
        for line in (files.text("/proc/self/cgroup").value ?? "").split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                let mounts =
                    controller.isEmpty
                    ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
                    : ["/sys/fs/cgroup/\(controller)", "/sys/fs/cgroup/\(parts[1])"]
                guard let mount = mounts.first(where: { files.exists($0 + "/cgroup.procs") }) else { continue }
                folders[String(controller)] = Self.ancestors(mount: mount, path: String(parts[2]))
            }
        }
    }

    /// The folder of a group and of all groups around it.
    private static func ancestors(mount: String, path: String) -> [String] {
        var components = path.split(separator: "/")
        var result: [String] = []
        while !components.isEmpty {
            result.append(mount + "/" + components.joined(separator: "/"))
            components.removeLast()
        }
        return result + [mount]
    }

    /// Processors' worth of time that the groups allow this process: the least of all groups around it, or no quota.
    package var processorQuota: Fact {
        let version2 = (folders[""] ?? []).compactMap { folder in
            files.text(folder + "/cpu.max").value.flatMap(Self.quota(cpuMax:))
        }
        let version1 = (folders["cpu"] ?? []).compactMap { folder -> Double? in
            guard let quota = files.number(folder + "/cpu.cfs_quota_us"), quota > 0,
                let period = files.number(folder + "/cpu.cfs_period_us"), period > 0
            else { return nil }
            return Double(quota) / Double(period)
        }
        guard !folders.isEmpty else { return .unavailable(reason: "/proc/self/cgroup names no control group") }
        guard let least = (version2 + version1).min() else { return .known("no quota") }
        return .known("\((least * 100).rounded() / 100) processors")
    }

    /// The share of a text such as `150000 100000` (microseconds of each period); nil for `max`.
    package static func quota(cpuMax: String) -> Double? {
        let numbers = cpuMax.split(separator: " ").map { Double($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], period > 0 else { return nil }
        return quota / period
    }

    /// The folders of the groups that govern processor time, of either version.
    var processorFolders: [String] { (folders[""] ?? []) + (folders["cpu"] ?? []) }

    /// How many processes and threads the groups allow; nil when they set no limit.
    package var threadLimit: Int? {
        ((folders[""] ?? []) + (folders["pids"] ?? [])).compactMap { files.number($0 + "/pids.max") }.min()
    }
}
