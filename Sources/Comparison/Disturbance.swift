import Results
import Words

extension Trial {
    /// What disturbed the machine while this trial ran, by what the kernel counted; nil when nothing was seen.
    ///
    /// - Parameter samples: what the trial said as a whole.
    func disturbance(_ samples: [Sample]) -> String? {
        func value(_ metric: Metric) -> Double? { samples.first { $0.metric == metric.name }?.value }
        let whole = measureEnd.map { Double(($0 - started).count) }
        if let stolen = value(.stealTime), let whole, stolen >= Limit.leastSteal, stolen > Limit.steal * whole {
            return "the host took \(PlainNumber.roughPercent(stolen / whole)) of its time"
        }
        if let throttled = value(.throttled), throttled > 0 {
            return "the processor was throttled \(PlainNumber.counted(Int(throttled), "time"))"
        }
        if let others = value(.otherProcessorTime), let begin = measureBegin, let end = measureEnd, end > begin {
            let measured = Double((end - begin).count)
            if others >= Limit.leastOthers, others > Limit.others * measured {
                return "other processes took \(PlainNumber.significant(others / measured, digits: 2)) processors"
            }
        }
        return nil
    }

    private enum Limit {
        /// Three ticks of the kernel's counter: less is not told from none.
        static let leastSteal = 30e6
        static let steal = 0.01
        static let leastOthers = 30e6
        /// In processors.
        static let others = 0.2
    }
}
