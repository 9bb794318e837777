import CLinux
import Results
import Synchronization

/// Counts what the bodies of tasks execute, each on whatever thread it runs, and adds it up: what tasks cost in themselves, without
/// what a strategy does to run them.
///
/// Bodies that allocate find the allocator as other threads left it: their counts repeat to some hundredths of a percent where
/// threads run at once, and exactly elsewhere.
///
/// Thread-safe. It needs an emulator that counts threads apart (`Emulator.Threads.many`).
package final class ExactTasks: Sendable {
    private struct Sums {
        var instructions: UInt64 = 0
        var branches: UInt64 = 0
        var calls = [UInt64](repeating: 0, count: clinux_exact_functions)
        var overflows: UInt64 = 0
        var tasks = 0

        mutating func add(_ from: clinux_exact_counts, _ to: clinux_exact_counts) {
            instructions &+= to.thread_instructions &- from.thread_instructions
            branches &+= to.thread_branches &- from.thread_branches
            overflows += to.overflows
            tasks += 1
            withUnsafeBytes(of: from.thread_calls) { from in
                withUnsafeBytes(of: to.thread_calls) { to in
                    let (from, to) = (from.bindMemory(to: UInt64.self), to.bindMemory(to: UInt64.self))
                    for place in calls.indices { calls[place] &+= to[place] &- from[place] }
                }
            }
        }
    }

    private let places: [(function: ExactFunction, place: Int)]
    private let knowsBranches: Bool
    private let countsThreadsApart: Bool
    private let sums = Mutex(Sums())
    /// What a bracket around nothing executes.
    private let floor: (instructions: UInt64, branches: UInt64)

    package init(_ marker: ExactMarker) {
        places = marker.places
        knowsBranches = marker.knowsBranches
        countsThreadsApart = marker.countsThreadsApart
        let nothing: () throws -> Void = opaque({})
        var (from, to) = (clinux_exact_counts(), clinux_exact_counts())
        // The second time the code of the bracket is translated already; what it executes is the same each time.
        for _ in 0..<2 { try? Self.bracket(&from, &to, nothing) }
        floor = (
            to.thread_instructions &- from.thread_instructions, to.thread_branches &- from.thread_branches
        )
    }

    /// Executes the body of a task and counts it; also one that throws.
    package func count(_ body: () throws -> Void) rethrows {
        var (from, to) = (clinux_exact_counts(), clinux_exact_counts())
        defer { sums.withLock { $0.add(from, to) } }
        try Self.bracket(&from, &to, body)
    }

    /// Never inlined, so that the bracket around nothing is the same code as that around a task.
    @inline(never)
    private static func bracket(
        _ from: inout clinux_exact_counts, _ to: inout clinux_exact_counts, _ body: () throws -> Void
    ) rethrows {
        _ = clinux_mark_exact(clinux_exact_read_thread, &from)
        defer { _ = clinux_mark_exact(clinux_exact_read_thread, &to) }
        try body()
    }

    /// What counting one task adds to what the process executes, besides the body: what is not the strategy's either.
    package static func cost(_ marker: ExactMarker) -> ExactCounts.Tally {
        let rounds = 64
        let counting = ExactTasks(marker)
        let nothing: () throws -> Void = opaque({})
        try? counting.count(nothing)
        marker.begin()
        for _ in 0..<rounds { try? counting.count(nothing) }
        let all = marker.end().process
        return ExactCounts.Tally(
            instructions: all.instructions / rounds, branches: all.branches.map { $0 / rounds }, calls: [:])
    }

    /// How many bodies were counted so far.
    package var counted: Int { sums.withLock { $0.tasks } }

    /// What all bodies together executed.
    package func readings() -> [(Metric, Reading)] {
        let sums = sums.withLock { $0 }
        let absence: Reading? =
            if !countsThreadsApart {
                .notCounted(reason: ExactCounts.Doubt.otherThreadsRan.reason)
            } else if sums.overflows > 0 {
                .notCounted(reason: ExactCounts.Doubt.tooMuchCode.reason)
            } else if sums.tasks == 0 {
                .notCounted(reason: "no task ended while it counted")
            } else {
                nil
            }
        if let absence { return ExactMetrics.metrics(.thread).map { ($0, absence) } }
        let tasks = UInt64(sums.tasks)
        let tally = ExactCounts.Tally(
            instructions: Int(sums.instructions &- tasks &* floor.instructions),
            branches: knowsBranches ? Int(sums.branches &- tasks &* floor.branches) : nil,
            calls: Dictionary(uniqueKeysWithValues: places.map { ($0.function, Int(sums.calls[$0.place])) }))
        return ExactMetrics.readings(of: ExactCounts(thread: tally, process: tally), .thread)
    }
}

/// The same value, of which the optimiser knows nothing.
@inline(never)
private func opaque<Value>(_ value: Value) -> Value { value }
