import LocalServer
import Probes
import Results
import TaskMeter

/// Asks a server for so many requests, at a rate that it can answer, and records each; none may be lost.
///
/// - Parameter limit: of bytes that the process that sends the requests may have resident.
func loadServer(_ url: String, requests: Int, perSecond rate: Int, into folder: String, below limit: Double) throws {
    try taskmeter([
        "load", url, "--stack", "socket-epoll", "--connections", "16", "--rate", "\(rate)", "--arrivals", "uniform",
        // A machine that is too slow answers late, and that is not what is asked here.
        "--duration", "\(requests / rate)", "--timeout", "300", "--trials", "1", "--idle", "0", "--no-report",
        "--quiet",
        "--output", folder,
    ])
    let run = RunFolder(folder + "/latest")
    let trials = try TrialCSV.read(run.trialsFile)
    guard trials.count == 1, trials[0].tasks == TaskCounts(submitted: requests, ok: requests),
        trials[0].faults == .none
    else { throw ScaleError(description: "not all of \(requests) requests were recorded: \(trials)") }
    let peak = Metric.peakResidentMemory.name
    guard let bytes = try SampleCSV.read(run.samplesFile).first(where: { $0.sample.metric == peak })?.sample.value
    else {
        throw ScaleError(description: "the run has no \(peak) of the process that sent the requests")
    }
    print("\(requests) requests recorded, with \(bytes / 1e6) MB resident at most")
    guard bytes <= limit else {
        throw ScaleError(description: "\(bytes / 1e6) MB were resident, more than \(limit / 1e6)")
    }
}
