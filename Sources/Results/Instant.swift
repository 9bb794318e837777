/// A moment on the monotonic clock, in nanoseconds since the run's origin. Two moments cannot be added;
/// their difference is a length of time.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    public var sinceOrigin: Int64

    public init(sinceOrigin: Int64) { self.sinceOrigin = sinceOrigin }

    public static func < (left: Instant, right: Instant) -> Bool { left.sinceOrigin < right.sinceOrigin }
    public static func - (left: Instant, right: Instant) -> Nanoseconds {
        Nanoseconds(left.sinceOrigin - right.sinceOrigin)
    }
    public static func + (left: Instant, right: Nanoseconds) -> Instant {
        Instant(sinceOrigin: left.sinceOrigin + right.count)
    }

    public init(from decoder: any Decoder) throws {
        sinceOrigin = try decoder.singleValueContainer().decode(Int64.self)
    }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sinceOrigin)
    }
}
