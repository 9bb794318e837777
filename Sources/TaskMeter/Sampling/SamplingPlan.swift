import Results

/// Decides what a trial of a sampled benchmark executes next: how many iterations of its body, or of nothing.
///
/// A value that knows no clock and no thread: whoever executes it asks for the `next` batch, times it, and tells how long
/// it `took`, until there is none. Three stages follow one another:
///
/// - Calibration grows the batch until it lasted its target twice in a row: once can be chance.
/// - Warm-up takes samples in windows and keeps none, until the medians of two windows that follow one another agree to 1 %,
///   or a fifth of the time is over. Code that became faster meanwhile gets larger batches.
/// - Measuring takes the samples. One batch in nine does nothing, so that what loop and clock cost is known from the same
///   moment; it comes first, so that no sample lacks it.
///
/// No batch is so large that fewer than twenty such would fit into the time. So a body with long preparation, or one that
/// takes no time at all, ends its calibration too.
package struct SamplingPlan: Sendable {
    package struct Settings: Hashable, Sendable {
        /// How long a batch shall last, at least.
        package var target: Nanoseconds
        /// Times that differ by less than this are the same to the clock.
        package var resolution: Nanoseconds
        /// The most samples of work to measure.
        package var samples: Int
        /// How long measuring may take; warm-up and calibration a fifth of it in addition.
        package var duration: Nanoseconds
        /// The most iterations of a batch; 1 when each iteration shall be a sample.
        package var mostIterations: Int

        package init(
            target: Nanoseconds, resolution: Nanoseconds, samples: Int, duration: Nanoseconds, mostIterations: Int
        ) {
            self.target = target
            self.resolution = resolution
            self.samples = samples
            self.duration = duration
            self.mostIterations = mostIterations
        }
    }

    package enum Batch: Hashable, Sendable {
        case work(iterations: Int)
        case empty(iterations: Int)
    }

    package enum Stage: Hashable, Sendable { case calibration, warmUp, measuring, over }

    package let settings: Settings
    package private(set) var stage: Stage
    /// Iterations of each batch from here on.
    package private(set) var iterations = 1
    /// Whether the warm-up ended because times had become steady; nil while it goes on.
    package private(set) var becameSteady: Bool?
    /// Samples of work that were measured.
    package private(set) var samples = 0

    private let began: Instant
    private var now: Instant
    private var measuringBegan: Instant
    /// Place in the round of one empty batch and eight of work.
    private var turn = 0
    private var crossings = 0
    private var warmUp = WarmUpWindows()

    private static let round = 9
    private static let smallestShare: Int64 = 20

    /// - Parameter start: the moment at which the first batch may begin.
    package init(_ settings: Settings, start: Instant) {
        self.settings = settings
        stage = settings.mostIterations > 1 ? .calibration : .warmUp
        began = start
        now = start
        measuringBegan = start
    }

    /// What to execute now; nil at the end.
    // hot path: no allocation, no lock, no call that can block
    package var next: Batch? {
        switch stage {
        case .calibration: .work(iterations: iterations)
        case .warmUp, .measuring: turn == 0 ? .empty(iterations: iterations) : .work(iterations: iterations)
        case .over: nil
        }
    }

    /// Takes in how long the batch that was `next` took.
    ///
    /// - Parameters:
    ///   - elapsed: what was measured of it.
    ///   - now: the moment at which the next batch may begin, after all that belonged to this one.
    // hot path while measuring: no allocation, no lock, no call that can block
    package mutating func took(_ elapsed: Nanoseconds, until now: Instant) {
        let all = now - self.now
        self.now = now
        switch stage {
        case .calibration: calibrate(elapsed, all)
        case .warmUp:
            if turn > 0 { takeWarmUp(elapsed, all) } else { turn = 1 }
        case .measuring:
            if turn > 0 { samples += 1 }
            turn = turn + 1 == Self.round ? 0 : turn + 1
            if samples > 0, samples >= settings.samples || now - measuringBegan >= settings.duration { stage = .over }
        case .over: break
        }
    }

    /// Some milliseconds are enough for any calibration; a share of the time alone is not, where that is short and the machine pauses:
    /// all samples of the trial would then be too short.
    private var calibrationIsOver: Bool { warmUpIsOver && (now - began) >= .milliseconds(20) }

    private var warmUpIsOver: Bool { (now - began).count >= settings.duration.count / 5 }

    private mutating func calibrate(_ elapsed: Nanoseconds, _ all: Nanoseconds) {
        if elapsed >= settings.target {
            crossings += 1
            // What takes a good part of all the time need not be tried again.
            if crossings == 2 || all.count >= settings.duration.count / Self.smallestShare { return warm() }
        } else {
            crossings = 0
            guard grow(Double(elapsed.count), all) else { return warm() }
        }
        if calibrationIsOver { warm() }
    }

    private mutating func warm() {
        stage = .warmUp
        warmUp.begin(at: now)
        if warmUpIsOver { measure(steady: false) }
    }

    private mutating func measure(steady: Bool) {
        becameSteady = steady
        stage = .measuring
        turn = 0
        measuringBegan = now
    }

    private mutating func takeWarmUp(_ elapsed: Nanoseconds, _ all: Nanoseconds) {
        turn = turn + 1 == Self.round ? 0 : turn + 1
        warmUp.add(elapsed)
        guard warmUpIsOver || warmUp.isFull(at: now, settings.duration) else { return }
        let median = warmUp.median
        if median < Double(settings.target.count), grow(median, all) {
            warmUp.begin(at: now)
            if warmUpIsOver { measure(steady: false) }
        } else if warmUp.agreesWithTheOneBefore(resolution: settings.resolution) {
            measure(steady: true)
        } else if warmUpIsOver || warmUp.isExhausted {
            measure(steady: false)
        } else {
            warmUp.next(at: now)
        }
    }

    /// Makes batches larger, of which one that is too short just took so long; false when they cannot grow.
    ///
    /// Far from the target by ten times; near it to a fifth beyond, so that the next crosses it. Never wraps.
    private mutating func grow(_ elapsed: Double, _ all: Nanoseconds) -> Bool {
        let target = Double(settings.target.count)
        let factor = elapsed * 10 < target ? 10 : 1.2 * target / elapsed
        let wanted = max((Double(iterations) * factor).rounded(.up), Double(iterations) + 1)
        var most = Double(settings.mostIterations)
        if all > .zero {
            let room = Double(settings.duration.count) / Double(Self.smallestShare)
            most = min(most, (room / (Double(all.count) / Double(iterations))).rounded(.down))
        }
        let grown = Int(min(wanted, max(most, Double(iterations)), 1e15))
        guard grown > iterations else { return false }
        iterations = grown
        return true
    }
}
