/// Fields of CSV by RFC 4180.
package enum CSV {
    /// A field as it stands in a row: quoted when it must be.
    package static func field(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let special: (UInt8) -> Bool = {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard bytes.contains(where: special) else { return bytes }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return quoted
    }

    /// A whole row with its line end.
    package static func row(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, text) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: field(text))
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
