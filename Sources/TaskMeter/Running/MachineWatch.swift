import Probes
import Results

/// What is read of the machine, and of a suite from outside, while a trial runs: where reading disturbs the suite least.
struct MachineWatch {
    /// The suite's process, once there is one.
    var suite: Int32?

    private let files = KernelFiles()
    private let atStart: MachineCounts
    private var measuringBegan: MachineCounts?
    private var measuringEnded: MachineCounts?
    private var mostThreads: Int?
    private var looks = 0
    /// Fewer looks than these see little of what a trial does.
    private static let fewestLooks = 5
    private var phase: TrialPhase?
    private let energy: EnergyAccounts
    private var window: EnergyWindow?
    /// What the machine took while the trial measured; nil where that was not counted.
    private(set) var energyUse: EnergyUse?

    /// Before the suite is started.
    init(_ energy: EnergyAccounts) {
        self.energy = energy
        atStart = MachineCounts(files)
    }

    /// Looks at what goes on now, some twenty times a second and whenever the suite says something.
    ///
    /// - Parameter phase: what the suite said last that it is doing.
    mutating func look(_ phase: TrialPhase?) {
        if phase != self.phase {
            if let window, self.phase == .measure {
                energyUse = energy.end(window)
                measuringEnded = MachineCounts(files)
            }
            if phase == .measure {
                measuringBegan = MachineCounts(files)
                window = energy.begin()
            }
            self.phase = phase
        }
        if phase == .measure, let suite, let threads = threadCount(ofProcess: suite, files) {
            mostThreads = max(mostThreads ?? 0, threads)
            looks += 1
        }
    }

    /// What was seen.
    ///
    /// - Parameter told: what the suite told of itself.
    func samples(of told: [Sample]) -> [Sample] {
        let now = MachineCounts(files)
        let own = told.first { $0.metric == Metric.processorTime.name }?.value
        let others =
            measuringBegan.map { $0.others(until: measuringEnded ?? now, own: own) }
            ?? .notCounted(reason: "measuring did not begin")
        let readings: [(Metric, Reading)] = [
            (.stealTime, atStart.steal(until: now)), (.throttled, atStart.throttling(until: now)),
            (.otherProcessorTime, others),
            (
                .peakThreads,
                looks >= Self.fewestLooks
                    ? .measured(Double(mostThreads ?? 0))
                    : .notCounted(reason: "measuring was over before its threads could be looked at often enough")
            ),
        ]
        return readings.map { Sample($0, $1, iterations: 1) }
    }
}
