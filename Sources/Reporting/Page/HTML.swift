import Words

/// Writes HTML. Everything that comes from data passes through `text` or an attribute's value, and is escaped there;
/// names of elements and attributes are fixed in the code. There is no other way in.
struct HTML {
    /// The attributes that a report uses.
    enum Attribute: String {
        case ariaHidden = "aria-hidden"
        case ariaLabel = "aria-label"
        case charset
        case `class`
        case color
        case colspan
        case content
        case fill
        case fontFamily = "font-family"
        case height
        case href
        case httpEquiv = "http-equiv"
        case id
        case lang
        case name
        case open
        case rel
        case role
        case scope
        case stroke
        case strokeLinecap = "stroke-linecap"
        case strokeLinejoin = "stroke-linejoin"
        case strokeWidth = "stroke-width"
        case style
        case tabindex
        case title
        case viewBox
        case width
        case x
        case y
        case x1
        case x2
        case y1
        case y2
        case rx
        case cx
        case cy
        case r
    }

    private(set) var text = ""

    /// An element with content.
    mutating func element(
        _ name: StaticString, _ attributes: [(Attribute, String)] = [], _ content: (inout HTML) -> Void
    ) {
        open(name, attributes)
        content(&self)
        text += "</\(name)>"
    }

    /// An element that holds nothing but text.
    mutating func element(_ name: StaticString, _ attributes: [(Attribute, String)], _ content: String) {
        element(name, attributes) { $0.text(content) }
    }

    mutating func element(_ name: StaticString, _ content: String) { element(name, [], content) }

    /// An element that never has content, such as `meta`.
    mutating func void(_ name: StaticString, _ attributes: [(Attribute, String)] = []) { open(name, attributes) }

    mutating func text(_ content: String) { Self.escape(content, into: &text) }

    mutating func lineBreak() { text += "\n" }

    /// The page's own style sheet, which is part of the program.
    mutating func style(_ sheet: StaticString) { text += "<style>\(sheet)</style>" }

    mutating func doctype() { text += "<!doctype html>\n" }

    /// A whole picture, made by `InlineSVG`.
    mutating func picture(_ svg: InlineSVG) { text += svg.text }

    /// The inside of a picture that gnuplot drew, in which gnuplot has escaped all texts. For `InlineSVG` alone.
    mutating func appendMarkup(ofGnuplot markup: String) { text += markup }

    private mutating func open(_ name: StaticString, _ attributes: [(Attribute, String)]) {
        text += "<\(name)"
        for (attribute, value) in attributes {
            text += " \(attribute.rawValue)=\""
            Self.escape(value, into: &text)
            text += "\""
        }
        text += ">"
    }

    /// Escapes for text and for quoted attributes alike; characters that HTML forbids become U+FFFD.
    static func escape(_ content: String, into text: inout String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            default: text.unicodeScalars.append(PlainText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
            }
        }
    }
}
