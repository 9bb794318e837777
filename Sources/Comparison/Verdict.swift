/// What a comparison says of one metric of one benchmark.
package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The head is worse: by more than nothing for certain, and by more than half the tolerance by the estimate.
    case regressed
    /// The same in the other direction.
    case improved
    /// The change, if there is one, lies inside the tolerance.
    case unchanged
    /// The pairs made so far support none of the three.
    case undecided
    /// Undecided, and the ratios of the pairs have several modes, of which their median is none.
    case unstable
    /// The two sides did not do the same, or not on the same machine.
    case notComparable = "not comparable"
    /// Trials failed.
    case failed
    /// Only the head has it.
    case new
    /// Only the base has it.
    case removed

    /// Whether further pairs may change it.
    package var isOpen: Bool { self == .undecided }
}
