import Clocks
import Recording
import Results

/// What one batch of iterations took.
package struct TimedBatch: Sendable {
    var begin: Instant
    /// What was measured: begin to end, or the sum of windows in between.
    var elapsed: Nanoseconds
    /// When the next batch may begin: after what had to be given up, too.
    var end: Instant
}

/// The two things that a trial executes in turns: a body in batches, and nothing at all in batches of the same size.
///
/// Both are timed by the same machine code. The innermost loops (`timed…`) are never inlined and call a closure that the
/// optimiser cannot know: it passed through `identity`. So a body cannot be merged into the loop, hoisted out of it or
/// removed, and an empty body costs what is subtracted, to about a nanosecond: two closures without an instruction of
/// work were seen to differ by two cycles a call for the place at which each lies in memory alone.
package enum Batches: Sendable {
    package typealias Synchronous = @Sendable (_ iterations: Int, BatchMeter) throws -> TimedBatch
    package typealias Asynchronous =
        @Sendable (_ iterations: Int, BatchMeter, isolated (any Actor)?) async throws ->
        TimedBatch

    case synchronous(work: Synchronous, empty: Synchronous)
    case asynchronous(work: Asynchronous, empty: Asynchronous)
}

extension Batches {
    /// Batches of a body that takes nothing.
    ///
    /// - Parameter empty: does nothing.
    static func plain(
        _ body: @escaping @Sendable () throws -> Void, empty: @escaping @Sendable () throws -> Void
    ) -> Batches {
        func timing(_ plain: PlainBody) -> Synchronous {
            let opaque = identity(plain)
            return { iterations, meter in try timed(iterations, meter, opaque.body) }
        }
        return .synchronous(work: timing(PlainBody(body: body)), empty: timing(PlainBody(body: empty)))
    }

    /// Batches of a body that may suspend.
    ///
    /// - Parameter empty: does nothing, isolated as the body is.
    static func plain(
        _ body: @escaping @Sendable () async throws -> Void, empty: @escaping @Sendable () async throws -> Void
    ) -> Batches {
        func timing(_ plain: SuspendingBody) -> Asynchronous {
            let opaque = identity(plain)
            return { iterations, meter, isolation in
                try await timed(iterations, meter, isolation: isolation, opaque.body)
            }
        }
        return .asynchronous(work: timing(SuspendingBody(body: body)), empty: timing(SuspendingBody(body: empty)))
    }

    // In structs, because a closure that passes by itself through a generic function, as `identity` is, comes back in
    // wrappers, each of which costs a call.
    private struct PlainBody: Sendable { let body: @Sendable () throws -> Void }
    private struct SuspendingBody: Sendable { let body: @Sendable () async throws -> Void }
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed(
    _ iterations: Int, _ meter: BatchMeter, _ body: @Sendable () throws -> Void
) throws -> TimedBatch {
    meter.open()
    let begin = meter.clock.now()
    for _ in 0..<iterations { try body() }
    let end = meter.clock.now()
    meter.close()
    return TimedBatch(begin: begin, elapsed: end - begin, end: end)
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed(
    _ iterations: Int, _ meter: BatchMeter, isolation: isolated (any Actor)?,
    _ body: @Sendable () async throws -> Void
) async throws -> TimedBatch {
    meter.open()
    let begin = meter.clock.now()
    for _ in 0..<iterations { try await body() }
    let end = meter.clock.now()
    meter.close()
    return TimedBatch(begin: begin, elapsed: end - begin, end: end)
}
