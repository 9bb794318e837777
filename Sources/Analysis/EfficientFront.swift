/// Which of several are efficient in two costs: those that no other beats in one without losing in the other (the Pareto front).
///
/// - Parameter costs: both lower is better.
/// - Returns: for each whether none of the others is at least as good in both and better in one.
package func efficientFront(_ costs: [(Double, Double)]) -> [Bool] {
    costs.map { one in
        !costs.contains { other in
            other.0 <= one.0 && other.1 <= one.1 && (other.0 < one.0 || other.1 < one.1)
        }
    }
}
