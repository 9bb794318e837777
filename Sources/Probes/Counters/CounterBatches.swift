import Results

/// Counts events for the measuring thread, batch by batch.
package final class CounterBatches: BatchProbe {
    private let events: [CounterEvent]
    private let set: Result<any CounterSet, CounterRefusal>
    private let words: Words
    private var fault: CounterFault?
    private var sums = BatchSums(work: (), empty: ())

    /// Words of readings and of their sums, in the layout of the set; made once, so that counting allocates nothing.
    private final class Words {
        let before, after, pending, work, empty: UnsafeMutableBufferPointer<UInt64>

        init(_ count: Int) {
            func words() -> UnsafeMutableBufferPointer<UInt64> {
                let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
                words.initialize(repeating: 0)
                return words
            }
            (before, after, pending, work, empty) = (words(), words(), words(), words(), words())
        }

        deinit { for words in [before, after, pending, work, empty] { words.deallocate() } }
    }

    /// Starts counting, for the thread that calls and will measure.
    package init(_ events: [CounterEvent], _ backend: CounterChoice.Backend) {
        self.events = events
        let source = CounterChoice(backend, because: "").source
        set = Result { () throws(CounterRefusal) in try source.start(events) }
        words = Words((try? set.get())?.layout.wordCount ?? 0)
    }

    deinit { if case .success(let set) = set { set.end() } }

    // hot path: no allocation, no lock, no call that can block
    package func begin() {
        guard case .success(let set) = set else { return }
        if let problem = set.read(into: words.before), fault == nil { fault = problem }
    }

    // hot path: no allocation, no lock, no call that can block
    package func end() {
        guard case .success(let set) = set else { return }
        if let problem = set.read(into: words.after), fault == nil { fault = problem }
        for index in words.pending.indices {
            words.pending[index] &+= words.after[index] &- words.before[index]
        }
    }

    // hot path: no allocation, no lock, no call that can block
    package func settle(_ kind: BatchKind, iterations: Int) {
        switch kind {
        case .work:
            for index in words.pending.indices { words.work[index] &+= words.pending[index] }
            sums.workIterations += iterations
        case .empty:
            for index in words.pending.indices { words.empty[index] &+= words.pending[index] }
            sums.emptyIterations += iterations
        case .unmeasured: break
        }
        words.pending.update(repeating: 0)
    }

    package var readings: [(Metric, Reading)] {
        let group = CounterReadings(events, values)
        return zip(group.events, group.readings).map { ($0.metric(.thread), $1) }
            + group.ratios(.thread).map { ($0.metric, $0.reading) }
    }

    private var values: [Reading] {
        let set: any CounterSet
        switch self.set {
        case .success(let started): set = started
        case .failure(let refusal):
            let reading = CounterSurroundings.current().reading(refusal)
            return events.map { _ in reading }
        }
        if let fault { return events.map { _ in fault.reading } }
        guard sums.workIterations > 0 else {
            return events.map { _ in .notCounted(reason: "nothing was measured while it counted") }
        }
        let work = set.layout.readings(of: Array(words.work))
        guard sums.emptyIterations > 0 else { return work }
        let empty = set.layout.readings(of: Array(words.empty))
        return zip(events, zip(work, empty)).map { event, readings in
            // What the loop and the readings themselves take is subtracted; a fault or a switch in an empty batch is chance.
            event.isSoftware && !event.isClock
                ? readings.0 : readings.0.combined(with: readings.1) { $0 - self.sums.scale * $1 }
        }
    }
}
