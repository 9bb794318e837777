import Results

/// The ended tasks of one trial as columns, in the order of submission: a task is one index into all of them.
package struct TaskColumns: Sendable {
    package var submitted: [Int64] = []
    package var begin: [Int64] = []
    package var end: [Int64] = []
    package var worker: [Int32] = []
    /// How long after it was due each was submitted; empty where none was late, as in a closed loop.
    private var lags: [Int64] = []

    package var count: Int { begin.count }

    package func spent(_ index: Int) -> Int64 { end[index] - begin[index] }
    package func wait(_ index: Int) -> Int64 { begin[index] - submitted[index] }
    package func lag(_ index: Int) -> Int64 { lags.isEmpty ? 0 : lags[index] }
    package func response(_ index: Int) -> Int64 { end[index] - submitted[index] + lag(index) }
    /// Whether some task was due at another time than it was submitted: in an open loop.
    package var haveLags: Bool { !lags.isEmpty }

    package func values(_ time: Metric.TaskTime) -> [Int64] {
        (0..<count).map { index in
            switch time {
            case .wait: wait(index)
            case .spent: spent(index)
            case .response: response(index)
            case .lag: lag(index)
            }
        }
    }

    mutating func append(_ record: TaskRecord) {
        guard let begin = record.begin, let end = record.end, let worker = record.worker else { return }
        submitted.append(record.submitted.sinceOrigin)
        self.begin.append(begin.sinceOrigin)
        self.end.append(end.sinceOrigin)
        self.worker.append(Int32(truncatingIfNeeded: worker))
        if record.lag.count != 0 || !lags.isEmpty {
            if lags.isEmpty { lags = Array(repeating: 0, count: count - 1) }
            lags.append(record.lag.count)
        }
    }
}
