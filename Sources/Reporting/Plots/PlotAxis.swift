import Glibc
import Words

/// An axis: its scale, its range, and its ticks with their labels. Never empty, never of zero width.
struct PlotAxis {
    struct Tick: Hashable {
        var position: Double
        var label: String
    }

    var isLogarithmic: Bool
    var lower: Double
    var upper: Double
    var ticks: [Tick]
    /// The unit of all tick labels; nil when each label has its own.
    var unit: String?

    /// An axis of times in nanoseconds.
    ///
    /// Logarithmic when it is allowed and the positive values span more than a decade; each tick has its own unit
    /// then. Linear axes begin at zero, and have one unit.
    static func time(_ values: some Sequence<Double>, allowLogarithmic: Bool = true) -> PlotAxis {
        let (smallest, largest) = positiveRange(values)
        if allowLogarithmic, largest > smallest * 10 {
            return logarithmic(smallest, largest) { PlainDuration.text($0) }
        }
        let upper = largest > 0 ? largest * 1.04 : 1
        let unit = PlainDuration.Unit(fitting: upper)
        return linear(to: upper, unit: unit.symbol, scale: unit.rawValue)
    }

    /// A logarithmic axis of times in nanoseconds, however near they are to one another; each tick has its own unit.
    static func logarithmicTime(_ values: some Sequence<Double>) -> PlotAxis {
        let (smallest, largest) = positiveRange(values)
        return largest > 0 ? logarithmic(smallest, largest) { PlainDuration.text($0) } : time(values)
    }

    /// A linear axis of times in nanoseconds from one to another, on which zero need not lie.
    static func times(from lower: Double, to upper: Double) -> PlotAxis {
        let unit = PlainDuration.Unit(fitting: max(abs(lower), abs(upper)))
        let step = niceStep((upper - lower) / unit.rawValue / 5)
        var decimals = 0
        while decimals < 9,
            abs((step * pow(10, Double(decimals))).rounded() / pow(10, Double(decimals)) - step) > step * 1e-6
        {
            decimals += 1
        }
        let first = (lower / unit.rawValue / step - 1e-9).rounded(.up)
        let last = (upper / unit.rawValue / step + 1e-9).rounded(.down)
        let ticks = stride(from: first, through: last, by: 1).prefix(20).map { number in
            Tick(position: number * step * unit.rawValue, label: PlainNumber.fixed(number * step, decimals: decimals))
        }
        return PlotAxis(isLogarithmic: false, lower: lower, upper: upper, ticks: ticks, unit: unit.symbol)
    }

    /// An axis of rates per second.
    static func rate(_ values: some Sequence<Double>) -> PlotAxis {
        let (smallest, largest) = positiveRange(values)
        if largest > smallest * 20 { return logarithmic(smallest, largest) { PlainNumber.significant($0) } }
        return linear(to: largest > 0 ? largest * 1.04 : 1, unit: nil, scale: 1)
    }

    /// An axis of a quantity in the unit that a metric has.
    static func quantity(_ values: some Sequence<Double>, unit: String) -> PlotAxis {
        switch unit {
        case "ns": return time(values)
        case "J": return energy(values)
        case "B":
            let (smallest, largest) = positiveRange(values)
            if largest > smallest * 20 {
                return logarithmic(smallest, largest) { PlainNumber.bytes(Int64($0.rounded())) }
            }
            let (scale, unit) = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")].first { largest >= $0.0 } ?? (1, "B")
            return linear(to: largest > 0 ? largest * 1.04 : 1, unit: unit, scale: scale)
        default: return rate(values)
        }
    }

    /// An axis whose ticks are the places themselves, where things were measured; logarithmic when they span a decade.
    static func places(_ values: [Double]) -> PlotAxis {
        let places = Set(values).sorted()
        let (smallest, largest) = (places.first ?? 0, places.last ?? 1)
        let ticks = places.map { Tick(position: $0, label: trimmed(PlainNumber.significant($0))) }
        if smallest > 0, largest >= smallest * 10 {
            return PlotAxis(isLogarithmic: true, lower: smallest / 1.2, upper: largest * 1.2, ticks: ticks, unit: nil)
        }
        let margin = max((largest - smallest) * 0.06, 1e-9)
        return PlotAxis(
            isLogarithmic: false, lower: smallest - margin, upper: largest + margin, ticks: ticks, unit: nil)
    }

