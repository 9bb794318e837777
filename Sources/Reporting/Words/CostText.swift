import Results
import Statistics
import Words

/// Costs as people read them: each in the unit that fits its size.
enum CostText {
    /// `1.23 ms`, `45.6 kB`, `0.0120`, `3.40 mJ`.
    static func value(_ value: Double, unit: String) -> String {
        switch unit {
        case "ns": PlainDuration.text(value)
        case "B": abs(value) < 1 ? PlainNumber.significant(value) + " B" : PlainNumber.bytes(Int64(value.rounded()))
        case "J", "J·s", "W": scaled(value) + unit
        case "1": count(value)
        default: PlainNumber.significant(value) + " " + unit
        }
    }

    /// What was counted as it was counted, where it is whole and short: `10`; else to three digits: `10.5`, `0.0120`.
    private static func count(_ value: Double) -> String {
        guard abs(value) < 1_000, value == value.rounded() else { return PlainNumber.significant(value) }
        return PlainNumber.fixed(value, decimals: 0)
    }

    /// A cost's median, marked where it is an estimate; nil where there is no number.
    static func cell(_ cost: CostSummary) -> String? {
        cost.estimate.map { (cost.isEstimated ? "≈ " : "") + value($0.median, unit: cost.unit) }
    }

    /// What stands behind a cell: its interval and what it leaves out.
    static func hint(_ cost: CostSummary) -> String {
        var parts = [PlainText.oneLine(cost.metric) + " by " + cost.per.rawValue]
        if let interval = cost.estimate?.interval {
            parts.append("[\(value(interval.lower, unit: cost.unit)), \(value(interval.upper, unit: cost.unit))]")
        } else if let doubt = cost.estimate?.doubt {
            parts.append(doubt)
        }
        if let spread = cost.spread {
            parts.append(spread == 0 ? "all trials alike" : "trials differ by \(PlainNumber.roughPercent(spread))")
        }
        if cost.isEstimated { parts.append("counted for a part of the time only, and scaled up") }
        parts += cost.gaps.map { "\(PlainNumber.counted($0.trials, "trial")) without: \(gap($0.reading))" }
        return PlainText.oneLine(parts.joined(separator: "; "))
    }

    /// Why a reading takes no part.
    static func gap(_ reading: Reading) -> String {
        switch reading {
        case .measured: "measured"
        case .estimated(_, let share): "an estimate from \(PlainNumber.roughPercent(share)) of the time"
        case .notCounted(let reason), .unsupported(let reason), .denied(let reason, _): reason
        }
    }

    /// A number with the prefix of a thousandth, a millionth…, and a space.
    private static func scaled(_ value: Double) -> String {
        for (factor, prefix) in [(1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]
        where abs(value) >= factor { return PlainNumber.significant(value / factor) + " " + prefix }
        return PlainNumber.significant(value) + " "
    }
}
