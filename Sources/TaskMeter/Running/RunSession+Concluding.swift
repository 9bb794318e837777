import Analysis
import Glibc
import Results

extension RunSession {
    /// Reads the run back from its files, as everyone else will, and writes what they say into `run.json`.
    package func conclude() throws -> RunData {
        var run = run
        rmdir(folder.logsFolder)
        // The state is written first: reading back a run that is still “running” would call it killed.
        try folder.write(run)
        var data = try RunData.load(folder)
        run.summaries = data.summaries()
        let suspicions = Suspicions(data, run.summaries)
        run.warnings = suspicions.grave + suspicions.slight
        if let uncounted { run.warnings.append("Instructions, retains and allocations were not counted: \(uncounted)") }
        run.files = ["tasks.csv", "phases.csv", "samples.csv", "trials.csv"].map { name in
            FileSize(name: name, bytes: fileSize(folder.path + "/" + name) ?? 0)
        }
        try folder.write(run)
        data.run = run
        return data
    }
}
