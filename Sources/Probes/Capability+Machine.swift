import Glibc
import Results

/// How many processors there are, and how many of them this process may use.
func processors(_ files: KernelFiles) -> Capability {
    Capability(
        "processors", for: "strategies that run tasks side by side",
        processorsState(
            usable: usableProcessors(),
            online: files.text("/sys/devices/system/cpu/online").value.flatMap(countOfList),
            quota: ControlGroups(files).processorQuota))
}

package func processorsState(usable: Int?, online: Int?, quota: Fact) -> Capability.State {
    guard let usable else {
        return .unavailable(reason: "the kernel does not say which processors this process may use", remedy: nil)
    }
    let all = online.map { " of \($0)" } ?? ""
    let limit =
        switch quota {
        case .known(let text): text
        case .unavailable(let reason): "whether with a quota is not known (\(reason))"
        }
    let detail = "\(usable)\(all) usable, \(limit)"
    if let quota = quota.value, quota != "no quota" {
        return .limited(
            "\(detail): when it is used up, everything stops until the next period, and tasks seem slow",
            remedy: "measure without a quota, or with one of whole processors set aside (cpuset)")
    }
    if usable == 1 {
        return .limited("\(detail): tasks, and what submits them, take turns", remedy: nil)
    }
    return .available(detail)
}

func governor(_ files: KernelFiles) -> Capability {
    Capability(
        "frequency governor", for: "a frequency that stays the same", governorState(frequencyGovernor(files)))
}

package func governorState(_ governor: Fact) -> Capability.State {
    switch governor {
    case .known("performance"): .available("performance")
    case .known(let name):
        .limited(
            "\(name): the frequency follows the load, and with it what a task spends",
            remedy: "sudo sh -c 'for file in /sys/devices/system/cpu/cpufreq/policy*/scaling_governor; do "
                + "echo performance > $file; done'")
    case .unavailable(let reason): .unavailable(reason: reason, remedy: nil)
    }
}

func virtualMachine(_ files: KernelFiles) -> Capability {
    let enclosure = Enclosure(files)
    let container = enclosure.container.map { "; this is a container (\($0))" } ?? ""
    return Capability(
        "machine of one's own", for: "times that nobody else disturbs",
        enclosure.virtualMachine == nil
            ? .available("no sign of a virtual machine" + container)
            : .limited("\(enclosure.fact): others may share the processors, unseen from here", remedy: nil))
}

func load(_ files: KernelFiles) -> Capability {
    Capability(
        "load now", for: "times that nothing else disturbs",
        loadState(files.text("/proc/loadavg").read(loadAverages), processors: usableProcessors() ?? 1))
}

package func loadState(_ load: Fact, processors: Int) -> Capability.State {
    switch load {
    case .unavailable(let reason): return .unavailable(reason: reason, remedy: nil)
    case .known(let text):
        let detail = "\(text) over 1, 5 and 15 minutes on \(processors) processors"
        // The average of the last minute still tells of the build that may have ended a moment ago.
        guard let now = text.split(separator: " ").first.flatMap({ Double($0) }), now > 0.5 * Double(processors) else {
            return .available(detail)
        }
        return .limited(
            "\(detail): something else runs, or ran until just now",
            remedy: "wait until the machine is quiet; “top” shows what runs")
    }
}

func openFiles() -> Capability {
    let (soft, hard) = openFilesLimit()
    return Capability("open files", for: "connections and logs", openFilesState(soft: soft, hard: hard))
}

package func openFilesState(soft: Int?, hard: Int?) -> Capability.State {
    guard let soft else { return .available("no limit") }
    guard soft < 1024 else { return .available("\(soft) (ulimit -n)") }
    let most = hard.map { min($0, 4096) } ?? 4096
    return .limited(
        "\(soft) (ulimit -n): many connections at once need more",
        remedy: most > soft ? "ulimit -n \(most)" : "ask for a higher hard limit than \(soft)")
}

func threads(_ files: KernelFiles) -> Capability {
    let limit = ThreadLimit(files)
    return Capability("threads", for: "a thread for each task", threadsState(limit?.count, setBy: limit?.setBy ?? ""))
}

package func threadsState(_ count: Int?, setBy: String) -> Capability.State {
    guard let count else { return .available("the kernel states no limit") }
    let detail = "\(count) in all (\(setBy))"
    guard count < 8192 else { return .available(detail) }
    return .limited(
        "\(detail): where thousands of tasks have a thread each, submission waits for threads to end",
        remedy: "raise \(setBy)")
}
