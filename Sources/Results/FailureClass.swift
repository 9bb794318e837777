/// Tasks that failed for reasons of one class, where reasons have the form `class: detail`.
package struct FailureClass: Hashable, Sendable, Codable {
    /// What stands before the first `: ` of a reason; nil for reasons of another form.
    package var name: String?
    package var count: Int
    /// What stands after it, the most frequent first, five at most.
    package var details: [Detail]
    /// How many different ones there are.
    package var differentDetails: Int

    package struct Detail: Hashable, Sendable, Codable {
        package var text: String
        package var count: Int

        package init(text: String, count: Int) {
            self.text = text
            self.count = count
        }
    }

    package init(name: String?, count: Int, details: [Detail], differentDetails: Int) {
        self.name = name
        self.count = count
        self.details = details
        self.differentDetails = differentDetails
    }

    /// Class and detail of a reason: `time-out: no answer` has both, `no answer` only a detail.
    package static func parts(of reason: String) -> (name: String?, detail: String) {
        guard let colon = reason.firstRange(of: ": "), colon.lowerBound > reason.startIndex,
            colon.upperBound < reason.endIndex
        else { return (nil, reason) }
        return (String(reason[..<colon.lowerBound]), String(reason[colon.upperBound...]))
    }

    /// Reasons, with how often each occurred, by class: the most frequent class first, and those alike in the order of their names.
    package static func grouped(_ reasons: [String: Int]) -> [FailureClass] {
        var details: [String?: [Detail]] = [:]
        for (reason, count) in reasons {
            let (name, detail) = parts(of: reason)
            details[name, default: []].append(Detail(text: detail, count: count))
        }
        return details.map { name, details in
            FailureClass(
                name: name, count: details.reduce(0) { $0 + $1.count },
                details: Array(details.sorted { ($0.count, $1.text) > ($1.count, $0.text) }.prefix(5)),
                differentDetails: details.count)
        }.sorted { ($0.count, $1.name ?? "") > ($1.count, $0.name ?? "") }
    }
}
