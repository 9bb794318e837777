import CCounters
import Results

/// Where counters come from: PAPI, the kernel itself, or a script of a test.
package protocol CounterSource: Sendable {
    /// Its name in messages.
    var name: String { get }

    /// Starts to count events for the calling thread, all together.
    func start(_ events: [CounterEvent]) throws(CounterRefusal) -> any CounterSet
}

/// Counters that run for one thread, from when it started them until it ends them. They are never set back: what happened
/// in between is the difference of two readings.
///
/// A reading is words of the source's own layout. Differences of readings, and sums of differences, are made word by word;
/// the layout tells what they mean. Not Sendable: a thread's counters are read by that thread only, and another thread
/// that tries is refused.
package protocol CounterSet: AnyObject {
    var layout: CounterLayout { get }

    /// Reads all counters at one moment into at least `layout.wordCount` words. Returns nil, or what prevented it; the
    /// words are then undefined.
    func read(into words: UnsafeMutableBufferPointer<UInt64>) -> CounterFault?

    /// Stops counting and gives back what it took. Called by the thread that started it, at the latest when that ends.
    func end()
}

/// Why a reading did not succeed.
package enum CounterFault: Error, Hashable, Sendable {
    /// Another thread than the one whose events are counted asked.
    case wrongThread
    case ended
    /// The kernel's answer to a read; EIO for a counter that it had to give up.
    case system(Int32)
    case papi(Int32)

    /// What it makes of the values that depended on it.
    package var reading: Reading {
        switch self {
        case .wrongThread:
            .unsupported(reason: "the counters of one thread cannot tell what another did")
        case .ended: .notCounted(reason: "its counter had already been ended")
        case .system(let number): .notCounted(reason: "its counter could not be read (\(errnoText(number)))")
        case .papi(let code): .notCounted(reason: "PAPI could not read its counter (\(PAPILibrary.text(code)))")
        }
    }
}

/// What the words of a reading mean.
package struct CounterLayout: Hashable, Sendable {
    /// Where a part of a count stands, and for how long it was wanted and was counted; -1 where the source does not tell.
    package struct Place: Hashable, Sendable {
        package var value: Int
        package var enabled: Int
        package var running: Int

        package init(value: Int, enabled: Int = -1, running: Int = -1) {
            self.value = value
            self.enabled = enabled
            self.running = running
        }
    }

    package var events: [CounterEvent]
    /// One place for each event; several where each kind of processor core counts for itself.
    package var places: [[Place]]
    package var wordCount: Int

    package init(events: [CounterEvent], places: [[Place]], wordCount: Int) {
        self.events = events
        self.places = places
        self.wordCount = wordCount
    }

    /// What a difference of two readings, or a sum of such differences, says of each event.
    package func readings(of words: [UInt64]) -> [Reading] {
        places.map { places in
            scaledReading(
                of: places.map { place in
                    CountedPart(
                        count: words[place.value],
                        time: place.enabled < 0
                            ? nil : CountedTime(enabled: words[place.enabled], running: words[place.running]))
                })
        }
    }
}
