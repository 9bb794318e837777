import Glibc

/// Evidence that more than half of what comes lies above a value, which may be looked at after every one that comes.
///
/// As long as each is no more likely above than not, given all before it, the evidence is a wager that cannot be
/// expected to win: it starts at 1, and reaches 1/α at any time with a probability of at most α (Ville’s inequality). Hence it may be looked at
/// as often as one likes, and one may stop when it suffices. Nothing else is asked of what comes: it may drift, hang
/// together and have tails of any weight.
///
/// The wager is spread evenly over all shares p between ½ and 1: the e-value is
/// ∫ 2·(2p)ᵏ·(2(1−p))ⁿ⁻ᵏ dp from ½ to 1 = Σ_{j≤k} C(n+1, j) / ((n+1)·C(n, k)) for k of n above (Robbins, “Statistical Methods Related to the Law of the Iterated
/// Logarithm”, 1970, for the mixture; Ramdas, Grünwald, Vovk & Shafer, “Game-Theoretic Statistics and Safe Anytime-Valid
/// Inference”, 2023, for what it means).
package enum SignEvidence {
    /// The natural logarithm of the evidence that `above` of `count` give.
    package static func logarithm(above: Int, of count: Int) -> Double {
        precondition(0...count ~= above)
        // Σ_{j≤k} C(n+1, j) = 2ⁿ⁺¹·(1 − P(Binomial(n+1, ½) > k)), or where that share is all but one, summed from its
        // largest term downwards.
        let all = count + 1
        let logSum: Double
        if 2 * above > count {
            let tail = tailSum(from: above + 1, of: all) { Double(all - $0) / Double($0 + 1) }
            logSum = Double(all) * Glibc.log(2) + log1p(-exp(tail - Double(all) * Glibc.log(2)))
        } else {
            logSum = tailSum(from: above, of: all, down: true) { Double($0) / Double(all - $0 + 1) }
        }
        return logSum - Glibc.log(Double(all)) - logChoose(count, above)
    }

    /// The fewest above, of so many, whose evidence reaches `evidence`; nil where even all do not.
    package static func fewestAbove(of count: Int, reaching evidence: Double) -> Int? {
        let wanted = Glibc.log(evidence)
        guard count > 0, logarithm(above: count, of: count) >= wanted else { return nil }
        // It grows with how many are above.
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if logarithm(above: middle, of: count) >= wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// ln of the sum of C(n, j) from a term on, upwards or downwards, given the ratio of each term to the one before.
    private static func tailSum(from start: Int, of count: Int, down: Bool = false, _ ratio: (Int) -> Double) -> Double
    {
        guard 0...count ~= start else { return -.infinity }
        var (sum, term, index) = (1.0, 1.0, start)
        while down ? index > 0 : index < count {
            term *= ratio(index)
            index += down ? -1 : 1
            sum += term
            guard term > sum * 1e-17 else { break }
        }
        return logChoose(count, start) + Glibc.log(sum)
    }

    private static func logChoose(_ count: Int, _ chosen: Int) -> Double {
        logFactorial(count) - logFactorial(chosen) - logFactorial(count - chosen)
    }

    private static func logFactorial(_ number: Int) -> Double {
        var sign: Int32 = 0
        return lgamma_r(Double(number) + 1, &sign)
    }
}
