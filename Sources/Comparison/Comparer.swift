import Analysis
import FoundationEssentials
import Results
import Statistics
import TaskMeter

/// Makes pairs of trials until each benchmark is decided or has had its time, and judges them.
///
/// In each round every benchmark that is still open has one pair, in an order drawn anew; of the two trials of a pair a coin says which comes first.
/// Each side has a run's folder of its own, with all that its trials measured.
package struct Comparer {
    private let request: ComparisonRequest
    private let signals: SignalInbox
    private let observer: (ComparisonEvent) -> Void

    package init(
        _ request: ComparisonRequest, signals: SignalInbox, observer: @escaping (ComparisonEvent) -> Void
    ) {
        self.request = request
        self.signals = signals
        self.observer = observer
    }

    /// Compares to the end, or until a signal asks for it.
    ///
    /// - Returns: what is in the comparison's folder, too.
    package func compare() throws(RunError) -> ComparisonRecord {
        do {
            return try measure()
        } catch {
            throw (error as? RunError) ?? .environment("\(error)")
        }
    }

    private func measure() throws -> ComparisonRecord {
        let selections = try select()
        guard selections.base.areOptimised == selections.head.areOptimised else {
            throw RunError.environment(
                "one side was built with optimisation and the other without; build both alike")
        }
        var compared = try ComparedSelections(selections.base, selections.head, metrics: request.metrics)
        let folder = try ComparisonFolder.create(in: request.output, request.base.revision, request.head.revision)
        let base = try RunSession(
            request.base.run, selections.base, folder: folder + "/base", revision: request.base.revision,
            signals: signals)
        let head = try RunSession(
            request.head.run, selections.head, folder: folder + "/head", revision: request.head.revision,
            clock: base.selectedClock, signals: signals)
        let pairs = try PairCSV.Writer(creating: folder + "/pairs.csv")
        observer(.planned(folder: folder, benchmarks: compared.common.count, settled: compared.settled.count))
        var result = ComparisonRecord(
            state: .running, base: side(request.base, selections.base, "base"),
            head: side(request.head, selections.head, "head"), judge: request.judge, seed: request.seed)
        let began = base.clock.now()
        var isInterrupted = false
        var random = SplitMix64(seed: request.seed)
        var judgements = judge(compared.common)
        while !isInterrupted {
            let open = compared.common.indices.filter { index in
                compared.common[index].isOpen(judgements[index], request)
            }
            if let limit = request.maxTime, base.clock.now() - began >= limit, !open.isEmpty {
                result.stopReason = "the time given by --max-time was over"
                break
            }
            guard !open.isEmpty else { break }
            for index in random.shuffled(open) {
                observer(.pairBegan(compared.common[index].id, number: compared.common[index].pairs))
                let isWhole = try makePair(
                    &compared.common[index], base, head, baseFirst: random.next() & 1 == 0, pairs)
                guard isWhole, !signals.take() else {
                    isInterrupted = true
                    break
                }
                if let limit = request.maxTime, base.clock.now() - began >= limit { break }
            }
            judgements = judge(compared.common)
            observer(
                .roundEnded(
                    open: judgements.count { $0.contains { $0.verdict.isOpen } },
                    pairs: compared.common.reduce(0) { $0 + $1.pairs }))
        }
        result.state = isInterrupted ? .interrupted : .complete
        if isInterrupted { result.stopReason = "it was interrupted" }
        result.judgements =
            zip(judgements, compared.common).flatMap { judgements, benchmark in
                zip(judgements, benchmark.series).map { $0.recognisingModes(of: $1) }
            } + compared.settled
        result.duration = base.clock.now() - began
        try conclude(&result, base, head)
        try ComparisonFolder.write(result, to: folder)
        return result
    }

    /// What is selected of each side; what is selected of one alone is new or removed.
    private func select() throws(RunError) -> (base: Selection, head: Selection) {
        var (base, head) = (request.base.run, request.head.run)
        base.mayBeNothing = true
        let ofBase = try base.select()
        head.mayBeNothing = !ofBase.members.isEmpty
        return (ofBase, try head.select())
    }

    private func side(_ side: ComparisonRequest.Side, _ selection: Selection, _ folder: String) -> ComparedSide {
        var suites: [String: String] = [:]
        for member in selection.members { suites[member.description.id.suite] = member.executable.path }
        return ComparedSide(name: side.name, revision: side.revision, folder: folder, suites: suites)
    }

    /// What is known by now, of each benchmark.
    private func judge(_ benchmarks: [ComparedBenchmark]) -> [[Judgement]] {
        var judgements = request.judge.judge(benchmarks.flatMap(\.series))[...]
        return benchmarks.map { benchmark in
            var own = Array(judgements.prefix(benchmark.series.count))
            judgements = judgements.dropFirst(benchmark.series.count)
            if let failure = benchmark.failure {
                for index in own.indices { (own[index].verdict, own[index].reason) = (.failed, failure) }
            }
            return own
        }
    }

    /// Makes a pair; false when it was interrupted.
    private func makePair(
        _ benchmark: inout ComparedBenchmark, _ base: RunSession, _ head: RunSession, baseFirst: Bool,
        _ file: PairCSV.Writer
    ) throws -> Bool {
        let began = base.clock.now()
        var sides: [Bool: Measured] = [:]
        for isBase in baseFirst ? [true, false] : [false, true] {
            let session = isBase ? base : head
            let entry = RunPlan.Entry(
                trial: session.trials, block: benchmark.pairs, benchmark: isBase ? benchmark.base : benchmark.head)
            var contents: TrialContents?
            let executed = try session.execute(
                entry, reading: { contents = TrialContents(log: $0) }, onTick: { observer(.tick) })
            guard executed.trial.status != .interrupted else { return false }
            let measured = Measured(executed, session, contents ?? TrialContents(log: ""))
            if let failure = measured.failure {
                observer(.trialFailed(benchmark.id, side: isBase ? "base" : "head", reason: failure))
            }
            sides[isBase] = measured
        }
        guard let baseTrial = sides[true], let headTrial = sides[false] else { return false }
        for index in benchmark.series.indices {
            let metric = benchmark.series[index].metric
            let pair = TrialPair(
                number: benchmark.pairs, baseFirst: baseFirst, base: baseTrial.reading(of: metric),
                head: headTrial.reading(of: metric),
                disturbance: baseTrial.disturbance ?? headTrial.disturbance)
            benchmark.series[index].pairs.append(pair)
            try file.append(pair, of: benchmark.id, metric)
        }
        benchmark.pairs += 1
        benchmark.took = benchmark.took + (base.clock.now() - began)
        let failures = [("head", headTrial.failure), ("base", baseTrial.failure)].compactMap { side, failure in
            failure.map { "trial \(benchmark.pairs) of the \(side) failed: \($0)" }
        }
        if !failures.isEmpty { benchmark.failure = failures.joined(separator: "; ") }
        return true
    }

    /// Ends both runs, and tells of what makes the comparison doubtful.
    private func conclude(
        _ result: inout ComparisonRecord, _ base: RunSession, _ head: RunSession
    ) throws {
        for session in [base, head] {
            try session.end(
                result.state, stopReason: result.stopReason.map { "The comparison was not finished: \($0)" },
                madeAsPlanned: true)
            _ = try session.conclude()
        }
        if result.disturbedPairs > 0 {
            result.warnings.append(
                "The machine was disturbed during \(result.disturbedPairs) of \(result.pairs) pairs: they count like the others, and widen the "
                    + "intervals.")
        }
    }
}

/// What a trial measured, kept until its pair is whole.
private struct Measured {
    private var trial: Trial
    var disturbance: String?
    private var data: RunData

    init(_ executed: RunSession.Executed, _ session: RunSession, _ contents: TrialContents) {
        trial = executed.trial
        data = RunData(executed.trial, of: session.run, in: session.folder, executed.samples, contents)
        disturbance = executed.trial.disturbance(executed.samples)
    }

    /// Why it says nothing of how fast the work is; nil when it does. What fails early is fast, and no answer.
    var failure: String? {
        guard trial.status == .completed else { return trial.reason }
        let bad = trial.tasks.failed + trial.tasks.cancelled
        return bad == 0 ? nil : "\(bad) of \(trial.tasks.submitted) tasks failed or were cancelled"
    }

    func reading(of metric: Metric) -> Reading {
        failure.map { .notCounted(reason: $0) } ?? data.reading(of: metric, in: trial)
    }
}

extension ComparedBenchmark {
    /// Whether another pair is made.
    fileprivate func isOpen(_ judgements: [Judgement], _ request: ComparisonRequest) -> Bool {
        judgements.contains { $0.verdict.isOpen } && took < request.timePerBenchmark
            && pairs < request.maxPairs ?? .max
    }
}
