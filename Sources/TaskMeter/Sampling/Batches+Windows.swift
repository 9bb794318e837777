import Clocks
import Recording
import Results
import Synchronization

extension Batches {
    /// Batches of a body that measures windows.
    ///
    /// - Parameter empty: opens as many as its window says, and does nothing in them: so many as the body in the batch before.
    static func windows(
        _ body: @escaping @Sendable (inout MeasuredWindow) throws -> Void,
        empty: @escaping @Sendable (inout MeasuredWindow) throws -> Void
    ) -> Batches {
        let count = WindowCount()
        func timing(_ windowed: Windowed) -> Synchronous {
            let opaque = identity(windowed)
            return { iterations, meter in try timed(iterations, meter, count, opaque.body) }
        }
        return .synchronous(work: timing(Windowed(body: body)), empty: timing(Windowed(body: empty)))
    }

    /// The same of a body that may suspend.
    static func windows(
        _ body: @escaping @Sendable (inout MeasuredWindow) async throws -> Void,
        empty: @escaping @Sendable (inout MeasuredWindow) async throws -> Void
    ) -> Batches {
        let count = WindowCount()
        func timing(_ windowed: SuspendingWindowed) -> Asynchronous {
            let opaque = identity(windowed)
            return { iterations, meter, isolation in
                try await timed(iterations, meter, isolation: isolation, count, opaque.body)
            }
        }
        return .asynchronous(
            work: timing(SuspendingWindowed(body: body)), empty: timing(SuspendingWindowed(body: empty)))
    }

    private struct Windowed: Sendable { let body: @Sendable (inout MeasuredWindow) throws -> Void }
    private struct SuspendingWindowed: Sendable { let body: @Sendable (inout MeasuredWindow) async throws -> Void }
}

/// How many windows an iteration opened, in the batch before.
private final class WindowCount: Sendable {
    private let last = Atomic<Int>(1)

    var each: Int { last.load(ordering: .relaxed) }

    func note(_ windows: Int, of iterations: Int) {
        last.store(max((windows + iterations / 2) / max(iterations, 1), 1), ordering: .relaxed)
    }
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed(
    _ iterations: Int, _ meter: BatchMeter, _ count: WindowCount,
    _ body: @Sendable (inout MeasuredWindow) throws -> Void
) throws -> TimedBatch {
    var window = MeasuredWindow(meter, emptyWindows: count.each)
    let begin = meter.clock.now()
    for _ in 0..<iterations {
        try body(&window)
        try window.endIteration()
    }
    count.note(window.windows, of: iterations)
    return TimedBatch(begin: begin, elapsed: window.total, end: meter.clock.now())
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed(
    _ iterations: Int, _ meter: BatchMeter, isolation: isolated (any Actor)?, _ count: WindowCount,
    _ body: @Sendable (inout MeasuredWindow) async throws -> Void
) async throws -> TimedBatch {
    var window = MeasuredWindow(meter, emptyWindows: count.each)
    let begin = meter.clock.now()
    for _ in 0..<iterations {
        try await body(&window)
        try window.endIteration()
    }
    count.note(window.windows, of: iterations)
    return TimedBatch(begin: begin, elapsed: window.total, end: meter.clock.now())
}
