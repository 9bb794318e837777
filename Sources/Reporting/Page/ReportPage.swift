import Analysis
import Results
import Words

/// The page of a run: one file that needs no network and no script.
///
/// It answers from the top down: what was run and what is doubtful, which strategy is best for each workload and what an iteration
/// of code that was timed in batches takes, then each one's tables and plots, then how all of it was made. Each part is an extension in a file of its own.
struct ReportPage {
    /// A plot on the page, or what stands in its place.
    struct Figure {
        var title: String
        /// What it is about, where the title does not say it all.
        var about = ""
        /// Empty where it stands above already.
        var howToRead: String
        /// What its files are called.
        var name: String
        var caption = ""
        var picture: InlineSVG?
        /// Why it is missing.
        var failure: String?
        /// Why there is nothing that could be drawn.
        var nothingToDraw: String?
        /// What gnuplot said although it drew.
        var remark: String?
        var hasScript = false

        init(title: String, howToRead: String, name: String) {
            self.title = title
            self.howToRead = howToRead
            self.name = name
        }
    }

    /// A workload with its figures.
    struct Section {
        /// The same in every run, so that links last.
        var anchor: String
        var workload: WorkloadView
        var figures: [Figure]
    }

    /// The benchmarks of a suite that are timed in batches, each with its figure.
    struct SampledSection {
        var anchor: String
        var view: SampledView
        /// In the order of the view's entries.
        var figures: [Figure]
    }

    /// An experiment with a figure for each of its facets.
    struct ExperimentSection {
        var anchor: String
        var view: ExperimentView
        var figures: [Figure]
    }

    /// Benchmarks of growing load with their figure.
    struct LoadSection {
        var anchor: String
        var view: LoadView
        var figure: Figure
    }

    /// What the page shows of a suite: experiments, growing loads, workloads, code that is timed in batches.
    struct Suite {
        var name: String
        var experiments: [ExperimentSection]
        var loads: [LoadSection]
        var sections: [Section]
        var sampled: SampledSection?
    }

    var data: RunData
    var summaries: [BenchmarkSummary]
    var sections: [Section]
    var sampledSections: [SampledSection]
    var experiments: [ExperimentSection]
    var loads: [LoadSection]
    var missingPlots: [String]

    var run: Run { data.run }

    /// Suites in the order of declaration.
    var suites: [Suite] {
        var seen: Set<String> = []
        let names = run.benchmarks.map(\.id.suite).filter { seen.insert($0).inserted }
        let members = Dictionary(grouping: sections, by: \.workload.workload.suite)
        return names.map { name in
            Suite(
                name: PlainText.oneLine(name), experiments: experiments.filter { $0.view.result.suite == name },
                loads: loads.filter { $0.view.suite == name },
                sections: members[name] ?? [],
                sampled: sampledSections.first { $0.view.suite == name })
        }
    }

    func html() -> String {
        var html = HTML()
        html.doctype()
        html.element("html", [(.lang, "en")]) { html in
            html.element("head") { head(&$0) }
            html.lineBreak()
            html.element("body") { html in
                html.element("a", [(.class, "skip"), (.href, "#answer")], "Skip to the answer")
                contents(&html)
                html.element("main") { html in
                    headline(&html)
                    answer(&html)
                    for suite in suites {
                        for (index, section) in suite.experiments.enumerated() {
                            experiment(section, suite: index == 0 ? suite.name : nil, &html)
                        }
                        var isNamed = !suite.experiments.isEmpty
                        for section in suite.loads {
                            load(section, suite: isNamed ? nil : suite.name, &html)
                            isNamed = true
                        }
                        for section in suite.sections {
                            workload(section, suite: isNamed ? nil : suite.name, &html)
                            isNamed = true
                        }
                        if let sampled = suite.sampled { self.sampled(sampled, suite: suite.name, &html) }
                    }
                    unmeasured(&html)
                    howItWasMade(&html)
                }
            }
        }
        html.lineBreak()
        return html.text
    }

    var title: String { "TaskMeter \(PlainText.oneLine(run.revision.short)), \(moment)" }

    /// `2026-01-31 12:00 UTC`: the origin without fractions that nobody reads.
    var moment: String {
        let text = PlainText.oneLine(run.originUTC)
        guard text.utf8.count >= 16, text.contains("T") else { return text }
        return text.prefix(16).replacing("T", with: " ") + " UTC"
    }

    private func head(_ html: inout HTML) {
        html.void("meta", [(.charset, "utf-8")])
        html.void(
            "meta",
            [
                (.httpEquiv, "Content-Security-Policy"),
                (
                    .content,
                    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
                ),
            ])
        html.void("meta", [(.name, "viewport"), (.content, "width=device-width, initial-scale=1")])
        html.void("meta", [(.name, "color-scheme"), (.content, "light dark")])
        html.void("link", [(.rel, "icon"), (.href, "data:,")])
        html.element("title", title)
        html.style(ReportStyle.sheet)
    }

    private func contents(_ html: inout HTML) {
        html.element("nav", [(.ariaLabel, "Contents")]) { html in
            html.element("p", [(.class, "brand")]) { $0.element("a", [(.href, "#top")], "TaskMeter") }
            html.element("ul") { html in
                html.element("li") { $0.element("a", [(.href, "#answer")], "Answer") }
                for suite in suites {
                    html.element("li", [(.class, "suite")], suite.name)
                    for section in suite.experiments {
                        html.element("li") { html in
                            html.element("a", [(.href, "#" + section.anchor)]) { html in
                                html.element("bdi", DisplayWidth.clipped(section.view.title, to: 60))
                            }
                        }
                    }
                    for section in suite.loads {
                        html.element("li") { html in
                            html.element("a", [(.href, "#" + section.anchor)]) { html in
                                html.element("bdi", DisplayWidth.clipped("Growing load: " + section.view.title, to: 60))
                            }
                        }
                    }
                    for section in suite.sections {
                        html.element("li") { html in
                            html.element("a", [(.href, "#" + section.anchor)]) { html in
                                html.element("bdi", DisplayWidth.clipped(section.workload.shortTitle, to: 60))
                            }
                        }
                    }
                    if let sampled = suite.sampled {
                        html.element("li") {
                            $0.element("a", [(.href, "#" + sampled.anchor)], "Code timed in batches")
                        }
                    }
                }
                html.element("li", [(.class, "suite")], "How it was made")
                if !Unmeasured(summaries).entries.isEmpty {
                    html.element("li") { $0.element("a", [(.href, "#unmeasured")], "Could not be measured") }
                }
                html.element("li") { $0.element("a", [(.href, "#environment")], "Environment") }
                html.element("li") { $0.element("a", [(.href, "#definitions")], "Definitions") }
                html.element("li") { $0.element("a", [(.href, "#files")], "Repeat, files") }
            }
        }
    }
}
