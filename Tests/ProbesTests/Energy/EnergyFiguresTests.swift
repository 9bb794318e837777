import Probes
import Results
import Testing

@Suite("Figures made of energy")
struct EnergyFiguresTests {
    private let denied = Reading.denied(reason: "r", remedy: "d")

    private func use(_ joules: Reading, _ seconds: Double) -> EnergyUse {
        EnergyUse(
            domains: [
                DomainEnergy(
                    domain: EnergyDomain(.package, socket: 0, label: "package-0"), source: "powercap", energy: joules,
                    lasted: .seconds(seconds))
            ], absences: [:], isShared: false)
    }

    @Test("joules of a task, watts, and energy times delay")
    func figures() {
        #expect(joulesPerTask(.measured(650), tasks: 1000).isMeasured(0.65))
        #expect(averagePower(of: .measured(650), over: .seconds(10)).isMeasured(65))
        #expect(energyDelayProduct(.measured(0.65), delay: .milliseconds(20)).isMeasured(0.013))
        #expect(joulesPerTask(.estimated(10, share: 0.25), tasks: 5) == .estimated(2, share: 0.25))
    }

    @Test("nothing is divided by nothing")
    func nothing() {
        #expect(joulesPerTask(.measured(650), tasks: 0) == .notCounted(reason: "no task ended well"))
        #expect(averagePower(of: .measured(1), over: .zero).value == nil)
        #expect(energyDelayProduct(.measured(1), delay: .zero).value == nil)
        #expect(hoursOfBattery(wattHours: .measured(50), power: .measured(0)).value == nil)
        #expect(energyLevel(hours: .measured(0)).value == nil)
    }

    @Test("what lacks a number gives its reason to all that is made of it")
    func reasons() {
        #expect(joulesPerTask(denied, tasks: 0) == denied)
        #expect(averagePower(of: denied, over: .seconds(1)) == denied)
        #expect(energyDelayProduct(denied, delay: .seconds(1)) == denied)
        #expect(hoursOfBattery(wattHours: .measured(50), power: denied) == denied)
        #expect(energyLevel(hours: denied) == denied)
        #expect(netOfIdle(.measured(1), over: .seconds(1), idle: denied) == denied)
    }

    @Test("50 Wh last for 5 hours at 10 W, which is level 4 of 20")
    func battery() {
        let hours = hoursOfBattery(wattHours: .measured(50), power: .measured(10))
        #expect(hours.isMeasured(5) && energyLevel(hours: hours).isMeasured(4))
        #expect(energyLevel(hours: .measured(20)).isMeasured(1) && energyLevel(hours: .measured(1)).isMeasured(20))
        #expect(energyLevel(hours: .measured(0.5)).isMeasured(20), "the scale ends there")
    }

    @Test("idle windows that agree to 5 % give the machine's power at rest, others do not")
    func idle() {
        // 100 J and 105 J in 10 s each: 10 W and 10.5 W differ by 4.9 % of their mean.
        let steady = IdlePower(before: use(.measured(100), 10), after: use(.measured(105), 10))
        #expect(steady.power(.package).isMeasured(10.25) && steady.doubts(.package) == [])
        #expect(steady.net(use(.measured(650), 10), .package).isMeasured(650 - 102.5))
        let apart = IdlePower(before: use(.measured(100), 10), after: use(.measured(106), 10))
        #expect(apart.power(.package).isNotCounted("10.0 W before and 10.6 W after: they differ by 5.8 %"))
        #expect(apart.net(use(.measured(650), 10), .package).value == nil)
    }

    @Test("work that takes next to nothing may come out below zero, and is told so")
    func negative() {
        let idle = IdlePower(before: use(.measured(100), 10), after: use(.measured(100), 10))
        #expect(idle.net(use(.measured(9.9), 1), .package).isMeasured(-0.1))
    }

    @Test("idle windows without a reading, or too short, say so")
    func noIdle() {
        #expect(IdlePower(before: use(denied, 10), after: use(.measured(1), 10)).power(.package) == denied)
        let mixed = IdlePower(before: use(.measured(100), 10), after: use(.estimated(100, share: 0.5), 10))
        #expect(mixed.power(.package).value == nil)
        let short = IdlePower(before: use(.measured(10), 1), after: use(.measured(100), 10))
        #expect(short.doubts(.package) == [.shortIdle(lasted: .seconds(1))])
        #expect(EnergyDoubt.shortIdle(lasted: .seconds(1)).description.contains("10 s or more"))
    }

    @Test("the metrics of the kinds differ in name, and are all of the machine in joules")
    func metrics() {
        let metrics = EnergyDomain.Kind.allCases.map { Metric.energy(of: $0) }
        #expect(Set(metrics.map(\.name)).count == metrics.count)
        #expect(metrics.allSatisfy { $0.unit == "J" && $0.scope == .machine && $0.direction == .lowerIsBetter })
        #expect(Metric.processorEnergy.name == "cpu_energy")
    }
}
