import Glibc

/// Numbers as people read them: three significant digits, thousands set apart by commas, never depending on locale.
/// Machine formats never pass through here.
package enum PlainNumber {
    /// `1.23`, `45.6`, `1,230`, `0.00120`: rounded to a number of significant digits.
    package static func significant(_ value: Double, digits: Int = 3) -> String {
        guard value.isFinite else { return value.isNaN ? "not a number" : value < 0 ? "−∞" : "∞" }
        guard value != 0 else { return "0" }
        let exponent = Int(log10(abs(rounded(value, digits: digits))).rounded(.down))
        return fixed(rounded(value, digits: digits), decimals: min(max(digits - 1 - exponent, 0), 12))
    }

    /// A value rounded to a number of significant digits.
    package static func rounded(_ value: Double, digits: Int = 3) -> Double {
        guard value.isFinite, value != 0 else { return value }
        let exponent = Int(log10(abs(value)).rounded(.down))
        let shift = digits - 1 - exponent
        // Powers of ten above 1 are exact: multiplying or dividing by them rounds once only.
        let power = pow(10, Double(abs(shift)))
        return shift >= 0 ? (value * power).rounded() / power : (value / power).rounded() * power
    }

    /// A number with a fixed count of decimals and commas between thousands.
    package static func fixed(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return significant(value) }
        guard abs(value) < 1e15 else { return "\(value)" }
        let power = pow(10, Double(decimals))
        let scaled = (abs(value) * power).rounded()
        guard scaled < 9e18 else { return grouped(Int64(abs(value))) }
        let whole = Int64(scaled) / Int64(power)
        let part = Int64(scaled) % Int64(power)
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard decimals > 0 else { return sign + grouped(whole) }
        let text = "\(part)"
        return sign + grouped(whole) + "." + String(repeating: "0", count: decimals - text.count) + text
    }

    /// `1,204`: a whole number with commas between thousands.
    package static func grouped(_ value: some BinaryInteger) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return value < 0 ? "−" + text : text
    }

    /// `1 task`, `3 tasks`, `1,204 tasks`.
    package static func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        grouped(count) + " " + (count == 1 ? singular : plural ?? singular + "s")
    }

    /// `1.35×`.
    package static func times(_ ratio: Double) -> String { significant(ratio) + "×" }

    /// `99.9 %`: a share with no more decimals than it needs.
    package static func percent(_ share: Double) -> String {
        var decimals = 0
        while decimals < 6,
            abs((share * 100 * pow(10, Double(decimals))).rounded() - share * 100 * pow(10, Double(decimals))) > 1e-6
        {
            decimals += 1
        }
        return fixed(share * 100, decimals: decimals) + " %"
    }

    /// `2.1 %`, `0.040 %`, `130 %`: a share that is only about so much, with two significant digits.
    package static func roughPercent(_ share: Double) -> String { significant(share * 100, digits: 2) + " %" }

    /// `23.5 GiB`: bytes in powers of 1,024.
    package static func bytes(_ count: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
        var value = Double(count)
        var unit = 0
        while abs(value) >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return (unit == 0 ? grouped(count) : significant(value)) + " " + units[unit]
    }
}
