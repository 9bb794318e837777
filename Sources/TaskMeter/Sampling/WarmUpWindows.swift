import Results

/// The samples of a warm-up, in windows, of which only the medians of the last two are kept.
///
/// A window has at least 16 samples and lasts a hundredth of the time for measuring: a few samples in a row agree by
/// chance, and on a processor that speeds up slowly.
struct WarmUpWindows: Sendable {
    private var values: [Int64] = []
    private var began = Instant(sinceOrigin: 0)
    private var before: Double?
    private var windows = 0

    private static let fewest = 16
    private static let most = 1_000
    /// No warm-up needs so many; only a clock that stands still comes here.
    private static let mostWindows = 1_000

    init() { values.reserveCapacity(Self.most) }

    /// Forgets everything and begins the first window.
    mutating func begin(at now: Instant) {
        values.removeAll(keepingCapacity: true)
        before = nil
        began = now
    }

    mutating func add(_ elapsed: Nanoseconds) { values.append(elapsed.count) }

    func isFull(at now: Instant, _ duration: Nanoseconds) -> Bool {
        values.count >= Self.most
            || values.count >= Self.fewest && (now - began).count >= duration.count / 100
    }

    /// The median of the window at hand; zero of none.
    var median: Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return (Double(sorted[(sorted.count - 1) / 2]) + Double(sorted[sorted.count / 2])) / 2
    }

    /// Whether the medians of this window and of the one before differ by at most 1 %, or by less than the clock tells
    /// apart.
    func agreesWithTheOneBefore(resolution: Nanoseconds) -> Bool {
        guard let before, values.count >= Self.fewest else { return false }
        return abs(median - before) <= max(before * 0.01, Double(resolution.count))
    }

    var isExhausted: Bool { windows >= Self.mostWindows }

    /// Ends this window and begins the next.
    mutating func next(at now: Instant) {
        before = median
        windows += 1
        values.removeAll(keepingCapacity: true)
        began = now
    }
}
