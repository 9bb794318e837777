import Results
import Words

/// Doubts beside results: in few words, or in full, those that several benchmarks share told once.
enum DoubtText {
    /// What a doubt is about, for a cell of a table or a line on a terminal.
    static func words(_ kind: Doubt.Kind) -> String {
        switch kind {
        case .tooFewTrials: "too few trials"
        case .drift: "drift"
        case .autocorrelation: "samples hang together"
        case .severalModes: "several modes"
        case .clockResolution: "short for the clock"
        case .unsteadyWarmUp: "warm-up not steady"
        case .instrumentCost: "instrument’s share"
        case .stolenTime: "time taken by the host"
        case .busyMachine: "busy machine"
        case .throttling: "throttled"
        case .migrations: "moved between processors"
        case .lateGenerator: "late arrivals"
        case .failedTasks: "failed tasks"
        case .phasesOutOfOrder: "phases out of order"
        case .energy: "energy"
        case .clock: "clock"
        }
    }

    /// `drift, several modes`; empty where there is no doubt.
    static func short(_ doubts: [Doubt]?) -> String {
        (doubts ?? []).map { words($0.kind) }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .joined(separator: ", ")
    }

    /// `serial-queue and pool-8: too few trials; cooperative: drift`; nil where there is none.
    static func short(_ named: [(name: String, doubts: [Doubt]?)]) -> String? {
        let told = named.map { ($0.name, short($0.doubts)) }.filter { !$0.1.isEmpty }
        return told.isEmpty
            ? nil : together(told, of: named.count).map { "\($0.names): \($0.text)" }.joined(separator: "; ")
    }

    /// Every doubt in full, with the names of whom it concerns.
    static func sentences(_ named: [(name: String, doubts: [Doubt]?)]) -> [(names: String, sentence: String)] {
        together(
            named.flatMap { name, doubts in (doubts ?? []).map { (name, PlainText.oneLine($0.sentence)) } },
            of: named.count
        ).map { ($0.names, $0.text) }
    }

    /// Texts in the order in which they come first, each with all that share it.
    private static func together(_ told: [(String, String)], of count: Int) -> [(names: String, text: String)] {
        var order: [String] = []
        var names: [String: [String]] = [:]
        for (name, text) in told {
            if names[text] == nil { order.append(text) }
            names[text, default: []].append(name)
        }
        return order.map { text in
            let sharing = names[text] ?? []
            return (sharing.count > 2 && sharing.count == count ? "all" : PlainText.list(sharing), text)
        }
    }
}
