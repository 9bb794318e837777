import Results
import Words

/// How the iterations of a benchmark become samples, how many of them a trial takes, and for how long at most.
///
/// ```swift
/// Benchmark("lookup", "Finds a key.", sampling: .batches(samples: 5_000, duration: .seconds(1))) { … }
/// ```
public struct Sampling: Hashable, Sendable {
    enum Grouping: Hashable, Sendable { case batches, everyIteration }

    let grouping: Grouping
    let samples: Int
    let duration: Nanoseconds

    /// A sample is a batch of iterations, as many as last 1,000 times what the clock costs and can tell apart: for code
    /// of any length, also of a nanosecond. A trial takes 1,000 samples, or as many as 0.3 s have room for.
    public static let batches = batches()

    /// A sample is a batch of iterations, as many as last 1,000 times what the clock costs and can tell apart.
    ///
    /// - Parameters:
    ///   - samples: how many a trial takes at most; 1 or more. With `--quick` a tenth.
    ///   - duration: how long they take at most, all together; above zero. With `--quick` a tenth. Warm-up takes at most
    ///     a fifth as long, and comes before. One sample is always taken, however long it lasts.
    public static func batches(samples: Int = 1_000, duration: Nanoseconds = .seconds(0.3)) -> Sampling {
        Sampling(grouping: .batches, samples: samples, duration: duration)
    }

    /// Each iteration is a sample of its own: for code of a microsecond or more whose single times matter, slow ones
    /// among them. Of shorter code the clock's own cost, though it is subtracted, is most of each sample. A trial takes
    /// 10,000 samples, or as many as 0.3 s have room for.
    public static let everyIteration = everyIteration()

    /// Each iteration is a sample of its own. For the parameters see `batches(samples:duration:)`.
    public static func everyIteration(samples: Int = 10_000, duration: Nanoseconds = .seconds(0.3)) -> Sampling {
        Sampling(grouping: .everyIteration, samples: samples, duration: duration)
    }

    /// The same for a run that is for trying things: a tenth of both, but not so few that they say nothing.
    var quick: Sampling {
        Sampling(
            grouping: grouping, samples: max(samples / 10, min(samples, 50)),
            duration: Nanoseconds(max(duration.count / 10, 1)))
    }

    /// The same within less time.
    func within(_ limit: Nanoseconds) -> Sampling {
        Sampling(grouping: grouping, samples: samples, duration: min(duration, limit))
    }

    /// In words, for a report.
    var text: String {
        let each =
            switch grouping {
            case .batches: "in batches that last 1,000 times what the clock costs"
            case .everyIteration: "each iteration by itself"
            }
        return "\(each); at most \(PlainNumber.counted(samples, "sample")) or \(PlainDuration.text(duration)) a trial"
    }
}
