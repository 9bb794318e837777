import Comparison
import Foundation
import Results
import Statistics
import Testing

@Suite("Whatever the machine does, no more comparisons of a program with itself alarm than was promised")
struct FalseAlarmTests {
    @Test("looking after every pair", arguments: MachineNoise.allCases)
    func alarms(_ noise: MachineNoise) {
        let rate = ErrorRates.falseAlarms(of: noise, level: 0.01, pairs: 200, experiments: 10_000, seed: 1)
        // 1 % at the most over all time, and three deviations of the counting above that.
        #expect(rate <= 0.013, "\(rate)")
    }

    @Test(
        "a sequential comparison of the same values alarms more often than a coin: the simulation has something to find"
    )
    func contrast() {
        let rate = ErrorRates.sequentialFalseAlarms(of: .drifting, level: 0.01, pairs: 30, experiments: 500, seed: 2)
        #expect(rate > 0.1, "\(rate)")
    }

    @Test("a change of 3 % under noise of 2 % is found by every try within 200 pairs")
    func power() {
        let found = ErrorRates.found(
            change: 0.03, of: .normal, level: 0.01 / 200, pairs: 200, experiments: 300, seed: 3)
        #expect(found.share >= 0.99 && found.medianPairs! < 80, "\(found)")
    }
}
