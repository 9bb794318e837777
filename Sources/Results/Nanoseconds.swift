/// A length of time in whole nanoseconds; negative when it runs backwards.
public struct Nanoseconds: Hashable, Comparable, Sendable, Codable {
    /// The number of nanoseconds.
    public var count: Int64

    /// So many nanoseconds.
    public init(_ count: Int64) { self.count = count }

    /// No time at all.
    public static let zero = Nanoseconds(0)
    /// A number of seconds, to the nearest nanosecond; its magnitude must be below 9 × 10⁹.
    public static func seconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e9).rounded())) }
    /// A number of milliseconds, to the nearest nanosecond.
    public static func milliseconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e6).rounded())) }
    /// A number of microseconds, to the nearest nanosecond.
    public static func microseconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e3).rounded())) }

    /// The same length in seconds, as a fraction.
    public var seconds: Double { Double(count) / 1e9 }

    /// Whether a length of time is shorter than another.
    public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
    /// The sum of two lengths of time.
    public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count + right.count)
    }
    /// The difference of two lengths of time.
    public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count - right.count)
    }
    /// Adds a length of time to another.
    public static func += (left: inout Nanoseconds, right: Nanoseconds) { left.count += right.count }

    /// Decodes a whole number of nanoseconds.
    public init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int64.self) }
    /// Encodes as a whole number of nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}
