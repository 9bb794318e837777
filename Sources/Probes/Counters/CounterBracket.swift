import Results

/// What is counted between an opening and a closing, summed over any number of them: the batches of a trial, the tasks of
/// a worker.
///
/// Belongs to the thread whose counters these are. Opening and closing cost a reading of the counters each, about a
/// microsecond, of which about half falls inside: see `leastOfNothing`.
package final class CounterBracket {
    package let set: any CounterSet
    private let before: UnsafeMutableBufferPointer<UInt64>
    private let after: UnsafeMutableBufferPointer<UInt64>
    private let sums: UnsafeMutableBufferPointer<UInt64>
    private let wordCount: Int
    private var closings = 0
    private var fault: CounterFault?
    private var isOpen = false

    package init(_ set: any CounterSet) {
        self.set = set
        wordCount = set.layout.wordCount
        (before, after, sums) = (
            .allocate(capacity: wordCount), .allocate(capacity: wordCount), .allocate(capacity: wordCount)
        )
        for words in [before, after, sums] { words.initialize(repeating: 0) }
    }

    deinit {
        for words in [before, after, sums] { words.deallocate() }
    }

    // hot path: no allocation, no lock, no call that can block
    package func open() {
        isOpen = true
        if let problem = set.read(into: before), fault == nil { fault = problem }
    }

    // hot path: no allocation, no lock, no call that can block
    package func close() {
        let problem = set.read(into: after)
        guard isOpen else { return }
        isOpen = false
        guard problem == nil else {
            if fault == nil { fault = problem }
            return
        }
        for index in 0..<wordCount { sums[index] &+= after[index] &- before[index] }
        closings += 1
    }

    package var totals: CounterTotals {
        CounterTotals(layout: set.layout, words: Array(sums), closings: closings, fault: fault)
    }

    /// Forgets what was summed, not what the counters count: for the end of a warm-up.
    package func forget() {
        sums.update(repeating: 0)
        closings = 0
        isOpen = false
    }

    /// The least that a bracket around nothing counted, for each event: what of a bracket's own cost falls inside.
    /// Nil for an event of which there was no number.
    package static func leastOfNothing(_ set: any CounterSet, rounds: Int = 100) -> [Double?] {
        var least = [Double?](repeating: nil, count: set.layout.events.count)
        let bracket = CounterBracket(set)
        for _ in 0..<max(rounds, 1) {
            bracket.forget()
            bracket.open()
            bracket.close()
            let totals = bracket.totals
            for (index, reading) in totals.readings.enumerated() {
                guard case .measured(let value) = reading, totals.fault == nil else { continue }
                least[index] = min(least[index] ?? value, value)
            }
        }
        return least
    }
}

/// Sums of what brackets counted.
package struct CounterTotals: Hashable, Sendable {
    package var layout: CounterLayout
    package var words: [UInt64]
    /// How many brackets they are the sum of.
    package var closings: Int
    /// The first reading that did not succeed: the sums then lack something.
    package var fault: CounterFault?

    package init(layout: CounterLayout, words: [UInt64], closings: Int, fault: CounterFault?) {
        self.layout = layout
        self.words = words
        self.closings = closings
        self.fault = fault
    }

    /// What they say of each event.
    package var readings: [Reading] {
        if let fault { return layout.events.map { _ in fault.reading } }
        guard closings > 0 else {
            return layout.events.map { _ in .notCounted(reason: "nothing was measured while it counted") }
        }
        return layout.readings(of: words)
    }

    package var group: CounterReadings { CounterReadings(layout.events, readings) }

    /// Adds what was counted elsewhere in the same layout.
    package mutating func add(_ other: CounterTotals) {
        for index in words.indices { words[index] &+= other.words[index] }
        closings += other.closings
        fault = fault ?? other.fault
    }
}
