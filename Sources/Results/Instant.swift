/// A moment on the monotonic clock, in nanoseconds since the run's origin. Two moments cannot be added;
/// their difference is a length of time.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Nanoseconds since the origin; negative before it.
    public var sinceOrigin: Int64

    /// The moment so many nanoseconds after the origin.
    public init(sinceOrigin: Int64) { self.sinceOrigin = sinceOrigin }

    /// Whether a moment comes before another of the same origin.
    public static func < (left: Instant, right: Instant) -> Bool { left.sinceOrigin < right.sinceOrigin }
    /// The time from the right moment to the left one; both must have one origin.
    public static func - (left: Instant, right: Instant) -> Nanoseconds {
        Nanoseconds(left.sinceOrigin - right.sinceOrigin)
    }
    /// The moment so much later.
    public static func + (left: Instant, right: Nanoseconds) -> Instant {
        Instant(sinceOrigin: left.sinceOrigin + right.count)
    }

    /// Decodes a whole number of nanoseconds since the origin.
    public init(from decoder: any Decoder) throws {
        sinceOrigin = try decoder.singleValueContainer().decode(Int64.self)
    }
    /// Encodes as a whole number of nanoseconds since the origin.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sinceOrigin)
    }
}
