import Clocks
import Results

/// What this machine is, as far as it shapes what is measured on it. Takes some milliseconds; call it once in a run.
///
/// Tells nothing by which a person or a host could be known, and no frequency: what is measured changes, and what
/// changes cannot tell one machine from another.
package func currentEnvironment(buildConfiguration: Fact) -> Environment {
    let files = KernelFiles()
    let (kernelRelease, architecture) = kernel()
    var environment = Environment(
        operatingSystem: distribution(files), kernel: kernelRelease, architecture: architecture,
        processor: files.text("/proc/cpuinfo").read(processorModel(cpuinfo:)),
        usableProcessors: usableProcessors() ?? 1,
        memoryBytes: files.text("/proc/meminfo").read(memoryBytes(meminfo:)), clockSource: clockSource(files),
        clockResolution: clockResolution(), governor: frequencyGovernor(files),
        simultaneousMultithreading: simultaneousMultithreading(files), virtualMachine: Enclosure(files).fact,
        loadAtStart: files.text("/proc/loadavg").read(loadAverages), swiftVersion: swiftVersion(),
        buildConfiguration: buildConfiguration)
    environment.processorQuota = ControlGroups(files).processorQuota
    environment.openFilesLimit = .known(openFilesLimit().soft.map(String.init) ?? "no limit")
    environment.threadLimit =
        ThreadLimit(files).map { .known("\($0.count) (\($0.setBy))") }
        ?? .unavailable(reason: "the kernel states no limit")
    return environment
}
