/// A picture of gnuplot made fit for the inside of a page: no prologue, its own names, and less to carry.
///
/// What is not needed is left out (tool tips named “gnuplot_plot_1”, markers that no point uses, groups without
/// content, the background, which the page has); what nearly all groups say is said once; coordinates are rounded to a
/// tenth of a pixel. The file beside the page stays as gnuplot drew it.
struct InlineSVG {
    var text: String

    /// - Parameters:
    ///   - svg: the picture as gnuplot wrote it.
    ///   - prefix: what the picture's names begin with, unique on the page.
    ///   - label: what the picture shows, for those who do not see it.
    /// - Returns: nil when this is not such a picture.
    init?(_ svg: String, prefix: String, label: String) {
        guard let open = svg.firstRange(of: "<svg"),
            let viewBox = Self.attribute("viewBox", of: svg[open.lowerBound...]),
            let head = svg[open.lowerBound...].firstIndex(of: ">"), let close = svg.firstRange(of: "</svg>")
        else { return nil }
        var body = ""
        let used = Self.usedMarkers(svg)
        let isRound = svg.contains("stroke-linecap=\"round\"")
        var inDefinitions = false
        // A group's opening tag is held back until something comes to stand in it.
        var held: [String] = []
        for piece in Self.wholeLines(svg[svg.index(after: head)..<close.lowerBound]) {
            for line in Self.tagsApart(piece) {
                if line.hasPrefix("<defs>") { inDefinitions = true }
                if line.hasPrefix("</defs>") { inDefinitions = false }
                if line.hasPrefix("<title>") || line.hasPrefix("<desc>") || line.isEmpty { continue }
                if line.hasPrefix("<rect x=\"0\" y=\"0\"") { continue }
                if inDefinitions, let id = Self.attribute("id", of: line), !used.contains(id) { continue }
                if line.hasPrefix("<g "), line.hasSuffix(">") {
                    held.append(Self.lighter(Self.withoutCommon(line), prefix: prefix))
                } else if line == "</g>", !held.isEmpty {
                    held.removeLast()
                } else {
                    body += held.joined()
                    held.removeAll()
                    body += Self.lighter(line, prefix: prefix)
                    if line == "</g>" { body += "\n" }
                }
            }
        }
        var html = HTML()
        html.element("svg", [(.viewBox, viewBox), (.role, "img"), (.ariaLabel, label), (.class, "plot")]) {
            $0.element("g", Self.common(isRound)) { $0.appendMarkup(ofGnuplot: body) }
        }
        text = html.text
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let found = tag.firstRange(of: " " + name + "=") ?? tag.firstRange(of: "\n" + name + "=") else {
            return nil
        }
        let rest = tag[found.upperBound...]
        guard let quote = rest.first, quote == "'" || quote == "\"",
            let end = rest.dropFirst().firstIndex(of: quote)
        else { return nil }
        return String(rest[rest.index(after: rest.startIndex)..<end])
    }

