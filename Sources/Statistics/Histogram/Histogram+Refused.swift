extension Histogram {
    /// Numbers of values that are not in a histogram. A number that has reached `Int.max` stays there.
    package struct Refused: Hashable, Sendable {
        /// Values below 0.
        package private(set) var negative = 0
        /// Values above a fixed range.
        package private(set) var beyondRange = 0
        /// Values with which the total would have exceeded `Int.max`.
        package private(set) var beyondCounting = 0

        package var total: Int { sum(sum(negative, beyondRange), beyondCounting) }

        enum Reason { case negative, beyondRange, beyondCounting }

        /// Counts so many values, each so many times.
        mutating func add(_ values: Int, times: Int = 1, _ reason: Reason) {
            let (product, overflow) = values.multipliedReportingOverflow(by: times)
            let count = overflow ? .max : product
            switch reason {
            case .negative: negative = sum(negative, count)
            case .beyondRange: beyondRange = sum(beyondRange, count)
            case .beyondCounting: beyondCounting = sum(beyondCounting, count)
            }
        }

        mutating func add(_ other: Refused) {
            add(other.negative, .negative)
            add(other.beyondRange, .beyondRange)
            add(other.beyondCounting, .beyondCounting)
        }

        private func sum(_ one: Int, _ other: Int) -> Int {
            let (sum, overflow) = one.addingReportingOverflow(other)
            return overflow ? .max : sum
        }
    }
}
