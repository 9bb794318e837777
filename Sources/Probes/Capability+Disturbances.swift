import Results

// What makes numbers of this machine vary, or differ from those of another, though the code is the same.

func turbo(_ files: KernelFiles) -> Capability {
    Capability("turbo", for: "a frequency that does not hang on heat and on idle neighbours", turboState(files))
}

/// `intel_pstate/no_turbo` is 1 when it is off, `cpufreq/boost` 1 when it is on (the kernel's cpufreq documentation).
package func turboState(_ files: KernelFiles) -> Capability.State {
    let intel = "/sys/devices/system/cpu/intel_pstate/no_turbo"
    let other = "/sys/devices/system/cpu/cpufreq/boost"
    let isOn: Bool
    let remedy: String
    if let value = files.number(intel) {
        isOn = value == 0
        remedy = "echo 1 | sudo tee \(intel)"
    } else if let value = files.number(other) {
        isOn = value != 0
        remedy = "echo 0 | sudo tee \(other)"
    } else {
        return .unavailable(reason: "the kernel does not tell, as is usual in a virtual machine", remedy: nil)
    }
    return isOn
        ? .limited("on: the frequency hangs on temperature and on how many cores work", remedy: remedy)
        : .available("off")
}

func multithreading(_ files: KernelFiles) -> Capability {
    let state: Capability.State =
        switch simultaneousMultithreading(files) {
        case .known("on"):
            .limited(
                "on: two threads share a core, and each makes the other slower",
                remedy: "echo off | sudo tee /sys/devices/system/cpu/smt/control")
        case .known(let text): .available(text)
        case .unavailable(let reason): .unavailable(reason: reason, remedy: nil)
        }
    return Capability("simultaneous multithreading", for: "cores that are not shared", state)
}

func addressRandomisation(_ files: KernelFiles) -> Capability {
    Capability("addresses", for: "the same layout in every process", addressRandomisationState(files))
}

/// `kernel.randomize_va_space` (proc(5)): 0 is none.
package func addressRandomisationState(_ files: KernelFiles) -> Capability.State {
    switch files.text("/proc/sys/kernel/randomize_va_space") {
    case .known("0"):
        return .limited(
            "the same in every process: all trials share one layout, whose luck their intervals do not show",
            remedy: "sudo sysctl kernel.randomize_va_space=2")
    case .known: return .available("drawn anew for each process, so that trials differ by it and intervals show it")
    case .unavailable(let reason): return .unavailable(reason: reason, remedy: nil)
    }
}

func stolenTime(_ files: KernelFiles) -> Capability {
    Capability("time taken by the host", for: "processors that are there when they are needed", stolenTimeState(files))
}

package func stolenTimeState(_ files: KernelFiles) -> Capability.State {
    guard let use = ProcessorUse(files) else { return .unavailable(reason: "/proc/stat does not tell it", remedy: nil) }
    let all = Double((use.busy + use.stolen).count)
    let share = all > 0 ? Double(use.stolen.count) / all : 0
    let percent = (share * 1000).rounded() / 10
    return share > 0.01
        ? .limited(
            "\(percent) % of the work since the start of the system: the host gave its processors to others",
            remedy: "measure on a host of its own, or use --exact, which no neighbour disturbs")
        : .available("\(percent) % of the work since the start of the system")
}

func swap(_ files: KernelFiles) -> Capability {
    Capability("swap", for: "memory that is where it was", swapState(files))
}

package func swapState(_ files: KernelFiles) -> Capability.State {
    guard let text = files.text("/proc/meminfo").value else {
        return .unavailable(reason: "/proc/meminfo cannot be read", remedy: nil)
    }
    func kibibytes(_ key: String) -> Int? {
        values(of: key, in: text).first.flatMap { Int($0.prefix { $0.isNumber }) }
    }
    guard let total = kibibytes("SwapTotal"), let free = kibibytes("SwapFree") else {
        return .unavailable(reason: "/proc/meminfo tells no swap", remedy: nil)
    }
    guard total > 0 else { return .available("none") }
    return total > free
        ? .limited(
            "\((total - free) / 1024) MiB of \(total / 1024) are used: what was swapped out is slow when it is touched",
            remedy: "close what uses the memory, then sudo swapoff -a && sudo swapon -a")
        : .available("\(total / 1024) MiB, none used")
}

func temperature(_ files: KernelFiles) -> Capability {
    Capability("temperature", for: "processors that heat does not slow down", temperatureState(files))
}

/// `temp` of each thermal zone is in thousandths of a degree Celsius, and so are its trip points (the kernel's
/// sysfs-class-thermal).
package func temperatureState(_ files: KernelFiles) -> Capability.State {
    let folder = "/sys/class/thermal"
    let zones = files.names(in: folder).filter { $0.hasPrefix("thermal_zone") }
    let hottest = zones.compactMap { files.number("\(folder)/\($0)/temp") }.max()
    let throttled = thermalThrottleEvents(files)
    let since = throttled.map { ", slowed down \($0) times since the start of the system" } ?? ""
    guard let hottest else {
        guard let throttled else {
            return .unavailable(
                reason: "the kernel shows no temperature, as is usual in a virtual machine", remedy: nil)
        }
        return throttled > 0
            ? .limited("slowed down \(throttled) times since the start of the system", remedy: "let it cool")
            : .available("never slowed down since the start of the system")
    }
    let degrees = "\(hottest / 1000) °C at the hottest" + since
    return hottest >= 85_000
        ? .limited(degrees, remedy: "let it cool, clean its fans, or lower the load before measuring")
        : .available(degrees)
}
