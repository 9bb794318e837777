import Glibc
import Statistics

/// Draws from known distributions, the same for the same seed.
struct Simulation {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Uniform between 0 and 1, neither of which it reaches.
    mutating func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }

    /// Normal with mean 0 and deviation 1 (Box & Muller).
    mutating func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }

    /// AR(1): each value is ρ times the one before, plus noise such that all are normal with deviation 1.
    mutating func autoregressive(_ count: Int, rho: Double) -> [Double] {
        var value = normal()
        return (0..<count).map { _ in
            defer { value = rho * value + (1 - rho * rho).squareRoot() * normal() }
            return value
        }
    }
}

/// A distribution with a median and a mean that are known.
enum Distribution: String, CaseIterable {
    case normal
    /// exp of a normal one: as skewed as latencies are.
    case logNormal
    /// Two normal humps, of six and of four tenths of the values, six deviations apart.
    case bimodal

    func draw(_ count: Int, with simulation: inout Simulation) -> [Double] {
        (0..<count).map { _ in
            switch self {
            case .normal: simulation.normal()
            case .logNormal: exp(simulation.normal())
            case .bimodal: simulation.normal() + (simulation.uniform() < 0.4 ? 6 : 0)
            }
        }
    }

    var mean: Double {
        switch self {
        case .normal: 0
        case .logNormal: exp(0.5)
        case .bimodal: 2.4
        }
    }

    var median: Double {
        switch self {
        case .normal: 0
        case .logNormal: 1
        // 0.6·Φ(x) + 0.4·Φ(x − 6) = ½ lies so far below the second hump that Φ(x) = 5/6 but for 10⁻⁷.
        case .bimodal: normalQuantile(5.0 / 6)
        }
    }
}

/// The share of experiments of which something holds.
func share(of experiments: Int, where holds: (Int) -> Bool) -> Double {
    Double((0..<experiments).count(where: holds)) / Double(experiments)
}
