/// How a strategy is drawn: the same colour, marker and dash in every plot of a report.
struct SeriesLook: Hashable, Sendable {
    /// Its place among the run's strategies, in the order of declaration.
    var number: Int

    /// Colours that people with the common kinds of colour blindness tell apart (after Okabe & Ito and Paul Tol's
    /// “muted”), darkened so that each has a contrast of at least 3 on white.
    static let palette = [
        "#0072b2", "#d55e00", "#00875f", "#b5489a", "#b07d00", "#2a94d6", "#332288", "#882255", "#6e6e1f", "#2f8f84",
        "#7a4fc9", "#555555",
    ]
    /// gnuplot's filled and open markers, the easily told apart ones first.
    static let markers = [7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14]

    var colour: String { Self.palette[number % Self.palette.count] }
    var marker: Int { Self.markers[(number + number / Self.palette.count * 5) % Self.markers.count] }
    /// A tint of the colour, for what lies behind.
    var lightColour: String { Self.mixed(colour, towardsWhite: 0.62) }
    /// Lines beyond the sixth are dashed: colour alone carries six well.
    var dash: String {
        switch number / 6 % 3 {
        case 0: "solid"
        case 1: "(9,4)"
        default: "(3,3)"
        }
    }

    /// Gives each strategy a look, the same wherever it appears, and never the same to two that share a plot while
    /// the looks suffice.
    ///
    /// - Parameter plots: the strategies that appear together, plot by plot, in the order of declaration.
    static func assigned(to plots: [[String]]) -> [String: SeriesLook] {
        var neighbours: [String: Set<String>] = [:]
        for names in plots { for name in names { neighbours[name, default: []].formUnion(names) } }
        var looks: [String: SeriesLook] = [:]
        var uses = [Int](repeating: 0, count: palette.count)
        for name in plots.joined() where looks[name] == nil {
            let taken = Set((neighbours[name] ?? []).compactMap { looks[$0]?.number })
            // The least used of those that no neighbour has; past the palette, colours come again with another dash.
            var number = uses.indices.filter { !taken.contains($0) }.min { (uses[$0], $0) < (uses[$1], $1) }
            if number == nil { number = (palette.count...).first { !taken.contains($0) } }
            looks[name] = SeriesLook(number: number ?? 0)
            uses[(number ?? 0) % palette.count] += 1
        }
        return looks
    }

    private static func mixed(_ colour: String, towardsWhite share: Double) -> String {
        let value = UInt32(colour.dropFirst(), radix: 16) ?? 0
        var text = "#"
        for shift: UInt32 in [16, 8, 0] {
            let part = Double((value >> shift) & 0xFF)
            let hex = String(UInt32((part + (255 - part) * share).rounded()), radix: 16)
            text += hex.count == 1 ? "0" + hex : hex
        }
        return text
    }
}
