import CommandOptions
import Results
import Strategies

/// One benchmark with one value on each of its axes: what a trial executes.
package struct BenchmarkCase: Sendable {
    var benchmark: Benchmark
    package var id: BenchmarkID
    /// Nil for a sampled benchmark.
    var strategy: StrategyChoice?
    var values: [String: any AxisValue]

    /// When a trial submits no more tasks; at once for a benchmark that has none.
    func length(quick: Bool) -> TrialLength {
        guard case .tasks(let tasks) = benchmark.manner else { return .tasks(0) }
        return tasks.length(for: Parameters(values, seed: 0, scratchFolder: ""), quick: quick)
    }

    /// How tasks arrive; nil for a benchmark that has none.
    var load: Load? {
        guard case .tasks(let tasks) = benchmark.manner else { return nil }
        return tasks.load(Parameters(values, seed: 0, scratchFolder: ""))
    }

    package func warmupTasks(quick: Bool) -> Int {
        guard case .tasks(let tasks) = benchmark.manner else { return 0 }
        return tasks.warmupCount(for: Parameters(values, seed: 0, scratchFolder: ""), of: length(quick: quick))
    }

    /// Whether events are counted for the whole process: of a sampled benchmark the measuring thread alone counts.
    var isCountedAsProcess: Bool { if case .samples = benchmark.manner { false } else { true } }

    private var strategyNote: String {
        guard let strategy else { return "" }
        return strategy.note + (strategy.traits.map { " " + $0.text } ?? "")
    }

    package func description(quick: Bool) -> BenchmarkDescription {
        var description = BenchmarkDescription(
            id: id, about: benchmark.about, tasks: length(quick: quick).count ?? 0,
            warmupTasks: warmupTasks(quick: quick),
            load: "", strategyNote: strategyNote, declaredAt: benchmark.declaredAt,
            experiment: benchmark.experiment?.description, trials: benchmark.mostTrials,
            countedExactly: benchmark.isCountedExactly ? true : nil, workClass: benchmark.workClass)
        description.lasts = length(quick: quick).time
        description.isClosedLoop = load?.isClosed == true ? true : nil
        description.isOpenLoop = load?.isOpen == true ? true : nil
        switch benchmark.manner {
        case .tasks: description.load = load?.text ?? ""
        case .samples(let samples):
            description.sampling = (quick ? samples.sampling.quick : samples.sampling).text
        case .observations(let observations): description.observes = observations.metrics
        }
        return description
    }
}

/// A mistake in a suite's declaration, in a sentence that names the place.
package struct DeclarationError: Error, CustomStringConvertible {
    package var description: String
}

extension Suite {
    /// Every benchmark of the suite with every combination of its axes' values, in the order of declaration.
    ///
    /// - Parameter full: whether those that take long are among them.
    package func cases(full: Bool = true) throws(DeclarationError) -> [BenchmarkCase] {
        try checkName(name, "suite", at: nil)
        var places: [String: String] = [:]
        var cases: [BenchmarkCase] = []
        for benchmark in benchmarks {
            let place = benchmark.declaredAt
            try checkName(benchmark.name, "benchmark", at: place)
            if let other = places.updateValue(place, forKey: benchmark.name) {
                throw DeclarationError(
                    description: "suite \(name) declares the benchmark “\(benchmark.name)” twice, at \(other) and at "
                        + "\(place); give one of them another name")
            }
            if let fault = fault(in: benchmark.manner) ?? fault(inExperimentOf: benchmark) {
                throw DeclarationError(description: "benchmark “\(benchmark.name)” at \(place) has \(fault)")
            }
            let expanded = try expand(benchmark, full: full)
            for testCase in expanded {
                if let fault = fault(inLoadOf: testCase) {
                    throw DeclarationError(description: "benchmark “\(benchmark.name)” at \(place) has \(fault)")
                }
            }
            if case .tasks = benchmark.manner,
                let empty = expanded.first(where: { $0.length(quick: false).isEmpty || $0.length(quick: true).isEmpty })
            {
                throw DeclarationError(
                    description: "\(empty.id), declared at \(place), has no tasks; it needs at least 1")
            }
            cases += expanded
        }
        return cases
    }

    /// What a benchmark has that it must not, and what it needs in its place; nil when all is well.
    private func fault(in manner: Benchmark.Manner) -> String? {
        switch manner {
        case .tasks: break
        case .samples(let samples):
            if samples.sampling.samples < 1 { return "\(samples.sampling.samples) samples; it needs at least 1" }
            if samples.sampling.duration <= .zero {
                return "\(samples.sampling.duration.count) ns for its samples; it needs more than none"
            }
        case .observations(let observations):
            let names = observations.metrics.map(\.name)
            if names.isEmpty { return "no metric to observe; it needs at least one" }
            let reserved = Set(Metric.standard.map(\.name))
            for (place, name) in names.enumerated() {
                if !Self.isMetricName(name) {
                    return "a metric named “\(name)”; a name is of lower-case letters, digits and _"
                }
                if reserved.contains(name) || Metric.taskTime(named: name) != nil {
                    return "a metric named “\(name)”, which TaskMeter itself measures; give it another name"
                }
                if names[..<place].contains(name) { return "the metric “\(name)” twice" }
            }
        }
        return nil
    }

