import Words

/// How results are written for a person at a terminal.
package struct TextStyle: Sendable {
    /// Columns that a line may take; nil when nothing limits it.
    package var width: Int?
    /// Whether to use colours and bold letters (ANSI escapes). Only when asked for.
    package var colour: Bool

    package init(width: Int? = nil, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    enum Emphasis: String {
        case bold = "1"
        case faint = "2"
        case good = "32"
        case caution = "33"
    }

    func emphasised(_ text: String, _ emphasis: Emphasis) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Text broken between words into lines that fit the width, further lines indented.
    package func wrapped(_ text: String, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        guard let width else { return margin + text }
        var lines: [String] = []
        var line = margin
        var used = indent
        for word in text.split(separator: " ") {
            let columns = DisplayWidth.of(String(word))
            if used > indent, used + 1 + columns > width {
                lines.append(line)
                line = margin
                used = indent
            }
            if used > indent {
                line += " "
                used += 1
            }
            line += word
            used += columns
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
