import Results

/// Lengths of time as people read them, each number with its own unit: `1.23 ms`, `45.6 µs`, `2.31 s`.
package enum PlainDuration {
    /// A unit of time and how many nanoseconds it has.
    package enum Unit: Double, CaseIterable, Sendable {
        case nanoseconds = 1
        case microseconds = 1e3
        case milliseconds = 1e6
        case seconds = 1e9

        package var symbol: String {
            switch self {
            case .nanoseconds: "ns"
            case .microseconds: "µs"
            case .milliseconds: "ms"
            case .seconds: "s"
            }
        }

        /// The largest unit in which a value, rounded as it will be shown, is at least 1.
        package init(fitting nanoseconds: Double) {
            let shown = abs(PlainNumber.rounded(nanoseconds))
            self = Unit.allCases.last { shown >= $0.rawValue } ?? .nanoseconds
        }
    }

    package static func text(_ time: Nanoseconds) -> String { text(Double(time.count)) }

    /// Three significant digits and a unit.
    package static func text(_ nanoseconds: Double) -> String {
        let unit = Unit(fitting: nanoseconds)
        return number(nanoseconds, in: unit) + " " + unit.symbol
    }

    /// Two significant digits and a unit, for what is only about so much: `31 ns`, `0.40 ns`, `1.2 ms`.
    package static func rough(_ nanoseconds: Double) -> String {
        let unit = Unit(fitting: PlainNumber.rounded(nanoseconds, digits: 2))
        return PlainNumber.significant(nanoseconds / unit.rawValue, digits: 2) + " " + unit.symbol
    }

    /// The number alone, in a unit that is stated elsewhere.
    package static func number(_ nanoseconds: Double, in unit: Unit) -> String {
        PlainNumber.significant(nanoseconds / unit.rawValue)
    }

    /// `8.2 s`, `4 min 12 s`, `1 h 3 min`: how long something took that a person waited for.
    package static func long(_ time: Nanoseconds) -> String {
        guard time.seconds >= 60 else { return text(time) }
        let whole = Int(time.seconds.rounded())
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(PlainNumber.grouped(whole / 3600)) h \(whole % 3600 / 60) min"
    }
}
