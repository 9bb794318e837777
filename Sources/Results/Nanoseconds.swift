/// A length of time in whole nanoseconds; negative when it runs backwards.
public struct Nanoseconds: Hashable, Comparable, Sendable, Codable {
    public var count: Int64

    public init(_ count: Int64) { self.count = count }

    public static let zero = Nanoseconds(0)
    public static func seconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e9).rounded())) }
    public static func milliseconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e6).rounded())) }
    public static func microseconds(_ value: Double) -> Nanoseconds { Nanoseconds(Int64((value * 1e3).rounded())) }

    /// The same length in seconds, as a fraction.
    public var seconds: Double { Double(count) / 1e9 }

    public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
    public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count + right.count)
    }
    public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count - right.count)
    }
    public static func += (left: inout Nanoseconds, right: Nanoseconds) { left.count += right.count }

    public init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int64.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}
