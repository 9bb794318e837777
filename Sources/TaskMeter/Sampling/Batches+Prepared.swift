import Clocks
import Recording
import Results

extension Batches {
    /// Batches of a body that takes an input of its own each time.
    static func prepared<Input>(
        setUp: @escaping @Sendable () throws -> Input, tearDown: @escaping @Sendable (Input) -> Void,
        _ body: @escaping @Sendable (inout Input) throws -> Void,
        empty: @escaping @Sendable (inout Input) throws -> Void
    ) -> Batches {
        func timing(_ body: PreparedBody<Input>) -> Synchronous {
            let opaque = identity(body)
            return { iterations, meter in
                var inputs = PreparedInputs<Input>(capacity: iterations)
                defer { inputs.forEach(tearDown) }
                for _ in 0..<iterations { inputs.append(try setUp()) }
                return try timed(inputs, meter, opaque.body)
            }
        }
        return .synchronous(
            work: timing(PreparedBody(body: body)), empty: timing(PreparedBody(body: empty)))
    }

    /// The same of closures that may suspend.
    ///
    /// - Parameter empty: does nothing, isolated as the body is.
    static func prepared<Input: Sendable>(
        setUp: @escaping @Sendable () async throws -> Input, tearDown: @escaping @Sendable (Input) async -> Void,
        _ body: @escaping @Sendable (inout Input) async throws -> Void,
        empty: @escaping @Sendable (inout Input) async throws -> Void
    ) -> Batches {
        func timing(_ body: SuspendingPreparedBody<Input>) -> Asynchronous {
            let opaque = identity(body)
            return { iterations, meter, isolation in
                var inputs = PreparedInputs<Input>(capacity: iterations)
                let batch: Result<TimedBatch, any Error>
                do {
                    for _ in 0..<iterations { inputs.append(try await setUp()) }
                    batch = .success(try await timed(inputs, meter, isolation: isolation, opaque.body))
                } catch {
                    batch = .failure(error)
                }
                for index in 0..<inputs.count { await tearDown(inputs.memory[index]) }
                return try batch.get()
            }
        }
        return .asynchronous(
            work: timing(SuspendingPreparedBody(body: body)), empty: timing(SuspendingPreparedBody(body: empty)))
    }

    private struct PreparedBody<Input>: Sendable { let body: @Sendable (inout Input) throws -> Void }
    private struct SuspendingPreparedBody<Input: Sendable>: Sendable {
        let body: @Sendable (inout Input) async throws -> Void
    }
}

/// Memory for the inputs of one batch, in which a body changes each in place: they are in no array, whose copies would be
/// part of the body's time.
private struct PreparedInputs<Input>: ~Copyable {
    let memory: UnsafeMutablePointer<Input>
    private(set) var count = 0

    init(capacity: Int) { memory = .allocate(capacity: capacity) }

    deinit {
        memory.deinitialize(count: count)
        memory.deallocate()
    }

    mutating func append(_ input: consuming Input) {
        (memory + count).initialize(to: input)
        count += 1
    }

    func forEach(_ body: (Input) -> Void) {
        for index in 0..<count { body(memory[index]) }
    }
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed<Input>(
    _ inputs: borrowing PreparedInputs<Input>, _ meter: BatchMeter, _ body: @Sendable (inout Input) throws -> Void
) throws -> TimedBatch {
    meter.open()
    let begin = meter.clock.now()
    for index in 0..<inputs.count { try body(&inputs.memory[index]) }
    let end = meter.clock.now()
    meter.close()
    return TimedBatch(begin: begin, elapsed: end - begin, end: end)
}

// hot path: no allocation, no lock, no call that can block
@inline(never)
private func timed<Input: Sendable>(
    _ inputs: borrowing PreparedInputs<Input>, _ meter: BatchMeter, isolation: isolated (any Actor)?,
    _ body: @Sendable (inout Input) async throws -> Void
) async throws -> TimedBatch {
    meter.open()
    let begin = meter.clock.now()
    for index in 0..<inputs.count { try await body(&inputs.memory[index]) }
    let end = meter.clock.now()
    meter.close()
    return TimedBatch(begin: begin, elapsed: end - begin, end: end)
}
