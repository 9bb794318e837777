/// The names that are most like a mistyped one, best first; those that share nearly nothing with it are left out.
package func nearest(to typed: String, in names: [String], atMost limit: Int) -> [String] {
    let wanted = Array(typed.lowercased().unicodeScalars.prefix(200))
    return names.compactMap { name -> (distance: Double, name: String)? in
        let other = Array(name.lowercased().unicodeScalars.prefix(200))
        let longer = Double(max(wanted.count, other.count, 1))
        // A part of a name is near to it, however long the rest is.
        let contained = !typed.isEmpty && name.lowercased().contains(typed.lowercased())
        let distance = contained ? 0.1 : Double(editDistance(wanted, other)) / longer
        return distance <= 0.7 ? (distance, name) : nil
    }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(limit).map(\.name)
}

/// The fewest insertions, deletions and replacements that turn one into the other (Levenshtein, 1965).
private func editDistance(_ left: [UnicodeScalar], _ right: [UnicodeScalar]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let replaced = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[right.count]
}
