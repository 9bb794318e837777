import Analysis
import Results
import Statistics
import Words

/// One workload: its answer, its tables, its warnings and its plots.
extension ReportPage {
    func workload(_ section: Section, suite: String?, _ html: inout HTML) {
        let workload = section.workload
        html.lineBreak()
        html.element("section", [(.id, section.anchor), (.class, "workload")]) { html in
            if let suite { html.element("p", [(.class, "suitename")], suite) }
            html.element("h2") { html in
                html.element("a", [(.class, "anchor"), (.href, "#" + section.anchor)]) {
                    $0.element("bdi", workload.shortTitle)
                }
            }
            if !workload.about.isEmpty { html.element("p", [(.class, "about")], workload.about) }
            html.element("p", [(.class, "verdict")], workload.rankingSentence)
            for sentence in workload.workerGrowthSentences { html.element("p", [(.class, "verdict growth")], sentence) }
            if let advice = workload.adviceSentence { html.element("p", [(.class, "verdict growth")], advice) }
            declaration(workload, &html)
            if !workload.isOnlyCounted {
                rankingTable(workload, &html)
                adviceTable(workload, &html)
                timesTable(workload, &html)
                if let tails = TailTable(workload, data) { tailTable(tails, &html) }
            }
            costTable(workload.entries.map(\.summary), by: "task", &html) { nameCell(workload.entries[$0], &$1) }
            if let phases = PhaseView(workload) { phaseTable(phases, heading: "", &html) }
            failureTable(workload.entries.map { ($0.name, $0.summary) }, &html)
            warnings(workload.entries.map { ($0.name, $0.summary) }, &html)
            doubts(workload.entries.map { ($0.name, $0.summary) }, &html)
            strategyNotes(workload, &html)
            html.element("div", [(.class, "figures")]) { html in
                for figure in section.figures where !workload.isOnlyCounted { self.figure(figure, &html) }
            }
        }
    }

