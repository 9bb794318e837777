/// Where things lie in the log of task records (see `LogLayout` for what all logs have in common).
///
///     offset   size   header, beside what all have
///         32      8   begin of the measured part, ns since the origin; 0 while it has not begun
///         40      8   end of the measured part, likewise
///         48  4 × 8   faults: ended without begin, begun twice, ended twice, unknown task
///         88      4   bytes of failure reasons
///         92      4   tasks run for warm-up
///       4096  61440   failure reasons, each 2 bytes of length and its UTF-8
///
///     offset   size   record (64 bytes, one cache line)
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
/// with release ordering. Two threads that race for one moment are told apart by the claim. One exchange and one plain store
/// for each moment is what this costs beside the clock: words for each moment, and not bits of one, so that done needs no
/// exchange.
@usableFromInline package enum RecordLogLayout {
    /// The log of the same tasks' phases lies beside it under its name with this at the end.
    package static let phasesSuffix = ".phases"
    @inlinable package static var recordSize: Int { 64 }

    @usableFromInline package enum Header {
        @inlinable package static var measureBegin: Int { 32 }
        @inlinable package static var measureEnd: Int { 40 }
        @inlinable package static var endedWithoutBegin: Int { 48 }
        @inlinable package static var begunTwice: Int { 56 }
        @inlinable package static var endedTwice: Int { 64 }
        @inlinable package static var unknownTask: Int { 72 }
        @inlinable package static var reasonsLength: Int { 88 }
        @inlinable package static var warmupTasks: Int { 92 }
        @inlinable package static var reasons: Int { 4096 }
        @inlinable package static var reasonsCapacity: Int { 61_440 }
    }

    @usableFromInline package enum Record {
        @inlinable package static var isSubmitted: Int { 0 }
        @inlinable package static var worker: Int { 4 }
        @inlinable package static var due: Int { 8 }
        @inlinable package static var submitted: Int { 16 }
        @inlinable package static var begin: Int { 24 }
        @inlinable package static var end: Int { 32 }
        @inlinable package static var bytes: Int { 40 }
        @inlinable package static var status: Int { 48 }
        @inlinable package static var reason: Int { 52 }
        @inlinable package static var hasBegun: Int { 56 }
        @inlinable package static var hasEnded: Int { 60 }
    }

    @usableFromInline package enum Status {
        @inlinable package static var ok: UInt32 { 1 }
        @inlinable package static var failed: UInt32 { 2 }
        @inlinable package static var cancelled: UInt32 { 3 }
    }
}
