/// What is known of a cost: a number, or why there is none. What could not be measured is never a zero and never a NaN.
///
/// In CSV files a reading is four fields: its value, which is empty where there is none, its status, the share of time
/// that it was counted for, and its reason.
package enum Reading: Hashable, Sendable {
    case measured(Double)
    /// It was counted for a share of the time, above 0 and below 1, and scaled up to all of it.
    case estimated(Double, share: Double)
    /// It can be counted here, but was not this time: its counter had no turn, its interval was too short or has a gap.
    case notCounted(reason: String)
    /// This machine, or this kind of benchmark, cannot give it.
    case unsupported(reason: String)
    /// This machine could give it, if it were allowed; the remedy says by whom and how.
    case denied(reason: String, remedy: String)

    /// The number, where there is one.
    package var value: Double? {
        switch self {
        case .measured(let value), .estimated(let value, _): value
        case .notCounted, .unsupported, .denied: nil
        }
    }

    /// Which of the five it is, as files and programs name it.
    package enum Status: String, Sendable, Codable, CaseIterable {
        case measured
        case estimated
        case notCounted = "not-counted"
        case unsupported
        case denied
    }

    package var status: Status {
        switch self {
        case .measured: .measured
        case .estimated: .estimated
        case .notCounted: .notCounted
        case .unsupported: .unsupported
        case .denied: .denied
        }
    }

    /// The share of time that it was counted for; nil where it was counted all of the time, or not at all.
    package var share: Double? { if case .estimated(_, let share) = self { share } else { nil } }

    /// Why there is no number; nil where there is one.
    package var reason: String? {
        switch self {
        case .measured, .estimated: nil
        case .notCounted(let reason), .unsupported(let reason), .denied(let reason, _): reason
        }
    }

    /// What would make it a number; nil where nothing is known to.
    package var remedy: String? { if case .denied(_, let remedy) = self { remedy } else { nil } }

    /// A measured number; what is not finite is none.
    package init(finite value: Double, orNotCounted reason: @autoclosure () -> String) {
        self = value.isFinite ? .measured(value) : .notCounted(reason: reason())
    }

    /// The same reading with another number in place of its own.
    package func map(_ transform: (Double) -> Double) -> Reading {
        switch self {
        case .measured(let value): .measured(transform(value))
        case .estimated(let value, let share): .estimated(transform(value), share: share)
        case .notCounted, .unsupported, .denied: self
        }
    }

    /// What two readings make together. Without one of the numbers there is no result, and the first that lacks one says
    /// why; what is estimated in part is estimated, with the smaller share.
    package func combined(with other: Reading, _ operation: (Double, Double) -> Double) -> Reading {
        guard let left = value else { return self }
        guard let right = other.value else { return other }
        let result = operation(left, right)
        guard let share = [share, other.share].compactMap({ $0 }).min() else { return .measured(result) }
        return .estimated(result, share: share)
    }

    /// Whether the numbers of two readings may be compared: what was measured is not compared with an estimate.
    package func isComparable(with other: Reading) -> Bool { value != nil && status == other.status }
}

extension Reading: CustomStringConvertible {
    /// For messages of tests and logs; what people read is made elsewhere.
    package var description: String {
        switch self {
        case .measured(let value): "\(value)"
        case .estimated(let value, let share): "\(value) (estimated from \(share) of the time)"
        case .notCounted(let reason): "not counted: \(reason)"
        case .unsupported(let reason): "unsupported: \(reason)"
        case .denied(let reason, let remedy): "denied: \(reason) → \(remedy)"
        }
    }
}

/// A measured number is itself; everything else is an object, such as `{"unsupported":"there is no battery"}`,
/// `{"denied":"…","remedy":"…"}` or `{"estimated":17.2,"share":0.83}`.
extension Reading: Codable {
    private enum Key: String, CodingKey {
        case estimated, share
        case notCounted = "not-counted"
        case unsupported, denied, remedy
    }

    package init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Double.self) {
            self = .measured(value)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let value = try container.decodeIfPresent(Double.self, forKey: .estimated) {
            self = .estimated(value, share: try container.decode(Double.self, forKey: .share))
        } else if let reason = try container.decodeIfPresent(String.self, forKey: .notCounted) {
            self = .notCounted(reason: reason)
        } else if let reason = try container.decodeIfPresent(String.self, forKey: .denied) {
            self = .denied(reason: reason, remedy: try container.decode(String.self, forKey: .remedy))
        } else {
            self = .unsupported(reason: try container.decode(String.self, forKey: .unsupported))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if case .measured(let value) = self {
            var container = encoder.singleValueContainer()
            return try container.encode(value)
        }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .measured: break
        case .estimated(let value, let share):
            try container.encode(value, forKey: .estimated)
            try container.encode(share, forKey: .share)
        case .notCounted(let reason): try container.encode(reason, forKey: .notCounted)
        case .unsupported(let reason): try container.encode(reason, forKey: .unsupported)
        case .denied(let reason, let remedy):
            try container.encode(reason, forKey: .denied)
            try container.encode(remedy, forKey: .remedy)
        }
    }
}
