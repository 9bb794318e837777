import CLinux

/// Counts what this process executes between two marks, where it runs under the emulator with TaskMeter's plugin.
///
/// One bracket at a time, both of whose ends are made by the same thread.
package final class ExactMarker {
    /// Whether threads are counted apart (`Emulator.Threads.many`), so that they may run at once.
    package let countsThreadsApart: Bool
    let knowsBranches: Bool
    /// Functions by their place among the plugin's counts.
    let places: [(function: ExactFunction, place: Int)]
    private let before: UnsafeMutablePointer<clinux_exact_counts>
    private let after: UnsafeMutablePointer<clinux_exact_counts>

    /// - Throws: why not: this process is not emulated, or by another version of the plugin.
    package init() throws(ExactRefusal) {
        var hello = clinux_exact_hello()
        _ = clinux_mark_exact(clinux_exact_greet, &hello)
        guard hello.version != 0 else {
            throw ExactRefusal("this process does not run under the emulator with TaskMeter's instruction plugin")
        }
        guard hello.version == UInt32(clinux_exact_version) else {
            throw ExactRefusal(
                "the instruction plugin speaks version \(hello.version), not \(clinux_exact_version): "
                    + "build suite and plugin anew (swift build)")
        }
        countsThreadsApart = hello.counts_threads_apart != 0
        knowsBranches = hello.knows_branches != 0
        places = ExactFunction.allCases.compactMap { function in
            guard let address = function.address else { return nil }
            var asked = clinux_exact_function(address: UInt64(address), place: -1)
            _ = clinux_mark_exact(clinux_exact_watch, &asked)
            return asked.place < 0 ? nil : (function, Int(asked.place))
        }
        before = .allocate(capacity: 1)
        after = .allocate(capacity: 1)
        before.initialize(to: clinux_exact_counts())
        after.initialize(to: clinux_exact_counts())
    }

    deinit {
        before.deallocate()
        after.deallocate()
    }

    /// Begins a bracket.
    // hot path: no allocation, no lock, no call that can block
    @inline(never)
    package func begin() { _ = clinux_mark_exact(clinux_exact_read, before) }

    /// Ends the bracket.
    ///
    /// - Returns: what was executed within it, and less than twenty instructions that lead out of `begin` and into this call: the
    ///   same ones each time, so that a bracket around nothing, at the same place of the code, tells how many.
    @inline(never)
    package func end() -> ExactCounts {
        _ = clinux_mark_exact(clinux_exact_read, after)
        return counts()
    }

    private func counts() -> ExactCounts {
        let (from, to) = (before.pointee, after.pointee)
        func difference(_ field: KeyPath<clinux_exact_counts, UInt64>) -> Int {
            Int(truncatingIfNeeded: to[keyPath: field] &- from[keyPath: field])
        }
        let switches = difference(\.switches)
        var doubt: ExactCounts.Doubt?
        if to.overflows != 0 {
            doubt = .tooMuchCode
        } else if !countsThreadsApart {
            if from.others_running != 0 || difference(\.overlaps) != 0 {
                doubt = .threadsRanAtOnce
            } else if switches != 0 {
                doubt = .otherThreadsRan
            }
        }
        return ExactCounts(
            thread: ExactCounts.Tally(
                instructions: difference(\.thread_instructions),
                branches: knowsBranches ? difference(\.thread_branches) : nil, calls: calls(\.thread_calls)),
            process: ExactCounts.Tally(
                instructions: difference(\.process_instructions),
                branches: knowsBranches ? difference(\.process_branches) : nil, calls: calls(\.process_calls)),
            doubt: doubt, switches: switches)
    }

    /// - Parameter field: an array of C, which Swift sees as a tuple.
    private func calls<Tuple>(_ field: KeyPath<clinux_exact_counts, Tuple>) -> [ExactFunction: Int] {
        func numbers(_ counts: clinux_exact_counts) -> [UInt64] {
            withUnsafeBytes(of: counts[keyPath: field]) { Array($0.bindMemory(to: UInt64.self)) }
        }
        let (from, to) = (numbers(before.pointee), numbers(after.pointee))
        return Dictionary(
            uniqueKeysWithValues: places.map { ($0.function, Int(truncatingIfNeeded: to[$0.place] &- from[$0.place])) })
    }
}
