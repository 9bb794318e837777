/// Names for files and anchors, made from identities that may hold anything.
struct SafeNames {
    private var given: Set<String> = []

    /// Letters, digits and hyphens that a person recognises, and a hash of the whole identity. The same identity gets
    /// the same name in every run; a name is never given twice.
    mutating func name(for identity: String) -> String {
        var readable = ""
        for scalar in identity.unicodeScalars where readable.utf8.count < 48 {
            let keeps = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if keeps {
                readable += String(scalar).lowercased()
            } else if readable.last != "-", !readable.isEmpty {
                readable += "-"
            }
        }
        if readable.last == "-" { readable.removeLast() }
        let hash = String(Self.hash(identity), radix: 16)
        let base =
            (readable.isEmpty ? "w" : readable) + "-" + String((String(repeating: "0", count: 16) + hash).suffix(8))
        var name = base
        var number = 2
        while !given.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }

    /// FNV-1a, 64 bits: the same on every machine and for ever.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
