/// A named instant in a task, as it is read from a log or from `phases.csv`.
package struct PhaseMark: Hashable, Sendable {
    package var task: TaskID
    package var phase: String
    package var at: Instant
    /// How many bytes the mark tells of: expected, so far, in all. Nil for a mark of time alone.
    package var bytes: Int64?

    /// The phase by which the framework itself tells when a strategy had taken a task of an open loop. It is none of the task's own:
    /// it may come before the begin or after it, on whatever thread.
    package static let acceptedPhase = "accepted"

    package init(task: TaskID, phase: String, at: Instant, bytes: Int64? = nil) {
        self.task = task
        self.phase = phase
        self.at = at
        self.bytes = bytes
    }
}

/// Reads the log of phases, of a process that ended well or was killed at any moment.
package struct PhaseLogReader {
    /// What every log says of itself.
    package let log: LogReader

    package var benchmark: BenchmarkID { log.benchmark }
    package var trial: Int { log.trial }
    package var lost: Int { log.lost }

    package init(_ path: String) throws(ResultsError) { log = try LogReader(path, .phases) }

    /// Calls `body` with each mark that was stored, in the order in which they were made.
    package func forEachMark(_ body: (PhaseMark) throws(ResultsError) -> Void) throws(ResultsError) {
        typealias Entry = PhaseLogLayout.Entry
        let names = (0..<PhaseLogLayout.Header.mostNames).map(name)
        try log.forEachChunk { bytes, _, count throws(ResultsError) in
            for index in 0..<count {
                let offset = index * PhaseLogLayout.entrySize
                guard LogReader.load(bytes, offset + Entry.isStored, as: UInt32.self) == LogLayout.Moment.done else {
                    continue
                }
                let phase = Int(LogReader.load(bytes, offset + Entry.phase, as: UInt32.self))
                let bytesAndOne = LogReader.load(bytes, offset + Entry.bytesAndOne, as: Int64.self)
                try body(
                    PhaseMark(
                        task: TaskID(Int(LogReader.load(bytes, offset + Entry.task, as: Int64.self))),
                        phase: names.indices.contains(phase) ? names[phase] : "phase \(phase)",
                        at: Instant(sinceOrigin: LogReader.load(bytes, offset + Entry.at, as: Int64.self)),
                        bytes: bytesAndOne > 0 ? bytesAndOne - 1 : nil))
            }
        }
    }

    private func name(_ phase: Int) -> String {
        typealias Header = PhaseLogLayout.Header
        let place = Header.names + phase * Header.nameSize
        return LogReader.text(
            log.header, at: place + 4, LogReader.load(log.header, place, as: UInt32.self), atMost: Header.nameCapacity)
    }
}
