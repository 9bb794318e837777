import Foundation

/// The cases of one section of Golden/statistics.json, which Golden/statistics.py writes from SciPy and its like.
func golden<Case: Decodable>(_ section: String, as: Case.Type = Case.self) throws -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/statistics.json")
    let decoder = JSONDecoder()
    decoder.userInfo[sectionKey] = section
    return try decoder.decode(Section<Case>.self, from: Data(contentsOf: file)).cases
}

private let sectionKey = CodingUserInfoKey(rawValue: "section")!

/// Decodes the one section whose name the decoder was told, and passes over the others.
private struct Section<Case: Decodable>: Decodable {
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var cases: [Case]

    init(from decoder: any Decoder) throws {
        let name = decoder.userInfo[sectionKey] as? String ?? ""
        cases = try decoder.container(keyedBy: Key.self).decode([Case].self, forKey: Key(stringValue: name))
    }
}

/// Whether two numbers agree but for rounding, relative to the larger of them and of `scale`.
func agree(_ one: Double?, _ other: Double?, within tolerance: Double = 1e-12, scale: Double = 0) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= tolerance * max(abs(one), abs(other), scale)
}
