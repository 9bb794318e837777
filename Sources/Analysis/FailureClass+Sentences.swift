import Results
import Words

extension FailureClass {
    /// What is told among the warnings: one sentence of a class, and one of each reason that has none.
    package var sentences: [String] {
        guard let name else {
            return details.map { "\(PlainNumber.counted($0.count, "task")) failed: \(PlainText.excerpt($0.text))." }
        }
        let often = differentDetails == 1 ? "" : ", \(differentDetails) different; most often"
        let detail = details.first.map { PlainText.excerpt($0.text) } ?? ""
        return ["\(PlainNumber.counted(count, "task")) failed: \(PlainText.excerpt(name))\(often): \(detail)."]
    }
}
