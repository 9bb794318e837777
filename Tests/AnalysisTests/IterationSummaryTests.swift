import Analysis
import Glibc
import Results
import Statistics
import TestSupport
import Testing

@Suite("Code timed in batches, summarised")
struct IterationSummaryTests {
    @Test("a summary is what arithmetic by hand gives: medians of samples less those of empty batches, over trials")
    func arithmetic() throws {
        let run = try SampledRun()
        // By iteration 10, 12 and 11, less 1 and 3; then 20 and 22, less 1.
        try run.addTrial(number: 0, work: [(1000, 100), (2400, 200), (1100, 100)], empty: [(100, 100), (300, 100)])
        try run.addTrial(number: 1, work: [(2000, 100), (4400, 200)], empty: [(100, 100)])
        let data = try run.load()
        #expect(data.missing == [])
        #expect(data.trials.map { data.iterationTime(of: $0) } == [9, 20])
        #expect(data.trials.map { data.emptyTime(of: $0) } == [2, 1])
        let summary = data.summary(of: BenchmarkID("S/n")!)
        let iteration = try #require(summary.iteration)
        #expect(iteration.time == MedianEstimate(of: [9, 20]) && iteration.empty == MedianEstimate(of: [2, 1]))
        #expect(iteration.samples == 5 && iteration.iterationsPerSample == 100)
        // 1/11, and 1/21.
        #expect(abs(iteration.scatter - (1.0 / 11 + 1.0 / 21) / 2) < 1e-12)
        #expect(summary.trialsCompleted == 2 && summary.warnings == [])
        #expect(summary.throughput == nil && summary.spent == nil && summary.processorTimePerTask == nil)
    }

    @Test("an empty body may take less than nothing, and stays so")
    func negative() throws {
        let run = try SampledRun()
        for number in 0..<6 { try run.addTrial(number: number, perIteration: [0.4, 0.45], empty: 0.5) }
        let time = try #require(try run.load().summary(of: BenchmarkID("S/n")!).iteration?.time)
        #expect(abs(time.median + 0.075) < 1e-12)
        #expect(try #require(time.interval).upper < 0)
    }

    @Test("samples that took no time at all are a time of nothing, without scatter")
    func zero() throws {
        let run = try SampledRun()
        try run.addTrial(number: 0, perIteration: [0, 0, 0], empty: 0)
        let iteration = try #require(try run.load().summary(of: BenchmarkID("S/n")!).iteration)
        #expect(iteration.time.median == 0 && iteration.scatter == 0 && iteration.time.interval == nil)
    }

    @Test("trials that failed take no part, and a completed one without a sample is told")
    func withoutSamples() throws {
        let run = try SampledRun(trials: 3)
        try run.addTrial(number: 0, perIteration: [10, 12, 11])
        try run.addTrial(number: 1, status: .failed, reason: "it crashed", work: [(999, 1)])
        try run.addTrial(number: 2, work: [])
        let summary = try run.load().summary(of: BenchmarkID("S/n")!)
        #expect(summary.iteration?.time == MedianEstimate(of: [10.5]) && summary.iteration?.samples == 3)
        #expect(summary.trialsCompleted == 2 && summary.trialsFailed == 1)
        #expect(summary.warnings == ["Trial 1 failed: it crashed.", "1 completed trial left no sample."])
    }

    @Test("where no empty batch was timed nothing is subtracted, and what was is not told as 0")
    func withoutEmpty() throws {
        let run = try SampledRun()
        try run.addTrial(number: 0, perIteration: [10, 12, 11], empty: nil)
        let data = try run.load()
        #expect(data.emptyTime(of: data.trials[0]) == nil)
        let iteration = try #require(data.summary(of: BenchmarkID("S/n")!).iteration)
        #expect(iteration.time.median == 11 && iteration.empty == nil)
    }

    @Test("a sampled benchmark is no workload of tasks, and takes no part in a ranking")
    func notRanked() throws {
        let run = try SampledRun(["S/n", "S/n[strategy=a]"])
        try run.addTrial(number: 0, perIteration: [1])
        let data = try run.load()
        #expect(data.workloads.isEmpty && data.sampledBenchmarks.count == 2)
        #expect(data.isSampled(BenchmarkID("S/n")!) && !data.isSampled(BenchmarkID("S/other")!))
        #expect(data.ranking(of: BenchmarkID("S/n")!).places.isEmpty)
    }

    @Test("of a sampled trial that was under way it is told how many samples were saved")
    func interrupted() throws {
        let run = try SampledRun(trials: 1, state: .interrupted)
        try run.addTrial(number: 0, status: .interrupted, reason: "stopped", work: [(10, 1), (11, 1)])
        let data = try run.load()
        #expect(
            data.missing == [
                "The run was stopped: 1 of 1 planned trial is missing.",
                "Trial 0 of S/n was under way; 2 samples of it were saved, and take no part in the statistics.",
            ])
        #expect(data.summary(of: BenchmarkID("S/n")!).iteration == nil)
    }

    @Test("a batch without a moment or without iterations is malformed", arguments: ["5,", "0,7"])
    func malformed(_ rest: String) throws {
        let run = try SampledRun()
        run.folder.write(
            SampleCSV.columns.joined(separator: ",") + "\nS/n,0,0,time,ns,10,\(rest)\n", to: "samples.csv")
        #expect(throws: ResultsError.self) { try run.load() }
    }

    @Test("a clock's parts of a nanosecond are kept, and moments are those that were written")
    func exact() throws {
        let run = try SampledRun()
        run.folder.write(
            SampleCSV.columns.joined(separator: ",")
                + "\nS/n,0,0,time,ns,10.25,4,-7\nS/n,0,1,cpu_time,ns,5,9,\nS/n,0,2,empty_time,ns,1e3,2,8\n",
            to: "samples.csv")
        let data = try run.load()
        let batches = try #require(data.batches[0])
        #expect(batches.work.elapsed == [10.25] && batches.work.at == [-7] && batches.work.perIteration == [2.5625])
        #expect(batches.empty.elapsed == [1000] && batches.empty.at == [8])
        #expect(data.samples[0]?.map(\.metric) == ["cpu_time"])
    }

    /// Processor time of the calling thread, in seconds: how long a thing takes where nothing else runs.
    private func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let begin = now()
        try body()
        return now() - begin
    }

    @Test("a run of a million samples is read and summarised in seconds")
    func million() throws {
        let run = try SampledRun(trials: 4)
        var random = SplitMix64(seed: 1)
        let header = SampleCSV.columns.joined(separator: ",") + "\n"
        var bytes = Array(header.utf8)
        for number in 0..<4 {
            for sample in 0..<250_000 {
                bytes += Array(
                    "S/n,\(number),\(sample),time,ns,\(1_000_000 + random.next(below: 5000)),1000,\(sample * 1_000_000)\n"
                        .utf8)
            }
            try run.addTrial(number: number, work: [])
        }
        run.folder.write(bytes, to: "samples.csv")
        var data: RunData?
        let reading = try processorSeconds { data = try run.load() }
        var summary: BenchmarkSummary?
        let summarising = processorSeconds { summary = data?.summary(of: BenchmarkID("S/n")!) }
        #expect(summary?.iteration?.samples == 1_000_000)
        #expect(reading < 10 && summarising < 10, "\(reading) s and \(summarising) s")
    }
}
