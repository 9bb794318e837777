import CCounters
import CPAPI

/// PAPI's counters: the same names on every processor.
package struct PAPISource: CounterSource {
    package let name = "PAPI"

    package init() {}

    package func start(_ events: [CounterEvent]) throws(CounterRefusal) -> any CounterSet {
        try PAPICounters(events)
    }
}

/// A set of PAPI that runs for the thread that started it.
///
/// PAPI itself lets any thread read, stop and start the sets of another; the guard here does not.
package final class PAPICounters: CounterSet {
    package let layout: CounterLayout
    private let thread = ccounters_thread()
    private let set: Int32
    private var isRunning = true

    init(_ events: [CounterEvent]) throws(CounterRefusal) {
        if let reason = PAPILibrary.shared.refusal { throw CounterRefusal(events.first, .papiOff(reason)) }
        if let cause = PAPIThread.admits() { throw CounterRefusal(events.first, cause) }
        let set = try Self.started(events)
        self.set = set
        layout = CounterLayout(
            events: events, places: events.indices.map { [CounterLayout.Place(value: $0)] }, wordCount: events.count)
        PAPIThread.keep(self)
    }

    private static func started(_ events: [CounterEvent]) throws(CounterRefusal) -> Int32 {
        var set: Int32 = PAPI_NULL
        let created = PAPI_create_eventset(&set)
        guard created == PAPI_OK else { throw CounterRefusal(events.first, .papi(created)) }
        do throws(CounterRefusal) {
            for event in events {
                let added = PAPI_add_event(set, try code(of: event))
                guard added == PAPI_OK else { throw CounterRefusal(event, .papi(added)) }
            }
            let started = PAPI_start(set)
            guard started == PAPI_OK else { throw CounterRefusal(events.first, .papi(started)) }
            return set
        } catch {
            discard(&set)
            throw error
        }
    }

    /// The number of an event in this process: of the first of its names that PAPI knows.
    private static func code(of event: CounterEvent) throws(CounterRefusal) -> Int32 {
        // Without “=1” PAPI takes the modifier and does not heed it.
        let domain = event.isSoftware && event.domain == .userAndKernel ? ":u=1:k=1" : ""
        var last: Int32 = 0
        for name in event.papiNames {
            var code: Int32 = 0
            last = PAPI_event_name_to_code(name + domain, &code)
            // Presets have numbers on every processor, also where there is nothing behind them.
            if last == PAPI_OK, !name.hasPrefix("PAPI_") || PAPI_query_event(code) == PAPI_OK { return code }
        }
        throw CounterRefusal(event, .unknownToPAPI(last))
    }

    private static func discard(_ set: inout Int32) {
        guard PAPI_cleanup_eventset(set) == PAPI_OK else { return }
        PAPI_destroy_eventset(&set)
    }

    // hot path: no allocation, no lock, no call that can block
    package func read(into words: UnsafeMutableBufferPointer<UInt64>) -> CounterFault? {
        guard ccounters_thread() == thread else { return .wrongThread }
        guard isRunning else { return .ended }
        let values = UnsafeMutableRawPointer(words.baseAddress!).assumingMemoryBound(to: CLongLong.self)
        let answer = PAPI_read(set, values)
        return answer == PAPI_OK ? nil : .papi(answer)
    }

    package func end() { end(atThreadEnd: false) }

    func end(atThreadEnd: Bool) {
        // PAPI would do it for another thread too, beside whatever that thread does with PAPI just then.
        guard isRunning, ccounters_thread() == thread else { return }
        isRunning = false
        var values = [CLongLong](repeating: 0, count: layout.wordCount)
        var set = set
        if PAPI_stop(set, &values) == PAPI_OK { Self.discard(&set) }
        // When the thread ends, the box that kept it is being released already.
        if !atThreadEnd { PAPIThread.release(self) }
    }
}
