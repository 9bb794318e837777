/// A question that benchmarks of one name answer together: which values are compared, and by what the answer is decided.
package struct ExperimentDescription: Hashable, Sendable, Codable {
    /// What a person asks, as a sentence.
    package var question: String
    /// The axis whose values are compared with each other.
    package var compares: String
    /// The axis along which the comparison is repeated and drawn; nil where there is none.
    package var along: String?
    package var decides: Metric

    package init(question: String, compares: String, along: String?, decides: Metric) {
        self.question = question
        self.compares = compares
        self.along = along
        self.decides = decides
    }
}