    private func fault(inLoadOf testCase: BenchmarkCase) -> String? {
        guard let load = testCase.load else { return nil }
        let warmup = testCase.warmupTasks(quick: false)
        if warmup < 0 { return "\(warmup) tasks for warm-up; it needs 0 or more" }
        switch load {
        case .inFlight(let count) where count < 1: return "\(count) tasks in flight; it needs at least 1"
        case .open(let rate, _) where !(rate > 0 && rate.isFinite):
            return "\(rate) tasks a second; it needs more than none"
        case .open(_, .bursts(let size)) where size < 1: return "bursts of \(size); they need at least 1"
        case .scheduled(let moments):
            if zip(moments, moments.dropFirst()).contains(where: { $0 > $1 }) {
                return "arrivals that are not in order"
            }
            let tasks = testCase.length(quick: false).count ?? 0
            if moments.count < tasks { return "\(tasks) tasks, and moments for \(moments.count)" }
        default: break
        }
        if !load.isClosed, testCase.length(quick: false).time != nil {
            return
                "a time to last, which only a closed loop can have: give it `load: .inFlight(…)`, or a number of tasks"
        }
        return nil
    }

    private static func isMetricName(_ name: String) -> Bool {
        name.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
            }
    }

    /// An experiment speaks of axes and of a metric that its benchmark must have.
    private func fault(inExperimentOf benchmark: Benchmark) -> String? {
        if let trials = benchmark.mostTrials, trials < 1 { return "\(trials) trials; it needs at least 1" }
        if benchmark.isCountedExactly, case .observations = benchmark.manner {
            return "exact counts, which only tasks and iterations have"
        }
        guard let experiment = benchmark.experiment?.description else { return nil }
        if experiment.along == experiment.compares {
            return "an experiment that compares the axis “\(experiment.compares)” along itself"
        }
        var axes = benchmark.axes.map(\.name)
        let decides = experiment.decides.name
        if experiment.decides.probe == .suite {
            guard case .observations = benchmark.manner else {
                return "an experiment that is decided by \(decides), which only a benchmark that observes could tell"
            }
        }
        switch benchmark.manner {
        case .tasks:
            axes.append(BenchmarkID.strategyAxis)
            if decides == Metric.iterationTime.name {
                return "an experiment that is decided by the time of iterations, and has none"
            }
        case .samples:
            if decides == Metric.throughput.name || Metric.taskTime(named: decides) != nil {
                return "an experiment that is decided by \(decides), and has no tasks"
            }
        case .observations(let observations):
            let known = observations.metrics.map(\.name) + Metric.ofProcess.map(\.name)
            if !known.contains(decides), Metric.taskTime(named: decides) == nil {
                return "an experiment that is decided by \(decides), which it does not observe"
            }
        }
        let missing = [experiment.compares, experiment.along].compactMap { $0 }.first { !axes.contains($0) }
        return missing.map { "an experiment with the axis “\($0)”, which it does not have: add it to `axes:`" }
    }

    private func expand(_ benchmark: Benchmark, full: Bool) throws(DeclarationError) -> [BenchmarkCase] {
        let place = benchmark.declaredAt
        var axes = benchmark.axes
        if case .tasks(let tasks) = benchmark.manner { axes.append(Axis(BenchmarkID.strategyAxis, tasks.strategies)) }
        var combinations: [[(axis: any AnyAxis, value: Int)]] = [[]]
        var names: Set<String> = []
        for axis in axes {
            try checkName(axis.name, "axis", at: place)
            let texts = axis.valueTexts
            guard names.insert(axis.name).inserted else {
                throw DeclarationError(
                    description: "benchmark “\(benchmark.name)” at \(place) has the axis “\(axis.name)” twice")
            }
            guard !texts.isEmpty, Set(texts).count == texts.count else {
                throw DeclarationError(
                    description: "the axis “\(axis.name)” of the benchmark “\(benchmark.name)” at \(place) has "
                        + (texts.isEmpty ? "no values" : "a value twice"))
            }
            for text in texts { try checkName(text, "value of the axis “\(axis.name)”", at: place) }
            let chosen = texts.indices.filter { full || !axis.takesLong(at: $0) }
            combinations = combinations.flatMap { head in chosen.map { head + [(axis, $0)] } }
        }
        return combinations.map { combination in
            let values = combination.map { ($0.axis.name, $0.axis.value(at: $0.value)) }
            // Of a benchmark of tasks the last axis is the strategy’s.
            let strategy =
                values.last?.1 as? StrategyChoice ?? values.lazy.compactMap { $0.1 as? StrategyChoice }.first
            let parameters = values.map { BenchmarkID.Parameter(axis: $0.0, value: $0.1.axisText) }
            return BenchmarkCase(
                benchmark: benchmark, id: BenchmarkID(suite: name, name: benchmark.name, parameters: parameters),
                strategy: strategy, values: Dictionary(uniqueKeysWithValues: values))
        }
    }

    /// A part of an identity must not be empty, nor hold what separates the parts.
    private func checkName(_ text: String, _ kind: String, at place: String?) throws(DeclarationError) {
        let bad = text.unicodeScalars.first {
            BenchmarkID.reservedCharacters.unicodeScalars.contains($0) || $0.properties.generalCategory == .control
        }
        let location = place.map { " at \($0)" } ?? ""
        if text.isEmpty { throw DeclarationError(description: "a \(kind)\(location) has an empty name") }
        if let bad {
            let shown = bad.properties.generalCategory == .control ? "a control character" : "“\(bad)”"
            throw DeclarationError(
                description:
                    "the \(kind) “\(text)”\(location) contains \(shown), which identities use to separate their parts")
        }
    }
}