    /// The lines of a picture, with paths that gnuplot broke over several lines in one.
    private static func wholeLines(_ text: Substring) -> [Substring] {
        var lines: [Substring] = []
        var start: Substring.Index?
        for line in text.split(separator: "\n") {
            let beginsPath = start == nil && line.drop { $0 == "\t" || $0 == " " }.hasPrefix("<path")
            if beginsPath || start != nil {
                let first = start ?? line.startIndex
                start = first
                guard line.contains("/>") else { continue }
                lines.append(text[first..<line.endIndex])
                start = nil
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    /// Names of markers that points refer to, and of those that these are made of.
    private static func usedMarkers(_ svg: String) -> Set<String> {
        var used: Set<String> = []
        var madeOf: [String: String] = [:]
        for line in svg.split(separator: "\n") where line.contains("xlink:href='#") {
            guard let target = attribute("xlink:href", of: line) else { continue }
            let name = String(target.dropFirst())
            if let id = attribute("id", of: line) { madeOf[id] = name } else { used.insert(name) }
        }
        var frontier = Array(used)
        while let name = frontier.popLast() {
            if let part = madeOf[name], used.insert(part).inserted { frontier.append(part) }
        }
        return used
    }

    /// What nearly every group of gnuplot says of itself.
    private static func common(_ isRound: Bool) -> [(HTML.Attribute, String)] {
        [
            (.fill, "none"), (.color, "black"), (.stroke, "currentColor"), (.strokeWidth, "1"),
            (.strokeLinecap, isRound ? "round" : "butt"), (.strokeLinejoin, isRound ? "round" : "miter"),
            (.fontFamily, "sans-serif"),
        ]
    }

    private static func withoutCommon(_ line: Substring) -> Substring {
        var line = line
        for part in [
            "fill=\"none\" color=\"black\" stroke=\"currentColor\"", " stroke-width=\"1.00\"",
            " stroke-linecap=\"round\"",
            " stroke-linejoin=\"round\"", " stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"",
            " font-family=\"sans-serif\"",
        ] {
            if let range = line.firstRange(of: part) { line = line[..<range.lowerBound] + line[range.upperBound...] }
        }
        return line
    }

    /// The tags of a line of gnuplot's, each for itself. Texts, which hold no tag, are left whole.
    private static func tagsApart(_ line: Substring) -> [Substring] {
        var rest = line.drop { $0 == "\t" || $0 == " " }
        if rest.hasPrefix("<text") || rest.hasPrefix("<title>") || rest.hasPrefix("<desc>") { return [rest] }
        var tags: [Substring] = []
        while let next = rest.dropFirst().firstIndex(of: "<") {
            var tag = rest[..<next]
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            tags.append(tag)
            rest = rest[next...]
            // A title after a group's opening tag is a tool tip.
            if rest.hasPrefix("<title>") { return tags }
        }
        return tags + [rest]
    }

    /// The line with prefixed names and rounded coordinates. Text content is passed through as it is: gnuplot has
    /// escaped it, so that inside a text there is no `<` and no attribute.
    private static func lighter(_ line: Substring, prefix: String) -> String {
        if line.hasPrefix("<text") { return String(line) }
        var result = ""
        var rest = line
        while let equals = rest.firstIndex(of: "=") {
            let quoteIndex = rest.index(after: equals)
            guard quoteIndex < rest.endIndex, rest[quoteIndex] == "'" || rest[quoteIndex] == "\"",
                let end = rest[rest.index(after: quoteIndex)...].firstIndex(of: rest[quoteIndex])
            else { break }
            let name = rest[..<equals].split { $0 == " " || $0 == "\t" || $0 == "<" }.last ?? ""
            let value = rest[rest.index(after: quoteIndex)..<end]
            result += rest[...quoteIndex]
            result += lighter(value, attribute: name, prefix: prefix)
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func lighter(_ value: Substring, attribute: Substring, prefix: String) -> String {
        switch attribute {
        case "id": return prefix + value
        case "xlink:href", "href": return value.hasPrefix("#") ? "#" + prefix + value.dropFirst() : String(value)
        case "d": return lighterPath(value)
        case "transform": return value.hasPrefix("translate") ? rounded(value) : String(value)
        default:
            if value.hasPrefix("url(#") { return "url(#" + prefix + value.dropFirst(5) }
            if value.hasPrefix("rgb(") { return hexadecimal(value) }
            return value.hasSuffix(".00") ? String(value.dropLast(3)) : String(value)
        }
    }

    /// `rgb(  0, 114, 178)` → `#0072b2`.
    private static func hexadecimal(_ colour: Substring) -> String {
        let parts = colour.dropFirst(4).dropLast().split(separator: ",").compactMap { UInt8($0.filter { $0 != " " }) }
        guard parts.count == 3 else { return String(colour) }
        return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `M1.234,5 L9.87,5` → `M1.2,5H9.9`: absolute coordinates, horizontal and vertical lines by their one number.
    private static func lighterPath(_ path: Substring) -> String {
        var result = ""
        var lastX: Substring = ""
        var lastY: Substring = ""
        for part in path.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) {
            guard let command = part.first, command == "M" || command == "L", let comma = part.firstIndex(of: ",")
            else {
                if !result.isEmpty, part.first?.isLetter != true { result += " " }
                result += part
                lastX = ""
                lastY = ""
                continue
            }
            let x = part[part.index(after: part.startIndex)..<comma]
            let y = part[part.index(after: comma)...]
            if command == "L", y == lastY {
                result += "H" + rounded(x)
            } else if command == "L", x == lastX {
                result += "V" + rounded(y)
            } else {
                result += String(command) + rounded(x) + "," + rounded(y)
            }
            (lastX, lastY) = (x, y)
        }
        return result
    }

    /// Numbers with two decimals cut to one, rounded; everything else stays.
    private static func rounded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var digits: [UInt8] = []
        func flush() {
            defer { digits.removeAll(keepingCapacity: true) }
            guard let point = digits.firstIndex(of: UInt8(ascii: ".")), digits.count - point > 2,
                let value = Double(String(decoding: digits, as: UTF8.self))
            else { return bytes.append(contentsOf: digits) }
            let tenths = Int((value * 10).rounded())
            bytes.append(contentsOf: (tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))").utf8)
        }
        for byte in text.utf8 {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".") {
                digits.append(byte)
            } else {
                flush()
                bytes.append(byte)
            }
        }
        flush()
        return String(decoding: bytes, as: UTF8.self)
    }
}
