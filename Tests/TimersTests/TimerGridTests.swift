import Results
import Testing
import Timers

@Suite("Points of a timer's grid, and the firings that serve them")
struct TimerGridTests {
    /// Due at 110, 120, 130, 140, 150 and 160.
    private static let grid = TimerGrid(origin: Instant(sinceOrigin: 100), period: Nanoseconds(10), count: 6)

    private static func firings(_ course: [(moment: Int64, points: Int)]) -> [Firing] {
        course.map { Firing(moment: Instant(sinceOrigin: $0.moment), points: $0.points) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var firings: [(moment: Int64, points: Int)]
        var latenesses: [Int64]
        var merged = 0
        var missed = 0
        var early = 0
        var drift: Double?
    }

    static let cases = [
        Case(
            testDescription: "each in time",
            firings: [(110, 1), (120, 1), (130, 1), (140, 1), (150, 1), (160, 1)], latenesses: [0, 0, 0, 0, 0, 0],
            drift: 0),
        Case(
            testDescription: "each equally late",
            firings: [(113, 1), (123, 1), (133, 1), (143, 1), (153, 1), (163, 1)], latenesses: [3, 3, 3, 3, 3, 3],
            drift: 0),
        // Medians of 2 and 3 are 2.5, of 6 and 7 6.5; they are four periods apart.
        Case(
            testDescription: "a period of 11 in place of 10",
            firings: [(112, 1), (123, 1), (134, 1), (145, 1), (156, 1), (167, 1)], latenesses: [2, 3, 4, 5, 6, 7],
            drift: 1),
        // Held up from 110 to 145: one call for the points at 120, 130 and 140.
        Case(
            testDescription: "merged while held up",
            firings: [(110, 1), (145, 3), (150, 1), (160, 1)], latenesses: [0, 25, 15, 5, 0, 0], merged: 2,
            drift: -12.5 / 4),
        // The same without merging: a call for each, one directly after the other.
        Case(
            testDescription: "made up for after it was held up",
            firings: [(110, 1), (145, 1), (146, 1), (147, 1), (150, 1), (160, 1)], latenesses: [0, 25, 16, 7, 0, 0],
            drift: -12.5 / 4),
        Case(testDescription: "never", firings: [], latenesses: [], missed: 6),
        Case(
            testDescription: "given up", firings: [(111, 1), (122, 1)], latenesses: [1, 2], missed: 4),
        Case(
            testDescription: "once too early",
            firings: [(110, 1), (119, 1), (130, 1), (140, 1), (150, 1), (160, 1)], latenesses: [0, -1, 0, 0, 0, 0],
            early: 1, drift: 0.5 / 4),
        // What comes when all points are served is no point's.
        Case(
            testDescription: "more than there are points", firings: [(161, 9), (170, 1)],
            latenesses: [51, 41, 31, 21, 11, 1], merged: 5, drift: -40 / 4),
        // A call that stands for nothing serves the next point all the same.
        Case(
            testDescription: "a call that tells no count", firings: [(110, 0), (120, 0)], latenesses: [0, 0], missed: 4),
    ]

    @Test("lateness, merged, missed and early points and drift are those of arithmetic", arguments: cases)
    func courses(_ expected: Case) {
        let course = TimerCourse(Self.firings(expected.firings), of: Self.grid)
        #expect(course.points.map(\.lateness.count) == expected.latenesses)
        #expect(course.merged == expected.merged)
        #expect(course.missed == expected.missed)
        #expect(course.early == expected.early)
        #expect(course.driftPerPeriod == expected.drift)
        #expect(course.greatestLateness?.count == expected.latenesses.max())
    }

    @Test("the points for warming up are left out, whoever served them")
    func warmUp() {
        let merging = TimerCourse(Self.firings([(135, 3), (141, 1), (152, 1), (163, 1)]), of: Self.grid, warmUp: 2)
        #expect(merging.points.map(\.lateness.count) == [5, 1, 2, 3])
        #expect(merging.merged == 0)
        #expect(merging.missed == 0)
        let silent = TimerCourse(Self.firings([(110, 1)]), of: Self.grid, warmUp: 2)
        #expect(silent.points.isEmpty)
        #expect(silent.missed == 4)
    }

    @Test("a percentile counts missed points as the latest, and has no value among them")
    func percentiles() {
        let course = TimerCourse(Self.firings([(117, 1), (121, 1), (133, 1)]), of: Self.grid)
        #expect(course.lateness(percentile: 0.1)?.count == 1)
        #expect(course.lateness(percentile: 0.5)?.count == 7)
        #expect(course.lateness(percentile: 0.51) == nil)
        #expect(TimerCourse([], of: Self.grid).lateness(percentile: 0.5) == nil)
    }

    @Test("as many points are due at a moment as there are periods since the origin, none before and no more than all")
    func pointsDue() {
        for (moment, points) in [(-50, 0), (100, 0), (109, 0), (110, 1), (119, 1), (120, 2), (160, 6), (999, 6)] {
            #expect(Self.grid.pointsDue(by: Instant(sinceOrigin: Int64(moment))) == points)
        }
    }
}
