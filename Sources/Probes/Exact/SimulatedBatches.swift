import Glibc
import Results

/// Counts what batches execute under the simulator: each bracket around the readings of the clock, which the empty batches
/// have as well, goes to a file of its own, which valgrind has written when the bracket's end returns.
///
/// Caches and branch prediction are simulated between brackets, too. So files are best read when all that is measured has been
/// executed: reading them fills the simulated caches with other things.
package final class SimulatedBatches: BatchProbe {
    private let marker: SimulatorMarker
    private let file: String
    /// Brackets that have ended.
    package private(set) var brackets = 0

    /// - Parameter file: where counts go; see `Simulator.command(for:_:countsTo:)`.
    /// - Throws: that nothing simulates here.
    package init(countsTo file: String) throws(ExactRefusal) {
        marker = try SimulatorMarker()
        self.file = file
    }

    package func begin() { marker.begin() }

    package func end() {
        marker.end("batch")
        brackets += 1
    }

    /// Nothing: whoever executes a plan takes what each batch took.
    package func settle(_ kind: BatchKind, iterations: Int) {}

    /// What was counted in brackets that have ended, together; their files are removed.
    ///
    /// - Throws: that a file is not there, or not one that valgrind wrote for a mark.
    package func take(_ range: Range<Int>) throws(ExactRefusal) -> SimulatedCounts {
        var sum: SimulatedCounts?
        for bracket in range {
            guard let counts = Simulator.counts(in: file, bracket: bracket) else {
                throw ExactRefusal("valgrind left no counts of a batch: is the disk full?")
            }
            unlink(Simulator.file(file, bracket: bracket))
            sum = sum.map { $0 + counts } ?? counts
        }
        return sum ?? SimulatedCounts(none: "batch")
    }

    package var readings: [(Metric, Reading)] { [] }
}
