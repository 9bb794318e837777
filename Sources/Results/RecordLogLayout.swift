/// Where things lie in a record log: the file in which a suite process keeps its task records while it runs.
///
/// The process maps the file and stores into it; the kernel owns the pages, so that a killed process loses nothing.
/// All numbers are in the machine's own byte order: a log never leaves the machine that wrote it, it is copied to
/// `tasks.csv` when its trial ends, or by `taskmeter report` when a kill came before that.
///
///     offset   size   header (64 KiB)
///          0      8   magic “TMRECORD”
///          8      4   schema, 1
///         12      4   size of a record, 64
///         16      8   IDs given out so far
///         24      8   the run's origin on CLOCK_MONOTONIC, ns
///         32      8   begin of the measured part, ns since the origin; 0 while it has not begun
///         40      8   end of the measured part, likewise
///         48  4 × 8   faults: ended without begin, begun twice, ended twice, unknown task
///         80      4   number of the trial
///         84      4   bytes of the benchmark's identity
///         88      4   bytes of failure reasons
///         92      4   tasks run for warm-up
///         96   3984   the benchmark’s identity, UTF-8
///       4080      8   when the log was made, ns since the origin
///       4088      8   records lost because the file could not grow
///       4096  61440   failure reasons, each 2 bytes of length and its UTF-8
///
///     offset   size   record (64 bytes, one cache line; record i lies at 65536 + 64·i)
///          0      4   whether it is submitted: 0 no, 2 done
///          4      4   worker
///          8      8   due, ns since the origin
///         16      8   submitted
///         24      8   begin
///         32      8   end
///         40      8   bytes moved
///         48      4   status: 1 ok, 2 failed, 3 cancelled
///         52      4   failure reason: its offset among the reasons plus 1; 0 when there is none
///         56      4   whether it has begun: 0 no, 1 claimed, 2 done
///         60      4   whether it has ended: likewise
///
/// Each moment of a task has a word of its own. A writer claims it by exchanging 0 for 1, stores the values, and stores 2
/// with release ordering. Two threads that race for one moment are told apart by the claim; a reader believes only what
/// is done, so that a record that a kill cut in half reads as the state before. One exchange and one plain store for each
/// moment is what this costs beside the clock: words for each moment, and not bits of one, so that done needs no exchange.
package enum RecordLogLayout {
    package static let magic: [UInt8] = Array("TMRECORD".utf8)
    package static let schema: UInt32 = 1
    package static let headerSize = 65_536
    package static let recordSize = 64

    package enum Header {
        package static let schema = 8
        package static let recordSize = 12
        package static let issued = 16
        package static let origin = 24
        package static let measureBegin = 32
        package static let measureEnd = 40
        package static let endedWithoutBegin = 48
        package static let begunTwice = 56
        package static let endedTwice = 64
        package static let unknownTask = 72
        package static let trial = 80
        package static let benchmarkLength = 84
        package static let reasonsLength = 88
        package static let warmupTasks = 92
        package static let benchmark = 96
        package static let benchmarkCapacity = 3984
        package static let started = 4080
        package static let lost = 4088
        package static let reasons = 4096
        package static let reasonsCapacity = 61_440
    }

    package enum Record {
        package static let isSubmitted = 0
        package static let worker = 4
        package static let due = 8
        package static let submitted = 16
        package static let begin = 24
        package static let end = 32
        package static let bytes = 40
        package static let status = 48
        package static let reason = 52
        package static let hasBegun = 56
        package static let hasEnded = 60
    }

    /// How far a moment of a record is.
    package enum Moment {
        package static let claimed: UInt32 = 1
        package static let done: UInt32 = 2
    }

    package enum Status {
        package static let ok: UInt32 = 1
        package static let failed: UInt32 = 2
        package static let cancelled: UInt32 = 3
    }
}
