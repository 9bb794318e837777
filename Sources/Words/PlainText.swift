/// Text from outside (names, reasons, versions) made harmless for one line of anything.
package enum PlainText {
    /// The text on one line: control characters, line separators, and what changes the direction of the text around it
    /// become U+FFFD, because they could break a line, move a cursor, or make a name look like another.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    /// The same, cut to a number of columns with an ellipsis.
    package static func oneLine(_ text: String, columns: Int) -> String {
        DisplayWidth.clipped(oneLine(text), to: columns)
    }

    /// Controls (C0, DEL, C1), line and paragraph separators, embeddings, overrides and isolates, and what XML forbids.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0xFEFF: true
        case let value: value & 0xFFFE == 0xFFFE
        }
    }

    /// A text from a program on one line of at most 300 characters, its line ends shown as ⏎.
    package static func excerpt(_ text: String) -> String {
        guard !text.isEmpty else { return "no reason given" }
        let lines = text.prefix(300).split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
        return oneLine(lines) + (text.count > 300 ? "…" : "")
    }

    /// `a`, `a and b`, `a, b and c`.
    package static func list(_ items: [String]) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " and " + last
    }
}
