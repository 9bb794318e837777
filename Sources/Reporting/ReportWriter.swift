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
        let folder = data.folder.plotsFolder
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw .cannotWrite(path: folder, reason: errnoText())
        }
        let tool: Result<Gnuplot, Gnuplot.Failure>
        do throws(Gnuplot.Failure) { tool = .success(try Gnuplot(gnuplot)) } catch { tool = .failure(error) }

        var names = SafeNames()
        var sections: [ReportPage.Section] = []
        let segments = Self.segments(plots: workloads.count * ReportPlots.all.count)
        for (index, workload) in workloads.enumerated() {
            progress?("drawing \(workload.title) (\(index + 1) of \(workloads.count))")
            let anchor = names.name(for: workload.workload.description)
            var figures: [ReportPage.Figure] = []
            for plot in ReportPlots.all {
                figures.append(
                    figure(plot, workload, data, PlotFrame(name: "\(anchor)-\(plot.kind)", segments: segments), tool))
            }
            sections.append(ReportPage.Section(anchor: anchor, workload: workload, figures: figures))
        }
        let missing = missingPlots(sections, tool)
        let page = ReportPage(data: data, summaries: summaries, sections: sections, missingPlots: missing)
        try writeAtomically(Array(page.html().utf8), to: data.folder.reportFile)
        return ReportOutcome(
            reportFile: data.folder.reportFile,
            plots: sections.reduce(0) { $0 + $1.figures.count { $0.picture != nil } }, missingPlots: missing)
    }

    /// Line segments for each picture, so that all together stay near three megabytes, a segment costing about 18 bytes.
    static func segments(plots: Int) -> Int {
        min(max(3_000_000 / 18 / max(plots, 1), 250), 4_000)
    }

    private func figure(
        _ plot: any ReportPlot.Type, _ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame,
        _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> ReportPage.Figure {
        var figure = ReportPage.Figure(title: plot.title, howToRead: plot.howToRead, name: frame.name)
        let folder = data.folder.plotsFolder
        // A picture of an earlier report must not pass for one of this.
        unlink("\(folder)/\(frame.name).svg")
        switch plot.draw(workload, data, frame) {
        case .nothing(let reason): figure.nothingToDraw = reason
        case .ready(let script, let bytes, let caption, let description):
            figure.caption = caption
            do {
                try writeAtomically(bytes, to: "\(folder)/\(frame.name).dat")
                try writeAtomically(Array(script.utf8), to: "\(folder)/\(frame.name).gnuplot")
                figure.hasScript = true
                figure.remark = try tool.get().draw(frame.name, in: folder)
                figure.picture = try picture("\(folder)/\(frame.name).svg", frame.name, description)
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
        _ sections: [ReportPage.Section], _ tool: Result<Gnuplot, Gnuplot.Failure>
    ) -> [String] {
        let failed = sections.flatMap { section in
            section.figures.compactMap { figure in figure.failure.map { (section.workload, figure, $0) } }
        }
        guard !failed.isEmpty else { return [] }
        if case .failure(let reason) = tool {
            return ["\(PlainNumber.counted(failed.count, "plot")) are missing: \(reason); \(Gnuplot.cure)."]
        }
        return failed.map { workload, figure, reason in
            "“\(figure.title)” of \(workload.title) is missing: \(PlainText.oneLine(reason, columns: 300)). "
                + "See what gnuplot says: cd plots && gnuplot \(figure.name).gnuplot"
        }
    }
}