    /// A linear axis of energies in joules that begins at zero, with one unit.
    static func energy(_ values: some Sequence<Double>) -> PlotAxis {
        let (_, largest) = positiveRange(values)
        let upper = largest > 0 ? largest * 1.04 : 1
        let (scale, unit) =
            [(1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"), (1e-9, "nJ")].first { upper >= $0.0 } ?? (1e-9, "nJ")
        return linear(to: upper, unit: unit, scale: scale)
    }

    /// Where a value lies on the axis, from 0 to 1; values outside are moved to its ends.
    func share(of value: Double) -> Double {
        let share =
            isLogarithmic
            ? (log10(max(value, lower)) - log10(lower)) / (log10(upper) - log10(lower))
            : (value - lower) / (upper - lower)
        return min(max(share, 0), 1)
    }

    /// The value as it is drawn: on a logarithmic axis what lies below the floor, such as a zero, stands on the floor.
    func drawn(_ value: Double) -> Double { isLogarithmic ? max(value, lower) : value }

    private static func positiveRange(_ values: some Sequence<Double>) -> (Double, Double) {
        var smallest = Double.infinity
        var largest = 0.0
        for value in values where value > 0 && value.isFinite {
            smallest = min(smallest, value)
            largest = max(largest, value)
        }
        return largest > 0 ? (smallest, largest) : (0, 0)
    }

    private static func linear(to upper: Double, unit: String?, scale: Double) -> PlotAxis {
        let shown = upper / scale
        let step = niceStep(shown / 6)
        var ticks: [Tick] = []
        var number = 0
        while Double(number) * step <= shown * (1 + 1e-9) {
            let value = Double(number) * step
            ticks.append(Tick(position: value * scale, label: trimmed(PlainNumber.significant(value))))
            number += 1
        }
        return PlotAxis(isLogarithmic: false, lower: 0, upper: upper, ticks: ticks, unit: unit)
    }

    private static func logarithmic(_ smallest: Double, _ largest: Double, _ label: (Double) -> String) -> PlotAxis {
        let lower = roundedOutwards(smallest / 1.05, up: false)
        let upper = roundedOutwards(largest * 1.05, up: true)
        let decades = log10(upper / lower)
        let every = Int((decades / 8).rounded(.up))
        var ticks: [Tick] = []
        let first = Int(log10(lower).rounded(.down))
        let last = Int(log10(upper).rounded(.up))
        for exponent in first...last {
            for digit in decades <= 2.2 ? [1.0, 2, 5] : [1.0] where digit > 1 || (exponent - first) % every == 0 {
                let value = digit * pow(10, Double(exponent))
                if value >= lower * (1 - 1e-9), value <= upper * (1 + 1e-9) {
                    // One significant digit is all that a tick has.
                    ticks.append(Tick(position: value, label: trimmed(label(value))))
                }
            }
        }
        return PlotAxis(isLogarithmic: true, lower: lower, upper: upper, ticks: ticks, unit: nil)
    }

    /// `10.0 µs` → `10 µs`.
    private static func trimmed(_ label: String) -> String {
        let parts = label.split(separator: " ", maxSplits: 1)
        guard var number = parts.first.map(String.init), number.contains(".") else { return label }
        while number.last == "0" { number.removeLast() }
        if number.last == "." { number.removeLast() }
        return ([number] + parts.dropFirst().map(String.init)).joined(separator: " ")
    }

    private static func roundedOutwards(_ value: Double, up: Bool) -> Double {
        let power = pow(10, log10(value).rounded(.down))
        let steps = [1.0, 2, 5, 10].map { $0 * power }
        return up ? steps.first { $0 >= value } ?? value : steps.last { $0 <= value } ?? value
    }

    private static func niceStep(_ rough: Double) -> Double {
        guard rough > 0, rough.isFinite else { return 1 }
        let power = pow(10, log10(rough).rounded(.down))
        return ([1.0, 2, 2.5, 5, 10].first { $0 * power >= rough * (1 - 1e-9) } ?? 10) * power
    }
}
