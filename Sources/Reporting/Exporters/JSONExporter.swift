import Analysis
import FoundationEssentials
import Results
import Statistics

/// Everything that the run says, for programs. Times are in nanoseconds and rates per second, always.
enum JSONExporter: ResultExporter {
    static let name = "json"

    private struct Document: Encodable {
        var schema = Run.currentSchema
        /// Of a number, or of all numbers in a part but those that are named by themselves.
        var units = [
            "throughput": "1/s", "elapsed": "ns", "processorTimePerTask": "ns", "spent": "ns", "wait": "ns",
            "iteration": "ns", "iteration.samples": "1", "iteration.iterationsPerSample": "1",
            "iteration.scatter": "1", "costs": "by each metric's own unit", "selfCost": "ns", "clock": "ns",
            "phases": "ns", "phases.segments.share": "1", "phases.tasks": "1", "loads.rate": "1/s",
            "loads.throughput": "1/s", "loads.kept": "1", "loads.response": "ns", "loads.lag": "ns",
            "clock.driftAgainstRaw": "ppm",
            "clock.slewOfMonotonic": "ppm", "ratioToBest": "1", "workers": "1", "workers.workersPerSecond": "1/s",
        ]
        var id: String
        var state: Run.State
        var originUTC: String
        var revision: Revision
        var environment: Environment
        var configuration: RunConfiguration
        var selfCost: SelfCost?
        var clock: ClockFacts?
        var missing: [String]
        var doubts: [String]
        var experiments: [Experiment]
        var loads: [Load]
        var workloads: [Workload]
        var benchmarks: [BenchmarkSummary]
    }

    /// Benchmarks of growing load.
    private struct Load: Encodable {
        /// `suite/name`.
        var benchmarks: String
        var parameters: [String: String]
        var comparedAxis: String
        var curves: [Curve]

        struct Curve: Encodable {
            var value: String
            /// The highest rate that was kept up with; nil where there is none.
            var knee: Double?
            var points: [Point]
        }

        struct Point: Encodable {
            var rate: Double
            var throughput: Double?
            var kept: Double?
            var responseP50: Double?
            var responseP99: Double?
            var lagP99: Double?
        }
    }

    private static func load(_ view: LoadView) -> Load {
        Load(
            benchmarks: view.identity,
            parameters: Dictionary(
                view.family.parameters.map { ($0.axis, $0.value) }, uniquingKeysWith: { first, _ in first }),
            comparedAxis: view.family.compares,
            curves: view.family.curves.map { curve in
                Load.Curve(
                    value: curve.name, knee: curve.knee.rate,
                    points: curve.points.map {
                        Load.Point(
                            rate: $0.rate, throughput: $0.throughput, kept: $0.kept, responseP50: $0.responseP50,
                            responseP99: $0.responseP99, lagP99: $0.lagP99)
                    })
            })
    }

    private struct Experiment: Encodable {
        /// `suite/name`.
        var experiment: String
        var question: String
        var comparedAxis: String
        /// What decides; its unit is that of the estimates below.
        var metric: Metric
        var finding: String
        var conditions: [Condition]
    }

    private struct Condition: Encodable {
        /// Values of the other axes, by axis.
        var parameters: [String: String]
        var finding: String
        var confidence: Double
        var trialsNeeded: Int
        var ranking: [ComparedValue]
        /// Why compared values, or some of their trials, have no number.
        var reasons: [String: [String]]
    }

    private struct ComparedValue: Encodable {
        var value: String
        var rank: Int
        var estimate: MedianEstimate
        var ratioToBest: MedianEstimate?
        var isToldApartFromBest: Bool
    }

    private struct Workload: Encodable {
        var workload: BenchmarkID
        var answer: String
        var advice: String?
        /// The strategy to take; nil where the data do not support a choice.
        var choice: String?
        /// The Pareto set.
        var efficient: [String]?
        var workerGrowth: [String]
        var confidence: Double
        var trialsNeeded: Int
        var ranking: [Place]
    }

    private struct Place: Encodable {
        var strategy: String
        var standing: String
        var rank: Int?
        var throughput: MedianEstimate?
        var ratioToBest: MedianEstimate?
    }

    private static func experiment(_ view: ExperimentView) -> Experiment {
        Experiment(
            experiment: view.identity, question: view.result.description.question,
            comparedAxis: view.result.description.compares, metric: view.metric, finding: view.finding,
            conditions: view.result.conditions.map { condition in
                Condition(
                    parameters: Dictionary(
                        condition.parameters.map { ($0.axis, $0.value) }, uniquingKeysWith: { first, _ in first }),
                    finding: view.finding(condition), confidence: condition.ranking.confidence,
                    trialsNeeded: condition.ranking.blocksNeeded,
                    ranking: condition.ranking.places.map {
                        ComparedValue(
                            value: $0.name, rank: $0.rank, estimate: $0.estimate, ratioToBest: $0.ratioToBest,
                            isToldApartFromBest: $0.isToldApartFromBest)
                    },
                    reasons: Dictionary(
                        condition.members.filter { !$0.gaps.isEmpty }.map { ($0.name, $0.gaps.compactMap(\.reason)) },
                        uniquingKeysWith: { first, _ in first }))
            })
    }

    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String {
        let suspicions = Suspicions(data, summaries)
        let document = Document(
            id: data.run.id, state: data.run.state, originUTC: data.run.originUTC, revision: data.run.revision,
            environment: data.run.environment, configuration: data.run.configuration,
            selfCost: data.run.selfCost, clock: data.run.clock, missing: data.missing,
            doubts: suspicions.grave + suspicions.slight,
            experiments: ExperimentView.all(data, summaries).map(experiment),
            loads: LoadView.all(data, summaries).map(load),
            workloads: WorkloadView.all(data, summaries).map { workload in
                Workload(
                    workload: workload.workload, answer: workload.rankingSentence,
                    advice: workload.adviceSentence, choice: workload.advice?.choice,
                    efficient: workload.advice?.efficient,
                    workerGrowth: workload.workerGrowthSentences, confidence: workload.ranking.confidence,
                    trialsNeeded: workload.ranking.blocksNeeded,
                    ranking: workload.entries.map {
                        Place(
                            strategy: $0.strategy, standing: CSVExporter.standing($0.standing), rank: $0.standing.rank,
                            throughput: $0.place?.estimate, ratioToBest: $0.place?.ratioToBest)
                    })
            },
            benchmarks: summaries)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // JSON has no infinity; a value that is none is told as a word, never as null or 0.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "not a number")
        guard let bytes = try? encoder.encode(document) else {
            return "{\"error\": \"the results cannot be told in JSON\"}\n"
        }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }
}