    private func declaration(_ workload: WorkloadView, _ html: inout HTML) {
        let descriptions = workload.entries.map(\.description)
        func one(_ value: (BenchmarkDescription) -> String) -> String {
            let values = descriptions.map(value)
            return values.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " / ")
        }
        html.element("p", [(.class, "declaration")]) { html in
            html.text(
                PlainText.oneLine(
                    "\(one { description in description.lasts.map { "as many tasks as begin within \(PlainDuration.text(Double($0.count)))" } ?? PlainNumber.counted(description.tasks, "task") }) a trial after \(one { PlainNumber.grouped($0.warmupTasks) }) for warm-up; "
                        + "load: \(one(\.load)); declared at \(one(\.declaredAt))"))
        }
    }

    private func rankingTable(_ workload: WorkloadView, _ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "ranking")]) { html in
                html.element("caption", "Ranking by throughput")
                html.element("thead") { html in
                    html.element("tr") { html in
                        for (title, hint) in [
                            (
                                "Rank",
                                "one more than the number of strategies shown to be faster"
                            ), ("Strategy", ""),
                            ("Tasks/s [interval]", "tasks per second that ended well, median over trials"),
                            ("To best [interval]", "throughput over that of the best, paired by block"), ("", ""),
                            (
                                "CPU per task",
                                "processor time of the whole process over ended tasks, median over trials"
                            ),
                            ("Tasks", "of all trials, by how they came out"),
                            ("Trials", "completed of planned"),
                        ] {
                            html.element("th", [(.scope, "col")] + (hint.isEmpty ? [] : [(.title, hint)]), title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for entry in workload.entries { rankingRow(entry, &html) }
                }
            }
        }
        if let note = rankingFootnote(workload) { html.element("p", [(.class, "footnote")], note) }
    }

    private func rankingRow(_ entry: WorkloadView.Entry, _ html: inout HTML) {
        let summary = entry.summary
        let isLeader = entry.standing == .best || entry.standing == .tied
        html.element("tr", isLeader ? [(.class, "leader")] : []) { html in
            html.element("td", [(.class, "number")], entry.standing.text)
            nameCell(entry, &html)
            number(summary.throughput.map { EstimateText.plain($0) }, hint: summary.throughput?.doubt, &html)
            if let place = entry.place {
                number(
                    EstimateText.toBest(place),
                    hint: place.isBest ? nil : place.ratioToBest.map(\.doubt) ?? "no block has a trial of both", &html)
            } else {
                number(nil, hint: "no task ended well in a completed trial", &html)
            }
            html.element("td") { ratioBar(entry, &$0) }
            number(
                summary.processorTimePerTask.map { PlainDuration.text($0.median) }, hint: "no trial measured it", &html)
            taskCounts(summary.tasks, &html)
            let failed = summary.trialsFailed > 0 ? ", \(summary.trialsFailed) failed" : ""
            html.element(
                "td", [(.class, failed.isEmpty ? "number" : "number bad")],
                "\(summary.trialsCompleted)/\(summary.trialsPlanned)" + failed)
        }
    }

    /// `10,000 ok`, and what else there is.
    private func taskCounts(_ counts: TaskCounts, _ html: inout HTML) {
        html.element("td", [(.class, "number")]) { html in
            html.text("\(PlainNumber.grouped(counts.ok)) ok")
            for (count, word) in [
                (counts.failed, "failed"), (counts.cancelled, "cancelled"), (counts.unfinished, "unfinished"),
            ] where count > 0 {
                html.text(", ")
                html.element("b", [(.class, "bad")], "\(PlainNumber.grouped(count)) \(word)")
            }
        }
    }

    private func timesTable(_ workload: WorkloadView, _ html: inout HTML) {
        var reasons: [String] = []
        let isOpen = workload.entries.contains { $0.summary.response != nil }
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "times")]) { html in
                html.element(
                    "caption",
                    "Times of tasks: spent (begin to end)\(isOpen ? ", " : " and ")wait (submitted to begin)"
                        + (isOpen ? ", response (due to end) and lag (due to submitted)" : ""))
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col"), (.class, "group")], "")
                        html.element("th", [(.scope, "colgroup"), (.colspan, "7"), (.class, "group")], "spent")
                        html.element("th", [(.scope, "colgroup"), (.colspan, "5"), (.class, "group")], "wait")
                        if isOpen {
                            html.element("th", [(.scope, "colgroup"), (.colspan, "4"), (.class, "group")], "response")
                            html.element("th", [(.scope, "colgroup"), (.colspan, "2"), (.class, "group")], "lag")
                        }
                    }
                    html.element("tr") { html in
                        for title in [
                            "Strategy", "p50", "[interval of the trials’ p50]", "p90", "p99", "p99.9", "max", "mean",
                            "p50",
                            "p90", "p99", "p99.9", "max",
                        ] + (isOpen ? ["p50", "p90", "p99", "max", "p99", "max"] : []) {
                            html.element("th", [(.scope, "col")], title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for entry in workload.entries {
                        let (spent, wait) = (entry.summary.spent, entry.summary.wait)
                        html.element("tr") { html in
                            nameCell(entry, &html)
                            percentile("p50", spent?.p50, &reasons, &html)
                            number(
                                spent.flatMap { EstimateText.interval($0.medianOverTrials) },
                                hint: spent?.medianOverTrials.doubt, &html)
                            percentile("p90", spent?.p90, &reasons, &html)
                            percentile("p99", spent?.p99, &reasons, &html)
                            percentile("p99.9", spent?.p999, &reasons, &html)
                            number(spent.map { PlainDuration.text($0.max) }, hint: nil, &html)
                            number(spent.map { PlainDuration.text($0.mean) }, hint: nil, &html)
                            percentile("p50", wait?.p50, &reasons, &html)
                            percentile("p90", wait?.p90, &reasons, &html)
                            percentile("p99", wait?.p99, &reasons, &html)
                            percentile("p99.9", wait?.p999, &reasons, &html)
                            number(wait.map { PlainDuration.text($0.max) }, hint: nil, &html)
                            if isOpen {
                                let (response, lag) = (entry.summary.response, entry.summary.lag)
                                percentile("p50", response?.p50, &reasons, &html)
                                percentile("p90", response?.p90, &reasons, &html)
                                percentile("p99", response?.p99, &reasons, &html)
                                number(response.map { PlainDuration.text($0.max) }, hint: nil, &html)
                                percentile("p99", lag?.p99, &reasons, &html)
                                number(lag.map { PlainDuration.text($0.max) }, hint: nil, &html)
                            }
                        }
                    }
                }
            }
        }
        if !reasons.isEmpty {
            html.element(
                "p", [(.class, "footnote")],
                "– marks what the number of tasks cannot support: \(reasons.joined(separator: "; ")).")
        }
    }

    private func strategyNotes(_ workload: WorkloadView, _ html: inout HTML) {
        let noted = workload.entries.filter { !$0.description.strategyNote.isEmpty }
        guard !noted.isEmpty else { return }
        html.element("details") { html in
            html.element("summary", "What each strategy does with work that blocks")
            html.element("dl") { html in
                for entry in noted {
                    html.element("dt") { html in
                        swatch(entry.look, &html)
                        html.element("bdi", entry.name)
                    }
                    html.element("dd", PlainText.oneLine(entry.description.strategyNote))
                }
            }
        }
    }

    private func rankingFootnote(_ workload: WorkloadView) -> String? {
        let standings = Set(workload.entries.map(\.standing))
        var parts: [String] = []
        if workload.measured.count > 1 { parts.append(WorkloadView.rankMeaning) }
        if standings.contains(.undecided) {
            parts.append(
                "? marks those with too few trials for a judgement (\(workload.ranking.blocksNeeded) are needed)")
        }
        let text = parts.joined(separator: "; ") + "."
        return parts.isEmpty ? nil : text.prefix(1).uppercased() + text.dropFirst()
    }
}
