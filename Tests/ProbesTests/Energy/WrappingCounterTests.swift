import Probes
import Results
import Statistics
import Testing

@Suite("A counter of energy that goes round")
struct WrappingCounterTests {
    /// 2³² − 1 units of 61.035 µJ, as the kernel shows a client's package.
    private let client = WrappingCounter(
        unit: .microjoules(1), range: .upTo(262_143_328_850), highestPower: Watts(500))
    private let second = Nanoseconds.seconds(1)

    @Test("equal counts are no energy, and one count more is one")
    func small() {
        #expect(client.step(from: 240_422_366_267, to: 240_422_366_267, over: second) == .counted(0))
        #expect(client.step(from: 240_422_366_267, to: 240_422_366_268, over: second) == .counted(1))
        #expect(client.step(from: 0, to: 0, over: .zero) == .counted(0), "a start at zero is a start")
    }

    @Test("a round adds the range, and the one unit between the highest count and zero")
    func round() {
        #expect(client.step(from: 262_143_328_850, to: 0, over: second) == .counted(61))
        #expect(client.step(from: 262_143_328_000, to: 61_150, over: second) == .counted(850 + 61 + 61_150))
        let server = WrappingCounter(unit: .microjoules(1), range: .upTo(65_532_610_987), highestPower: Watts(500))
        #expect(server.step(from: 65_532_610_987, to: 0, over: second) == .counted(15))
        let bits32 = WrappingCounter(unit: .microjoules(1), range: .upTo(4_294_967_295), highestPower: Watts(500))
        #expect(bits32.step(from: 4_294_967_295, to: 1, over: second) == .counted(2))
    }

    @Test("a fall that no power explains is a reset, not a round")
    func reset() {
        // From the middle of the range to zero would be 131 kJ in a second.
        #expect(client.step(from: 131_000_000_000, to: 0, over: second) == .reset)
        #expect(client.step(from: 1_000_000, to: 999_990, over: second) == .reset, "a small step backwards")
        #expect(client.step(from: 262_143_328_851, to: 5, over: second) == .reset, "beyond its own range")
    }

