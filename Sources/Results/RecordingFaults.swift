/// Misuse of a recorder, by kind. A fault never changes a record that is already there.
public struct RecordingFaults: Hashable, Sendable, Codable {
    /// `end` of a task that had not begun: the end was not stored.
    public var endedWithoutBegin: Int
    /// `begin` of a task that had begun: the first begin stays.
    public var begunTwice: Int
    /// `end` of a task that had ended: the first end stays.
    public var endedTwice: Int
    /// `begin` or `end` of an ID that was never given out.
    public var unknownTask: Int

    /// So many faults of each kind.
    public init(endedWithoutBegin: Int = 0, begunTwice: Int = 0, endedTwice: Int = 0, unknownTask: Int = 0) {
        self.endedWithoutBegin = endedWithoutBegin
        self.begunTwice = begunTwice
        self.endedTwice = endedTwice
        self.unknownTask = unknownTask
    }

    /// No fault of any kind.
    public static let none = RecordingFaults()

    /// Faults of all kinds together.
    public var total: Int { endedWithoutBegin + begunTwice + endedTwice + unknownTask }

    /// The sums, kind by kind.
    public static func + (left: RecordingFaults, right: RecordingFaults) -> RecordingFaults {
        RecordingFaults(
            endedWithoutBegin: left.endedWithoutBegin + right.endedWithoutBegin,
            begunTwice: left.begunTwice + right.begunTwice,
            endedTwice: left.endedTwice + right.endedTwice,
            unknownTask: left.unknownTask + right.unknownTask)
    }

    /// The kinds that occurred, each with its number, in words.
    public var sentences: [String] {
        [
            (endedWithoutBegin, "ended without begin"), (begunTwice, "begun twice"), (endedTwice, "ended twice"),
            (unknownTask, "of an ID never given out"),
        ].filter { $0.0 > 0 }.map { "\($0.0) × \($0.1)" }
    }
}
