import Glibc
import Probes

/// A source of counters that follows a script: below the same code that reads the real ones.
struct FakeSource: CounterSource {
    let name = "script"
    /// How much each event grows by from one reading to the next.
    var steps: [String: UInt64]
    /// Of the nanoseconds between two readings for which the counters were wanted: how many, and how many they counted.
    var time: (enabled: UInt64, running: UInt64)? = (1_000, 1_000)
    var fault: CounterFault?
    /// What it answers to a start: asked with the events.
    var refusal: @Sendable ([CounterEvent]) -> CounterRefusal.Cause? = { _ in nil }

    func start(_ events: [CounterEvent]) throws(CounterRefusal) -> any CounterSet {
        if let cause = refusal(events) { throw CounterRefusal(events.first, cause) }
        return FakeSet(self, events)
    }
}

final class FakeSet: CounterSet {
    let layout: CounterLayout
    private let script: FakeSource
    private let thread = pthread_self()
    private var readings: UInt64 = 0
    private var isEnded = false

    init(_ script: FakeSource, _ events: [CounterEvent]) {
        self.script = script
        layout = CounterLayout(
            events: events,
            places: events.indices.map {
                [
                    script.time == nil
                        ? CounterLayout.Place(value: $0 + 2)
                        : CounterLayout.Place(value: $0 + 2, enabled: 0, running: 1)
                ]
            }, wordCount: events.count + 2)
    }

    func read(into words: UnsafeMutableBufferPointer<UInt64>) -> CounterFault? {
        if pthread_equal(thread, pthread_self()) == 0 { return .wrongThread }
        if isEnded { return .ended }
        if let fault = script.fault { return fault }
        readings += 1
        words[0] = readings &* (script.time?.enabled ?? 0)
        words[1] = readings &* (script.time?.running ?? 0)
        for (index, event) in layout.events.enumerated() {
            words[index + 2] = readings &* (script.steps[event.name] ?? 0)
        }
        return nil
    }

    func end() { isEnded = true }
}

extension CounterSurroundings {
    /// A machine of one's own that counts everything.
    static let plain = machine()

    static func machine(
        paranoid: Int? = 2, isVirtual: Bool = false, isFiltered: Bool = false, processorErrno: Int32 = 0,
        openFiles: (soft: Int?, hard: Int?) = (1024, 4096)
    ) -> CounterSurroundings {
        CounterSurroundings(
            circumstances: CounterCircumstances(paranoid: paranoid, isVirtual: isVirtual, isFiltered: isFiltered),
            processorErrno: processorErrno, openFiles: openFiles)
    }
}

func events(_ names: String...) throws -> [CounterEvent] { try CounterEvent.list(names) }
