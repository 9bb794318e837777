import Results

/// What was executed between two marks, counted one by one, not sampled.
package struct ExactCounts: Hashable, Sendable {
    /// What one thread, or all of them, executed. Signed, because differences may be negative.
    package struct Tally: Hashable, Sendable {
        package var instructions: Int
        /// Jumps, calls and returns, taken or not; nil where the emulator's plugin does not know the processor's.
        package var branches: Int?
        /// Entries into functions; without those that are not in the process.
        package var calls: [ExactFunction: Int]

        package init(instructions: Int, branches: Int?, calls: [ExactFunction: Int]) {
            self.instructions = instructions
            self.branches = branches
            self.calls = calls
        }
    }

    /// Why counts are not to be had, or not to be believed.
    package enum Doubt: Hashable, Sendable {
        /// The plugin's tables were full.
        case tooMuchCode
        /// Threads ran at once, though they were counted as one.
        case threadsRanAtOnce
        /// Another thread ran, though threads are not counted apart; what the whole process did is right.
        case otherThreadsRan

        package var reason: String {
            switch self {
            case .tooMuchCode: "the program has more code than the instruction plugin's tables hold"
            case .threadsRanAtOnce: "threads of the program ran at once, and were counted as if only one did"
            case .otherThreadsRan: "another thread of the program ran too, and threads were not counted apart"
            }
        }
    }

    /// Of the thread that made both marks.
    package var thread: Tally
    /// Of all threads.
    package var process: Tally
    package var doubt: Doubt?
    /// How often another thread ran than the one before: 0 when the marking thread alone was at work.
    package var switches: Int

    package init(thread: Tally, process: Tally, doubt: Doubt? = nil, switches: Int = 0) {
        self.thread = thread
        self.process = process
        self.doubt = doubt
        self.switches = switches
    }

    /// Whose counts.
    package enum Scope: Hashable, Sendable { case thread, process }

    /// What is counted of them.
    package enum Event: Hashable, Sendable {
        case instructions
        case branches
        case calls(ExactFunction)
    }

    /// A count, or why there is none.
    package func reading(_ event: Event, of scope: Scope) -> Reading {
        switch (doubt, scope) {
        case (.tooMuchCode?, _), (.threadsRanAtOnce?, _), (.otherThreadsRan?, .thread):
            return .notCounted(reason: doubt?.reason ?? "")
        case (nil, _), (.otherThreadsRan?, .process): break
        }
        let tally = scope == .thread ? thread : process
        switch event {
        case .instructions: return .measured(Double(tally.instructions))
        case .branches:
            return tally.branches.map { .measured(Double($0)) }
                ?? .unsupported(reason: "the instruction plugin does not know the branches of this processor")
        case .calls(let function):
            return tally.calls[function].map { .measured(Double($0)) }
                ?? .unsupported(reason: "no library of the program has a function \(function.rawValue)")
        }
    }

    /// The same without what counting each of some tasks cost.
    package func withoutCounting(_ tasks: Int, _ cost: Tally) -> ExactCounts {
        var rest = self
        rest.process.instructions -= tasks * cost.instructions
        rest.process.branches = process.branches.flatMap { own in cost.branches.map { own - tasks * $0 } }
        return rest
    }

    /// What two brackets took together.
    package static func + (one: ExactCounts, other: ExactCounts) -> ExactCounts {
        ExactCounts(
            thread: one.thread + other.thread, process: one.process + other.process,
            doubt: [one.doubt, other.doubt].compactMap { $0 }.min { $0.weight > $1.weight },
            switches: one.switches + other.switches)
    }

    /// What is left of one when another one is taken off: work without what surrounds it.
    package static func - (whole: ExactCounts, part: ExactCounts) -> ExactCounts {
        ExactCounts(
            thread: whole.thread - part.thread, process: whole.process - part.process,
            doubt: [whole.doubt, part.doubt].compactMap { $0 }.min { $0.weight > $1.weight },
            switches: whole.switches + part.switches)
    }
}

extension ExactCounts.Tally {
    package static func + (one: Self, other: Self) -> Self {
        Self(
            instructions: one.instructions + other.instructions,
            branches: one.branches.flatMap { own in other.branches.map { own + $0 } },
            calls: one.calls.merging(other.calls, uniquingKeysWith: +))
    }

    package static func - (whole: Self, part: Self) -> Self {
        var calls: [ExactFunction: Int] = [:]
        for (function, count) in whole.calls {
            if let other = part.calls[function] { calls[function] = count - other }
        }
        return Self(
            instructions: whole.instructions - part.instructions,
            branches: whole.branches.flatMap { own in part.branches.map { own - $0 } }, calls: calls)
    }
}

extension ExactCounts.Doubt {
    /// Which of two doubts is told: the one that spoils more.
    fileprivate var weight: Int {
        switch self {
        case .tooMuchCode: 3
        case .threadsRanAtOnce: 2
        case .otherThreadsRan: 1
        }
    }
}
