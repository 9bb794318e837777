import CLinux
import Clocks
import Glibc
import Results
import Testing

@Suite struct ClockSelectionTests {
    private static let flags = "processor\t: 0\nflags\t\t: fpu tsc constant_tsc rdtscp nonstop_tsc sse2\nbugs\t\t:\n"

    @Test("the counter is trusted where it is the kernel's own clock and invariant, and nowhere else")
    func objections() {
        #expect(ClockSelection.objection(clockSource: "tsc\n", cpuinfo: Self.flags) == nil)
        let cases: [(String?, String?, String)] = [
            ("kvm-clock\n", Self.flags, "“kvm-clock”"), ("hpet", Self.flags, "“hpet”"), (nil, Self.flags, "not known"),
            ("", Self.flags, "not known"), ("tsc", nil, "constant_tsc"), ("tsc", "", "constant_tsc"),
            ("tsc", "flags\t\t: fpu tsc constant_tsc sse2", "nonstop_tsc"),
            ("tsc", "flags\t\t: fpu tsc xconstant_tsc nonstop_tsc", "constant_tsc"),
        ]
        for (source, cpuinfo, word) in cases {
            let objection = ClockSelection.objection(clockSource: source, cpuinfo: cpuinfo)
            #expect(objection?.contains(word) == true, "\(source ?? "nil"): \(objection ?? "no objection")")
        }
    }

    @Test("three readings on one line make a scale; a rate that changed, a counter that stands or falls back make none")
    func scales() {
        func scale(_ ticks: [UInt64]) -> TickScale? {
            let readings = ticks.enumerated().map {
                TickScale.Reading(ticks: $1, nanoseconds: Int64($0) * 10_000_000)
            }
            return try? ClockSelection.scale(readings[0], readings[1], readings[2]).get()
        }
        // 3 GHz: 30 million ticks in 10 ms. 3,000 ticks are 100 parts per million of that.
        #expect(scale([0, 30_000_000, 60_000_000])?.multiplier == 1_431_655_765)
        #expect(scale([0, 30_000_000, 60_002_900]) != nil)
        #expect(scale([0, 30_000_000, 60_003_100]) == nil)
        #expect(scale([0, 30_000_000, 30_000_000]) == nil)
        #expect(scale([9, 5, 30_000_000]) == nil)
    }

    @Test("the kernel's clock can be asked for, and is taken where the counter is not trusted")
    func kernel() throws {
        let asked = try ClockSelection(.kernel)
        #expect(asked.clock.ticks == nil && asked.reason == "it was asked for")
        let untrusted = try ClockSelection(.automatic) { $0 == "/proc/cpuinfo" ? Self.flags : "hpet" }
        #expect(untrusted.clock.ticks == nil)
        #expect(untrusted.reason.contains(clinux_ticks() == 0 ? "no time-stamp counter" : "hpet"))
    }

    @Test("the counter, where there is one, tells the time of CLOCK_MONOTONIC from the same origin")
    func counter() throws {
        guard clinux_ticks() != 0 else {
            #expect(throws: ClockError.self) { try ClockSelection(.tsc) }
            return
        }
        let clock = try ClockSelection(.tsc).clock
        let kernel = MonotonicClock(origin: clock.origin)
        #expect(clock.ticks != nil && clock.sourceText.hasPrefix("tsc "))
        // Each reading of the counter lies between two of the kernel, but for the error of the calibration.
        var outside = 0
        for _ in 0..<10_000 {
            let before = kernel.now().sinceOrigin
            let now = clock.now().sinceOrigin
            let after = kernel.now().sinceOrigin
            if now < before - 2_000 || now > after + 2_000 { outside += 1 }
        }
        #expect(outside == 0)
    }
}

@Suite struct ClockWatchTests {
    private func watch() throws -> ClockWatch { ClockWatch(try ClockSelection(.kernel), start: moment()) }

