import Glibc

/// How alike values are to those a number of places later, for each lag from 0: r₀ = 1, r₁, …
///
/// The usual estimator, Σ (xₜ − m)(xₜ₊ₖ − m) / Σ (xₜ − m)² with m the mean of all n values, without a factor n / (n − k): it is a
/// little biased towards 0 and never leaves −1…1 (Box & Jenkins, “Time Series Analysis”, 2.1.5).
///
/// - Parameters:
///   - values: in the order in which they were measured.
///   - lastLag: the largest lag, less than the number of values.
/// - Returns: nil for no values, for values that are all equal, or where one is not a finite number.
package func autocorrelations(of values: [Double], through lastLag: Int) -> [Double]? {
    precondition(lastLag >= 0 && lastLag < max(values.count, 1))
    guard let mean = mean(values), let largest = values.map({ abs($0 - mean) }).max(), largest > 0,
        values.contains(where: { $0 != values[0] })
    else { return nil }
    let deviations = values.map { ($0 - mean) / largest }
    // A direct sum costs n for each lag; the transform costs as much as some hundred lags, however many are wanted.
    let products =
        lastLag < 128
        ? (0...lastLag).map { lag in
            var sum = 0.0
            for index in lag..<deviations.count { sum += deviations[index - lag] * deviations[index] }
            return sum
        } : laggedProducts(of: deviations, through: lastLag)
    return products.map { $0 / products[0] }
}

/// How many independent values would tell as much about a mean as values that hang together.
///
/// n / τ, where τ = 1 + 2·Σ rₖ is the autocorrelation time: of values that are alike over a stretch of τ, each stretch counts
/// as one. The sum ends by Geyer’s initial positive sequence: lags are taken in pairs (0 and 1, 2 and 3, …) as long as the
/// pair’s sum is above 0, for from there on it is noise (Geyer, “Practical Markov Chain Monte Carlo”, 1992, 3.3).
///
/// It is an estimate out of the same values, and from few of them too hopeful: `doubt` says where. It is there to show that
/// iterations inside one process hang together, not to mend an interval drawn from them: what differs from process
/// to process shows in no one of them.
package struct EffectiveSampleSize: Hashable, Sendable, Codable {
    package var count: Int
    /// In 1…`count`; nil where it cannot be told.
    package var size: Double?
    /// τ, in values: at least 1, for values that alternate are not counted as more than they are.
    package var autocorrelationTime: Double?
    /// Why there is no size, or why it is to be taken with care; nil when there is no such reason.
    package var doubt: String?

    /// - Parameter values: in the order in which they were measured.
    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(of values: [Double]) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        count = values.count
        guard values.count >= 4 else {
            doubt = "\(valuesText(values.count)) cannot show how they hang together; 4 can at the least"
            return
        }
        // Most series fall silent within a few lags.
        for lastLag in Set([min(63, values.count - 1), values.count - 1]).sorted() {
            guard let correlations = autocorrelations(of: values, through: lastLag) else {
                doubt = "all \(values.count) values are equal, which does not show how they hang together"
                return
            }
            guard
                let time = Self.autocorrelationTime(correlations, isComplete: lastLag == values.count - 1)
            else { continue }
            let length = min(max(time, 1), Double(values.count))
            autocorrelationTime = length
            size = Double(values.count) / length
            if size! < Self.sizeToTrust {
                doubt =
                    "\(values.count) values that hang together over \(length.rounded(.up)) of them are too few to tell "
                    + "how many independent ones they are worth: it may be fewer"
            }
            return
        }
    }

    /// Below this size the estimate itself is poor.
    static let sizeToTrust = 50.0

    /// Nil where the sum does not end within the lags that there are, and more could be had.
    private static func autocorrelationTime(_ correlations: [Double], isComplete: Bool) -> Double? {
        var time = -1.0
        for lag in stride(from: 0, to: correlations.count, by: 2) {
            guard lag + 1 < correlations.count || isComplete else { return nil }
            let pair = correlations[lag] + (lag + 1 < correlations.count ? correlations[lag + 1] : 0)
            guard pair > 0 else { return time }
            time += 2 * pair
        }
        return isComplete ? time : nil
    }
}

/// `1 value`, `5 values`.
func valuesText(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

/// Σ xₜ·xₜ₊ₖ for k = 0…lastLag, by way of the power spectrum (Wiener–Khinchin) of the values with as many zeros behind them.
private func laggedProducts(of values: [Double], through lastLag: Int) -> [Double] {
    var length = 1
    while length < 2 * values.count { length *= 2 }
    var real = values + Array(repeating: 0, count: length - values.count)
    var imaginary = Array(repeating: 0.0, count: length)
    transform(&real, &imaginary)
    for index in 0..<length {
        real[index] = real[index] * real[index] + imaginary[index] * imaginary[index]
        imaginary[index] = 0
    }
    // The spectrum is real and even, so that forwards and back are the same but for the factor.
    transform(&real, &imaginary)
    return real[...lastLag].map { $0 / Double(length) }
}

/// The discrete Fourier transform in place, of a length that is a power of two (Cooley & Tukey, 1965).
private func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let length = real.count
    var reversed = 0
    for index in 1..<length {
        var bit = length / 2
        while reversed & bit != 0 {
            reversed ^= bit
            bit /= 2
        }
        reversed |= bit
        if index < reversed {
            real.swapAt(index, reversed)
            imaginary.swapAt(index, reversed)
        }
    }
    let cosines = (0..<length / 2).map { cos(2 * .pi * Double($0) / Double(length)) }
    let sines = (0..<length / 2).map { -sin(2 * .pi * Double($0) / Double(length)) }
    var half = 1
    while half < length {
        let step = length / (2 * half)
        for start in stride(from: 0, to: length, by: 2 * half) {
            for offset in 0..<half {
                let (low, high) = (start + offset, start + offset + half)
                let (cosine, sine) = (cosines[offset * step], sines[offset * step])
                let turnedReal = real[high] * cosine - imaginary[high] * sine
                let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                real[high] = real[low] - turnedReal
                imaginary[high] = imaginary[low] - turnedImaginary
                real[low] += turnedReal
                imaginary[low] += turnedImaginary
            }
        }
        half *= 2
    }
}
