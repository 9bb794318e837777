import Glibc

/// The share of a standard normal distribution below `z`.
package func normalShare(below z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

/// The `z` below which the share `p` of a standard normal distribution lies; p in 0…1, its ends being infinite.
///
/// Newton's method from 0 towards the lower tail, where the distribution function is convex and each step therefore
/// stops short of the root: the steps go down until rounding ends them.
package func normalQuantile(_ p: Double) -> Double {
    precondition(p >= 0 && p <= 1)
    if p > 0.5 { return -normalQuantile(1 - p) }
    if p == 0 { return -.infinity }
    var z = 0.0
    while true {
        let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
        let next = z - (normalShare(below: z) - p) / density
        guard next < z else { return z }
        z = next
    }
}

/// The two-sided p-value of a standardised score: the share of a normal distribution at least as far from 0.
package func normalTwoSided(_ z: Double) -> Double { min(erfc(abs(z) / 2.0.squareRoot()), 1) }
