import Results

/// Processor time outside of the kernel and inside of it (`ru_utime` and `ru_stime` of getrusage(2)).
///
/// Their sum is exact. Which is which most kernels know only from where a thread is when the clock ticks, 100 to 1,000 times a second, and scale
/// to the sum: of less than a tenth of a second they know next to nothing (`cputime_adjust` in the kernel's source).
package enum TimeSplit {
    private static let least = 100_000_000.0

    /// The two readings, from what was read of each in an interval.
    package static func readings(user: Double, system: Double) -> (user: Reading, system: Reading) {
        guard user + system >= least else {
            let reading = Reading.notCounted(
                reason: "of less than 100 ms of processor time the kernel cannot tell which part was its own")
            return (reading, reading)
        }
        return (.measured(user), .measured(system))
    }
}