    @Test("a rise that no power explains is none")
    func leap() {
        #expect(client.step(from: 0, to: 500_000_000, over: second) == .counted(500_000_000))
        #expect(client.step(from: 0, to: 506_000_000, over: second) == .leapt)
        #expect(
            client.step(from: 0, to: 60_000, over: .microseconds(10)) == .counted(60_000),
            "a late update of a counter is no leap")
    }

    @Test("after more than a round's time at full power nobody knows how often it went round")
    func ambiguous() {
        // 262,143.33 J at 500 W are 524.29 s.
        #expect(client.step(from: 0, to: 10, over: .seconds(524)) == .counted(10))
        #expect(client.step(from: 0, to: 10, over: .seconds(525)) == .ambiguous)
        #expect(client.step(from: 10, to: 0, over: .seconds(3600)) == .ambiguous)
    }

    @Test("without a range a rise counts and a fall does not")
    func unknownRange() {
        let unknown = WrappingCounter(unit: .microjoules(1), range: .unknown, highestPower: Watts(500))
        #expect(unknown.step(from: 5, to: 7, over: second) == .counted(2))
        #expect(unknown.step(from: 7, to: 5, over: second) == .fellFromUnknownRange)
        #expect(unknown.step(from: 5, to: 7, over: .seconds(140)) == .ambiguous, "65.5 kJ last 131 s at 500 W")
    }

    @Test("a counter of 64 bits never goes round")
    func endless() {
        let perf = WrappingCounter(unit: Joules(0x1p-32), range: .endless, highestPower: Watts(500))
        #expect(perf.step(from: 1 << 40, to: 1 << 41, over: .seconds(86_400)) == .counted(1 << 40))
        #expect(perf.step(from: 7, to: 5, over: second) == .reset)
        #expect(perf.shortestRound == nil && perf.samplingInterval == .seconds(30))
    }

    @Test("it is read twice a round at full power, and each half minute")
    func interval() {
        #expect(client.samplingInterval == .seconds(30))
        let small = WrappingCounter(unit: .microjoules(1), range: .upTo(10_000_000), highestPower: Watts(500))
        #expect(small.samplingInterval == .milliseconds(10), "10 J at 500 W are 20 ms")
        let server = WrappingCounter(unit: .microjoules(1), range: .upTo(65_713_000_000), highestPower: Watts(2000))
        #expect(abs(server.samplingInterval.seconds - 65_713.0 / 4000) < 1e-6)
    }

    @Test(
        "the finest step comes from the range: 32 bits",
        arguments: zip(
            [262_143_328_850, 65_532_610_987, 4_294_967_295_000_000], [61.035, 15.258, 1_000_000]))
    func quantum(range: Int, microjoules: Double) {
        let counter = WrappingCounter(
            unit: .microjoules(1), range: .upTo(UInt64(range)), highestPower: Watts(500))
        #expect(abs(counter.quantum - microjoules) < 1e-3 * microjoules)
    }

    @Test("with gaps below a round's time the steps sum to what was taken", arguments: 0..<50 as Range<UInt64>)
    func property(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // A register of 32 bits; the kernel shows each unit as so many thousandths of a µJ (intel_rapl, ENERGY_UNIT_SCALE).
        let nanojoules: UInt64 = [61_035, 15_258, 1_000_000][random.next(below: 3)]
        func shown(_ register: UInt64) -> UInt64 { (register & 0xFFFF_FFFF) * nanojoules / 1000 }
        let highest = Watts(Double(100 + random.next(below: 900)))
        let counter = WrappingCounter(
            unit: .microjoules(1), range: .upTo(shown(0xFFFF_FFFF)), highestPower: highest)
        let round = Double(1 << 32) * Double(nanojoules) * 1e-9 / highest.count
        var register = UInt64(random.next(below: 1 << 32))
        let first = register
        var (sum, rounds, last): (UInt64, UInt64, UInt64) = (0, 0, shown(register))
        for _ in 0..<200 {
            let gap = Double(random.next(below: 1_000_000)) / 1_000_001 * round
            let power = Double(random.next(below: 1_000_001)) / 1_000_000 * highest.count
            register += UInt64(power * gap / (Double(nanojoules) * 1e-9))
            let now = shown(register)
            if now < last { rounds += 1 }
            guard case .counted(let rise) = counter.step(from: last, to: now, over: .seconds(gap)) else {
                Issue.record("a step of \(power) W for \(gap) s was not counted")
                return
            }
            sum += rise
            last = now
        }
        let truth = (register - first) * nanojoules / 1000
        let error = sum > truth ? sum - truth : truth - sum
        #expect(rounds > 10, "the plan goes round many times")
        #expect(error <= rounds + 1, "each round may err by what the kernel rounds off: 1 µJ")
    }
}

@Suite("Units of energy and power")
struct JoulesTests {
    @Test("each unit of the kernel and of drivers is so many joules")
    func units() {
        #expect(Joules.microjoules(262_143_328_850).count == 262_143.328850)
        #expect(Joules.millijoules(1500).count == 1.5)
        #expect(abs(Joules.microwattHours(10_000).count - 36) < 1e-12, "10 mWh are 36 J")
        #expect(Joules.wattHours(50).count == 180_000 && Joules.wattHours(50).wattHours == 50)
        // 4,723 mAh at 11.4 V are 53.84 Wh.
        #expect(
            abs(Joules.microampereHours(4_723_000, atMicrovolts: 11_400_000).wattHours - 53.8422) < 1e-9)
        #expect(abs(Watts.microamperes(-756_000, atMicrovolts: 12_600_000).count - 9.5256) < 1e-12)
        #expect(Watts.microwatts(95_000_000).count == 95 && Watts.milliwatts(250).count == 0.25)
        #expect((Watts(65) * .seconds(2)).count == 130 && (Joules(130) / .seconds(2)).count == 65)
    }

    @Test("the clocks part while the machine sleeps, and only then")
    func suspension() {
        let earlier = EnergyMoment(awake: 10, sinceBoot: 1_000_000_010)
        let awake = EnergyMoment(awake: 5_000_000_010, sinceBoot: 6_000_000_010)
        #expect(awake.suspension(since: earlier) == nil && awake.awakeTime(since: earlier) == .seconds(5))
        let woken = EnergyMoment(awake: 5_000_000_010, sinceBoot: 66_000_000_010)
        #expect(woken.suspension(since: earlier) == .seconds(60))
        let now = EnergyMoment.now()
        #expect(EnergyMoment.now().suspension(since: now) == nil, "this machine's own clocks")
    }
}
