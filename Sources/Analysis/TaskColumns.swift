import Results

/// The ended tasks of one trial as columns, in the order of submission: a task is one index into all of them.
package struct TaskColumns: Sendable {
    package var submitted: [Int64] = []
    package var begin: [Int64] = []
    package var end: [Int64] = []
    package var worker: [Int32] = []
    /// How long after it was due each was submitted; empty where none was late, as in a closed loop.
    private var lags: [Int64] = []
    /// IDs of tasks; empty where each is its index, as where all tasks of a trial ended.
    private var numbers: [Int] = []

    package var count: Int { begin.count }

    /// The number of a task's ID.
    package func number(_ index: Int) -> Int { numbers.isEmpty ? index : numbers[index] }
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
        if record.id.number != count || !numbers.isEmpty {
            if numbers.isEmpty { numbers = Array(0..<count) }
            numbers.append(record.id.number)
        }
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

/// Where the tasks of a trial stand in its columns, by the number of their ID.
struct TaskPlaces {
    private let count: Int
    /// Numbers in ascending order, and the index of each; empty where each is its index.
    private var numbers: [Int] = []
    private var indices: [Int] = []

    init(_ columns: TaskColumns) {
        count = columns.count
        guard !(0..<count).allSatisfy({ columns.number($0) == $0 }) else { return }
        indices = (0..<count).sorted { (columns.number($0), $0) < (columns.number($1), $1) }
        numbers = indices.map { columns.number($0) }
    }

    /// Nil for a task that did not end.
    func index(of number: Int) -> Int? {
        guard !numbers.isEmpty else { return (0..<count).contains(number) ? number : nil }
        var (lower, upper) = (0, numbers.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if numbers[middle] < number { lower = middle + 1 } else { upper = middle }
        }
        return lower < numbers.count && numbers[lower] == number ? indices[lower] : nil
    }
}
