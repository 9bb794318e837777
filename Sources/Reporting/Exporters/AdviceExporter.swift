import Analysis
import Results
import Statistics
import Words

/// The answers alone, in Markdown: which strategy for which work, and what each experiment found. For a README or a wiki.
enum AdviceExporter: ResultExporter {
    static let name = "advice"

    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String {
        let run = data.run
        let processor = run.environment.processor.value ?? "a processor that is not known"
        let system = run.environment.operatingSystem.value ?? "Linux"
        let kernel = run.environment.kernel.value.map { ", kernel \($0)" } ?? ""
        var lines = [
            escaped(
                "Measured at revision \(run.revision.short) on \(run.originUTC.prefix(10)): \(processor), "
                    + "\(PlainNumber.counted(run.environment.usableProcessors, "processor")), "
                    + "\(run.environment.virtualMachine.value ?? "a machine of its own"); \(system)\(kernel); "
                    + "\(run.environment.swiftVersion.value ?? "Swift of an unknown version").")
        ]
        let workloads = WorkloadView.all(data, summaries).filter { $0.advice != nil }
        if !workloads.isEmpty {
            lines += [
                "", "| work | arrivals | tasks/s of the fastest | efficient | advice |",
                "| :--- | :--- | ---: | :--- | :--- |",
            ]
            lines += workloads.map { workload in
                let description = workload.entries.first?.description
                let cells = [
                    description?.workClass ?? workload.title, description?.load ?? "",
                    workload.ranking.best.map { EstimateText.plain($0.estimate) } ?? "–",
                    workload.advice?.efficient.joined(separator: ", ") ?? "–",
                    workload.adviceSentence ?? workload.rankingSentence,
                ]
                return "| " + cells.map(escaped).joined(separator: " | ") + " |"
            }
        }
        let experiments = ExperimentView.all(data, summaries)
        if !experiments.isEmpty {
            lines.append("")
            lines += experiments.map { "- **\(escaped($0.question))** \(escaped($0.finding)) (`\($0.identity)`)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String { MarkdownExporter.escaped(text) }
}
