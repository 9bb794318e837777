import Clocks
import Results
import Statistics
import TaskMeter
import Testing

@Suite("The clock of arrivals") struct ArrivalClockTests {
    private let clock = MonotonicClock()
    private static let hour: Int64 = 3_600_000_000_000

    @Test("wakes when a task is due, and says when that was, also when it is asked late")
    func due() throws {
        let arrivals = ArrivalClock(ArrivalSchedule(offsets: [0, 5_000_000]), clock: clock)
        let limit = clock.now() + .seconds(3_600)
        let second = try #require(arrivals.wait(for: 1, until: limit))
        #expect(second == arrivals.due(1) && clock.now() >= second)
        // Meanwhile the first was due: it is told with its own moment.
        #expect(arrivals.wait(for: 0, until: limit) == arrivals.due(0))
        #expect(arrivals.due(1) - arrivals.due(0) == .milliseconds(5))
    }

    @Test("does not sleep beyond the limit for a task that is due after it")
    func limit() {
        let arrivals = ArrivalClock(ArrivalSchedule(offsets: [Self.hour]), clock: clock)
        let limit = clock.now() + .milliseconds(10)
        #expect(arrivals.wait(for: 0, until: limit) == nil)
        #expect(clock.now() >= limit && clock.now() < arrivals.due(0))
    }

    @Test("tells of nothing when the limit is over, not even of what was due before")
    func over() {
        let arrivals = ArrivalClock(ArrivalSchedule(offsets: [0]), clock: clock)
        #expect(arrivals.wait(for: 0, until: clock.now()) == nil)
    }
}
