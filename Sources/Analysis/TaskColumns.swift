import Results

/// The ended tasks of one trial as columns, in the order of submission: a task is one index into all of them.
package struct TaskColumns: Sendable {
    package var submitted: [Int64] = []
    package var begin: [Int64] = []
    package var end: [Int64] = []
    package var worker: [Int32] = []

    package var count: Int { begin.count }

    package func spent(_ index: Int) -> Int64 { end[index] - begin[index] }
    package func wait(_ index: Int) -> Int64 { begin[index] - submitted[index] }

    mutating func append(_ record: TaskRecord) {
        guard let begin = record.begin, let end = record.end, let worker = record.worker else { return }
        submitted.append(record.submitted.sinceOrigin)
        self.begin.append(begin.sinceOrigin)
        self.end.append(end.sinceOrigin)
        self.worker.append(Int32(truncatingIfNeeded: worker))
    }
}