    private func moment(
        clock: Int64 = 0, monotonic: Int64? = nil, raw: Int64? = nil, suspended: Int64 = 5_000_000_000
    ) -> ClockWatch.Moment {
        ClockWatch.Moment(
            clock: clock, monotonic: (monotonic ?? clock) + 1_000_000, raw: (raw ?? clock) + 77, suspended: suspended)
    }

    private func facts(_ watch: ClockWatch, backwardStep: Int64? = 0) -> ClockFacts {
        watch.facts(quality: ClockQuality(CLOCK_MONOTONIC, reads: 100), backwardStep: backwardStep)
    }

    @Test("drift and slew are told against the raw clock, in parts per million")
    func drift() throws {
        var watch = try watch()
        watch.check(moment(clock: 10_000_500_000, monotonic: 10_000_300_000, raw: 10_000_000_000))
        let facts = facts(watch)
        #expect(abs(facts.driftAgainstRaw! - 50) < 1e-6 && abs(facts.slewOfMonotonic! - 30) < 1e-6)
        #expect(facts.misbehaviour == [] && facts.suspended == .zero && facts.backwardSteps == 0)
        #expect(facts.source == "clock_gettime" && facts.readCost > 0)
    }

    @Test("nanoseconds that reading two clocks takes are no suspension", arguments: [Int64(-40), 9, 900_000])
    func notSuspended(_ difference: Int64) throws {
        var watch = try watch()
        watch.check(moment(clock: 1_000_000_000, suspended: 5_000_000_000 + difference))
        #expect(facts(watch).suspended == .zero && facts(watch).misbehaviour == [])
    }

    @Test("a run of less than a tenth of a second has no drift that could be told")
    func short() throws {
        var watch = try watch()
        watch.check(moment(clock: 99_000_000))
        #expect(facts(watch).driftAgainstRaw == nil && facts(watch).slewOfMonotonic == nil)
    }

    @Test("a clock that runs backwards, away from the kernel's, or through a suspension is told of, once each")
    func misbehaviour() throws {
        var watch = try watch()
        watch.check(moment(clock: 1_000_000_000))
        watch.check(moment(clock: 900_000_000, monotonic: 2_000_000_000))
        watch.check(moment(clock: 2_900_000_000, monotonic: 3_000_000_000))
        watch.check(moment(clock: 3_900_000_000, monotonic: 4_000_000_000, suspended: 8_000_000_000))
        watch.check(moment(clock: 4_900_000_000, monotonic: 5_000_000_000, suspended: 8_000_000_000))
        let facts = facts(watch)
        #expect(facts.misbehaviour.count == 3, "\(facts.misbehaviour)")
        #expect(facts.misbehaviour[0].contains("backwards by 100000000 ns"))
        #expect(facts.misbehaviour[1].contains("1000000000 ns ahead of CLOCK_MONOTONIC"))
        #expect(facts.misbehaviour[2].contains("suspended for 3.0 s"))
        #expect(facts.suspended == .seconds(3))
    }

    @Test("a step back between processors is told of; where it could not be tested, nothing is")
    func processors() throws {
        #expect(facts(try watch(), backwardStep: 40).misbehaviour.count == 1)
        #expect(facts(try watch(), backwardStep: nil).backwardSteps == nil)
        #expect(facts(try watch(), backwardStep: nil).misbehaviour == [])
    }

    @Test("this machine's clock does not step back from processor to processor by more than a microsecond")
    func thisMachine() throws {
        let step = largestBackwardStep(try ClockSelection().clock)
        #expect((step ?? 0) < 1_000)
        if clinux_usable_processors() == 1 { #expect(step == nil) }
    }

    @Test("a watch over real clocks that go well finds nothing")
    func real() throws {
        var watch = ClockWatch(try ClockSelection())
        for _ in 0..<20 { watch.check() }
        #expect(facts(watch).misbehaviour == [])
    }
}
