import Results
import Statistics

/// What the trials of an experiment say: under each condition, how the compared values rank by the metric that decides.
package struct ExperimentResult: Sendable {
    /// A value of each axis that is not compared.
    package struct Condition: Sendable {
        /// In the order of the axes; the axis along which is drawn among them.
        package var parameters: [BenchmarkID.Parameter]
        package var members: [Member]
        /// By the metric that decides. Those without a number are not among its places.
        package var ranking: Ranking
        /// Its place along the axis that is drawn along; nil where there is none, or where it is no number.
        package var along: Double?
        /// The parameters beside that axis: conditions that share them are drawn together.
        package var facet: [BenchmarkID.Parameter]
    }

    /// A compared value under one condition.
    package struct Member: Sendable {
        package var description: BenchmarkDescription
        /// What is compared, such as `pool-8`.
        package var name: String
        /// Over trials, by the metric that decides; nil where no trial has a number.
        package var estimate: MedianEstimate?
        /// By block.
        package var values: [Int: Double]
        /// Why trials have no number.
        package var gaps: [Reading]
    }

    /// `suite/name`.
    package var suite: String
    package var name: String
    package var about: String
    package var description: ExperimentDescription
    /// In the order of declaration.
    package var conditions: [Condition]

    /// Compared values in the order of declaration.
    package var contenders: [String] {
        var seen: Set<String> = []
        return conditions.flatMap(\.members).map(\.name).filter { seen.insert($0).inserted }
    }
}

extension RunData {
    /// The experiments of a run, in the order of their declaration.
    package func experiments() -> [ExperimentResult] {
        struct Name: Hashable {
            var suite: String
            var name: String
        }
        var order: [Name] = []
        var members: [Name: [BenchmarkDescription]] = [:]
        for benchmark in run.benchmarks where benchmark.experiment != nil {
            let name = Name(suite: benchmark.id.suite, name: benchmark.id.name)
            if members[name] == nil { order.append(name) }
            members[name, default: []].append(benchmark)
        }
        return order.compactMap { name in
            guard let all = members[name], let first = all.first, let experiment = first.experiment else { return nil }
            return ExperimentResult(
                suite: name.suite, name: name.name, about: first.about, description: experiment,
                conditions: conditions(of: all, experiment))
        }
    }

    private func conditions(
        of benchmarks: [BenchmarkDescription], _ experiment: ExperimentDescription
    ) -> [ExperimentResult.Condition] {
        var order: [[BenchmarkID.Parameter]] = []
        var grouped: [[BenchmarkID.Parameter]: [ExperimentResult.Member]] = [:]
        for benchmark in benchmarks {
            let rest = benchmark.id.parameters.filter { $0.axis != experiment.compares }
            let (values, gaps) = values(of: experiment.decides, benchmark.id)
            if grouped[rest] == nil { order.append(rest) }
            grouped[rest, default: []].append(
                ExperimentResult.Member(
                    description: benchmark, name: benchmark.id[experiment.compares] ?? benchmark.id.name,
                    estimate: MedianEstimate(of: Array(values.values)), values: values, gaps: gaps))
        }
        return order.map { parameters in
            let members = grouped[parameters] ?? []
            let values = Dictionary(members.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
            return ExperimentResult.Condition(
                parameters: parameters, members: members,
                ranking: Ranking(values, preferring: experiment.decides.direction.preference, by: .groups),
                along: experiment.along.flatMap { axis in
                    parameters.first { $0.axis == axis }.flatMap { Double($0.value) }
                },
                facet: parameters.filter { $0.axis != experiment.along })
        }
    }
}
