import Analysis
import FoundationEssentials
import Glibc
import Results
import Words

/// What a report came to.
package struct ReportOutcome: Sendable {
    package var reportFile: String
    /// Plots that were drawn.
    package var plots: Int
    /// Which plots are missing, why, and how to get them, in sentences.
    package var missingPlots: [String]
}

/// Makes a run folder's report: plots with their scripts and data, and the page that holds all.
///
/// In goes what the run recorded and its summaries; out come `plots/` and `index.html`. Nothing is measured here, and
/// no statistics are made: the page says what `Analysis` found. A missing or failing gnuplot costs pictures, never the
/// page.
package struct ReportWriter {
    private let gnuplot: String?
    private let progress: ((String) -> Void)?

    /// - Parameters:
    ///   - gnuplot: the program; nil to search for it in `PATH`.
    ///   - progress: told of each workload whose plots are being drawn.
    package init(gnuplot: String? = nil, progress: ((String) -> Void)? = nil) {
        self.gnuplot = gnuplot
        self.progress = progress
    }

    package func write(_ data: RunData, summaries: [BenchmarkSummary]) throws(ResultsError) -> ReportOutcome {
        let workloads = WorkloadView.all(data, summaries)
        let sampled = SampledView.all(data, summaries)
        let experiments = ExperimentView.all(data, summaries)
        let loads = LoadView.all(data, summaries)
        let folder = data.folder.plotsFolder
        try makeFolder(folder)
        let tool: Result<Gnuplot, Gnuplot.Failure>
        do throws(Gnuplot.Failure) { tool = .success(try Gnuplot(gnuplot)) } catch { tool = .failure(error) }

        var names = SafeNames()
        var sections: [ReportPage.Section] = []
        let segments = Self.segments(
            plots: workloads.reduce(loads.count) { sum, workload in
                sum + ReportPlots.all.count { $0.concerns(workload) }
            } + sampled.reduce(0) { $0 + $1.entries.count }
                + experiments.reduce(0) { $0 + 3 * $1.facets.count })
        let experimentSections = experiments.map { view in
            progress?("drawing the experiment \(view.identity)")
            return experimentSection(view, data, &names, segments: segments, tool)
        }
        let loadSections = loads.map { view in
            progress?("drawing the growing load \(view.title)")
            return loadSection(view, data, &names, segments: segments, tool)
        }
        for (index, workload) in workloads.enumerated() {
            progress?("drawing \(workload.title) (\(index + 1) of \(workloads.count))")
            let anchor = names.name(for: workload.workload.description)
            var figures: [ReportPage.Figure] = []
            for plot in ReportPlots.all where plot.concerns(workload) {
                let frame = PlotFrame(name: "\(anchor)-\(plot.kind)", segments: segments)
                figures.append(
                    figure(
                        ReportPage.Figure(title: plot.title, howToRead: plot.howToRead, name: frame.name),
                        plot.draw(workload, data, frame), data, tool))
            }
            sections.append(ReportPage.Section(anchor: anchor, workload: workload, figures: figures))
        }
        let sampledSections = sampled.map { view in
            progress?("drawing code timed in batches of \(PlainText.oneLine(view.suite))")
            return sampledSection(view, data, &names, segments: segments, tool)
        }
        let figures =
            experimentSections.flatMap { section in section.figures.map { (section.view.identity, $0) } }
            + loadSections.map { ($0.view.identity, $0.figure) }
            + sections.flatMap { section in section.figures.map { (section.workload.title, $0) } }
            + sampledSections.flatMap { section in zip(section.view.entries.map(\.title), section.figures) }
        let missing = missingPlots(figures, tool)
        let page = ReportPage(
            data: data, summaries: summaries, sections: sections, sampledSections: sampledSections,
            experiments: experimentSections, loads: loadSections, missingPlots: missing)
        try writeAtomically(Array(page.html().utf8), to: data.folder.reportFile)
        return ReportOutcome(
            reportFile: data.folder.reportFile, plots: figures.count { $0.1.picture != nil }, missingPlots: missing)
    }

    private func experimentSection(
        _ view: ExperimentView, _ data: RunData, _ names: inout SafeNames, segments: Int,
        _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> ReportPage.ExperimentSection {
        let anchor = names.name(for: view.identity + " experiment")
        let figures = view.facets.flatMap { facet in
            let base = facet.title.isEmpty ? anchor : names.name(for: "\(view.identity) \(facet.title)")
            let frame = PlotFrame(name: "\(base)-\(ExperimentPlot.kind)", segments: segments)
            let title = view.metricTitle.prefix(1).uppercased() + view.metricTitle.dropFirst()
            let of = facet.title.isEmpty ? "" : ", " + facet.title
            let decided = figure(
                ReportPage.Figure(
                    title: title + of, howToRead: ExperimentPlot.howToRead(view), name: frame.name),
                ExperimentPlot.draw(view, facet, frame), data, tool)
            return [decided] + phaseFigures(PhaseView(view, facet), base, of, data, segments: segments, tool)
        }
        return ReportPage.ExperimentSection(anchor: anchor, view: view, figures: figures)
    }

    /// Where the time of an experiment's tasks goes; nothing where they have no phases.
    private func phaseFigures(
        _ view: PhaseView?, _ base: String, _ of: String, _ data: RunData, segments: Int,
        _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> [ReportPage.Figure] {
        guard let view else { return [] }
        let stack = PlotFrame(name: "\(base)-\(PhaseStackPlot.kind)", segments: segments)
        let waterfall = PlotFrame(name: "\(base)-\(WaterfallPlot.kind)", segments: segments)
        return [
            figure(
                ReportPage.Figure(
                    title: PhaseStackPlot.title + of, howToRead: PhaseStackPlot.howToRead, name: stack.name),
                PhaseStackPlot.draw(view, stack), data, tool),
            figure(
                ReportPage.Figure(
                    title: WaterfallPlot.title + of, howToRead: WaterfallPlot.howToRead, name: waterfall.name),
                WaterfallPlot.draw(view, data, waterfall), data, tool),
        ]
    }

    private func loadSection(
        _ view: LoadView, _ data: RunData, _ names: inout SafeNames, segments: Int,
        _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> ReportPage.LoadSection {
        let anchor = names.name(for: "\(view.suite) \(view.title) load")
        let frame = PlotFrame(name: "\(anchor)-\(LoadCurvePlot.kind)", segments: segments)
        return ReportPage.LoadSection(
            anchor: anchor, view: view,
            figure: figure(
                ReportPage.Figure(title: LoadCurvePlot.title, howToRead: LoadCurvePlot.howToRead, name: frame.name),
                LoadCurvePlot.draw(view, frame), data, tool))
    }

    private func sampledSection(
        _ view: SampledView, _ data: RunData, _ names: inout SafeNames, segments: Int,
        _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> ReportPage.SampledSection {
        var figures: [ReportPage.Figure] = []
        let anchor = names.name(for: view.suite + " batches")
        for entry in view.entries {
            let name = "\(names.name(for: entry.description.id.description))-\(SamplesOverTimePlot.kind)"
            var figure = ReportPage.Figure(title: entry.shortTitle, howToRead: "", name: name)
            figure.about = PlainText.oneLine(entry.description.about)
            let drawing = SamplesOverTimePlot.draw(entry, data, PlotFrame(name: name, segments: segments))
            figures.append(self.figure(figure, drawing, data, tool))
        }
        return ReportPage.SampledSection(anchor: anchor, view: view, figures: figures)
    }

    /// Line segments for each picture, so that all together stay near three megabytes, a segment costing about 18 bytes.
    static func segments(plots: Int) -> Int {
        min(max(3_000_000 / 18 / max(plots, 1), 250), 4_000)
    }

    /// The figure with its picture, or with the reason why there is none.
    private func figure(
        _ figure: ReportPage.Figure, _ drawing: PlotDrawing, _ data: RunData, _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> ReportPage.Figure {
        var figure = figure
        let folder = data.folder.plotsFolder
        // A picture of an earlier report must not pass for one of this.
        unlink("\(folder)/\(figure.name).svg")
        switch drawing {
        case .nothing(let reason): figure.nothingToDraw = reason
        case .ready(let script, let bytes, let caption, let description):
            figure.caption = caption
            do {
                try writeAtomically(bytes, to: "\(folder)/\(figure.name).dat")
                try writeAtomically(Array(script.utf8), to: "\(folder)/\(figure.name).gnuplot")
                figure.hasScript = true
                figure.remark = try tool.get().draw(figure.name, in: folder)
                figure.picture = try picture("\(folder)/\(figure.name).svg", figure.name, description)
            } catch { figure.failure = "\(error)" }
        }
        return figure
    }

    private func picture(_ path: String, _ name: String, _ description: String) throws -> InlineSVG {
        let svg = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let picture = InlineSVG(svg, prefix: name + "-", label: description) else {
            throw Gnuplot.Failure(description: "gnuplot's picture has an unknown form")
        }
        return picture
    }

    private func missingPlots(
        _ figures: [(title: String, figure: ReportPage.Figure)], _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> [String] {
        let failed = figures.compactMap { title, figure in figure.failure.map { (title, figure, $0) } }
        guard !failed.isEmpty else { return [] }
        if case .failure(let reason) = tool {
            return ["\(PlainNumber.counted(failed.count, "plot")) are missing: \(reason); \(Gnuplot.cure)."]
        }
        return failed.map { title, figure, reason in
            "“\(figure.title)” of \(title) is missing: \(PlainText.oneLine(reason, columns: 300)). "
                + "See what gnuplot says: cd plots && gnuplot \(figure.name).gnuplot"
        }
    }
}
