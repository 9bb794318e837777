import Analysis
import Results

/// One kind of plot that every workload gets. A new kind is a new file and one line in `ReportPlots.all`.
protocol ReportPlot: SendableMetatype {
    /// Its part in file names.
    static var kind: String { get }
    static var title: String { get }
    /// Two sentences for a person who sees this kind of plot for the first time.
    static var howToRead: String { get }
    /// Whether a workload has what such a plot is about; one that has not gets no place for it.
    static func concerns(_ workload: WorkloadView) -> Bool
    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing
}

extension ReportPlot {
    static func concerns(_ workload: WorkloadView) -> Bool { true }
}

enum ReportPlots {
    static let all: [any ReportPlot.Type] = [
        ThroughputPlot.self, PercentileCurvePlot.self, PhaseStackPlot.self, WaterfallPlot.self, TimelinePlot.self,
        SpentOverTimePlot.self, EnergyPlot.self,
    ]
}

/// What a plot is drawn into.
struct PlotFrame {
    /// The safe name that the script, the data file and the picture share.
    var name: String
    /// How many line segments the picture may have, so that the page stays light.
    var segments: Int

    /// Width of every picture, in its own units (pixels at full size).
    static let width = 920
}

/// A plot ready to be drawn, or the reason why there is nothing to draw.
enum PlotDrawing {
    case ready(script: String, data: [UInt8], caption: String, description: String)
    case nothing(reason: String)
}
