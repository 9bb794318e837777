import Results

/// A run of benchmarks that says as little as a run can.
package func exampleRun(
    _ benchmarks: [String] = ["S/n[strategy=a]", "S/n[strategy=b]"], trials: Int = 2
) -> Run {
    let fact = Fact.known("fact")
    return Run(
        id: "00000000-0000-0000-0000-000000000000", originUTC: "2026-01-01T00:00:00.000Z",
        revision: Revision(commit: .known("0123456789abcdef"), branch: .known("main"), differenceHash: nil),
        environment: Environment(
            operatingSystem: fact, kernel: fact, architecture: fact, processor: fact, usableProcessors: 2,
            memoryBytes: fact, clockSource: fact, clockResolution: Nanoseconds(1),
            governor: .unavailable(reason: "no “governor”"), simultaneousMultithreading: fact, virtualMachine: fact,
            loadAtStart: fact, swiftVersion: fact, buildConfiguration: fact),
        configuration: RunConfiguration(
            command: ["taskmeter", "run"], trials: trials, seed: .max, quick: false, timeLimit: .seconds(60),
            allowDebug: false),
        benchmarks: benchmarks.map {
            BenchmarkDescription(
                id: BenchmarkID($0)!, about: "About it.", tasks: 3, warmupTasks: 0, load: "burst", strategyNote: "",
                declaredAt: "main.swift:1")
        },
        metrics: Metric.standard)
}
