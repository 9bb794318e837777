import Analysis
import Results
import Words

/// Benchmarks of growing load as every form of the report shows them.
struct LoadView {
    var family: LoadFamily
    /// By what is compared.
    var looks: [String: SeriesLook]

    var suite: String { family.suite }
    var identity: String { "\(family.suite)/\(family.name)" }
    /// `echo with bytes=1024`.
    var title: String {
        let rest = family.parameters.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ")
        return PlainText.oneLine(family.name + (rest.isEmpty ? "" : " with " + rest))
    }

    func look(_ curve: LoadCurve) -> SeriesLook { looks[curve.name] ?? SeriesLook(number: 0) }

    static func all(_ data: RunData, _ summaries: [BenchmarkSummary]) -> [LoadView] {
        let families = data.loadFamilies(summaries)
        guard !families.isEmpty else { return [] }
        let looks = SeriesLook.all(in: data)
        return families.map { LoadView(family: $0, looks: looks) }
    }

    /// The definition of the knee, for captions and footnotes.
    static let kneeMeaning =
        "a rate is kept up with when it and all lower ones were: at least \(PlainNumber.percent(LoadCurve.leastKept)) of what arrived ended "
        + "well in the same time, the p99 lag of the generator is below \(PlainNumber.percent(LoadCurve.mostLag)) of the p99 response, and the "
        + "p99 response is at most \(PlainNumber.significant(LoadCurve.mostResponse, digits: 2)) times that at the lowest rate"

    /// A sentence for each contender, the one that keeps up with most first.
    var sentences: [String] {
        let knees = family.curves.map { ($0, $0.knee) }
        return knees.enumerated().sorted {
            (-($0.element.1.rate ?? 0), $0.offset) < (-($1.element.1.rate ?? 0), $1.offset)
        }.map { sentence($0.element.0, $0.element.1) }
    }

    private func sentence(_ curve: LoadCurve, _ knee: LoadCurve.Knee) -> String {
        let name = PlainText.oneLine(curve.name)
        guard let broken = knee.broken else {
            return knee.rate.map {
                "\(name) kept up to \(Self.rate($0)) per second, the highest rate that was offered."
            } ?? "\(name) was offered no rate."
        }
        let why = Self.text(broken.breach)
        guard let rate = knee.rate else {
            // Neither says anything of the server or the stack.
            let isNotKnown =
                switch broken.breach {
                case .untold, .lateGenerator: true
                case .behind, .slow: false
                }
            return isNotKnown
                ? "Of \(name) it is not known what it keeps up with: at \(Self.rate(broken.rate)) per second \(why)."
                : "\(name) did not keep up even to \(Self.rate(broken.rate)) per second, the lowest rate that was offered: \(why)."
        }
        return "\(name) kept up to \(Self.rate(rate)) per second; at \(Self.rate(broken.rate)) \(why)."
    }

    static func rate(_ rate: Double) -> String { PlainNumber.significant(rate) }

    private static func text(_ breach: LoadCurve.Breach) -> String {
        switch breach {
        case .behind(let share):
            "only \(PlainNumber.significant(share * 100)) % of what arrived ended well in the same time"
        case .lateGenerator(let share):
            "the generator was late by \(PlainNumber.roughPercent(share)) of the p99 response, so that it was no such rate"
        case .slow(let times): "the p99 response was \(PlainNumber.times(times)) that at the lowest rate"
        case .untold: "there is no p99 response (a trial has to complete, and it takes 1,000 tasks)"
        }
    }
}
