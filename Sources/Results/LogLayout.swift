/// What all logs have in common: the files in which a suite's process keeps what it records while it runs.
///
/// The process maps a log into its memory and stores into it; the kernel owns the pages, so that a killed process loses nothing.
/// All numbers are in the machine's own byte order: a log never leaves the machine that wrote it, it is copied to CSV
/// when its trial ends, or by `taskmeter report` when a kill came before that.
///
///     offset   size   header (64 KiB)
///          0      8   magic: “TMRECORD”, “TMPHASES” or “TMSAMPLE”
///          8      4   schema, 1
///         12      4   size of an entry
///         16      8   entries given out so far
///         24      8   the run's origin on CLOCK_MONOTONIC, ns
///         32     48   of the kind of log
///         80      4   number of the trial
///         84      4   bytes of the benchmark's identity
///         88      8   of the kind of log
///         96   3840   the benchmark’s identity, UTF-8
///       3936    128   unit and clock of all moments, UTF-8, such as “ns tsc 53…:…:…”; then zeros
///       4064      8   entries that are mapped: beyond lies what the file was never long enough for
///       4072      8   parts of the file that had to be mapped by the thread that needed them
///       4080      8   when the log was made, ns since the origin
///       4088      8   entries lost because the file could not grow
///       4096  61440   of the kind of log
///
/// Then come the entries, entry i at 65536 + size · i. Each has words that say how far it is; they are stored last, with
/// release ordering, and a reader believes only what they say is done. So an entry that a kill cut in half reads as
/// the state before, and one that was given out and never stored reads as nothing.
///
/// The numbers are inlinable: hot paths in another module use them, and a global constant would cost a call at each use
/// (so would an inlinable one in a type that is not usable from inline).
@usableFromInline package enum LogLayout {
    @inlinable package static var schema: UInt32 { 1 }
    @inlinable package static var headerSize: Int { 65_536 }
    package static let unit = "ns"

    /// A kind of log: what its file begins with, and how large an entry is.
    package struct Kind: Hashable, Sendable {
        package var magic: [UInt8]
        package var entrySize: Int

        package static let tasks = Kind(magic: Array("TMRECORD".utf8), entrySize: RecordLogLayout.recordSize)
        package static let phases = Kind(magic: Array("TMPHASES".utf8), entrySize: PhaseLogLayout.entrySize)
        package static let samples = Kind(magic: Array("TMSAMPLE".utf8), entrySize: SampleLogLayout.entrySize)
    }

    @usableFromInline package enum Header {
        @inlinable package static var schema: Int { 8 }
        @inlinable package static var entrySize: Int { 12 }
        @inlinable package static var issued: Int { 16 }
        @inlinable package static var origin: Int { 24 }
        @inlinable package static var trial: Int { 80 }
        @inlinable package static var benchmarkLength: Int { 84 }
        @inlinable package static var benchmark: Int { 96 }
        @inlinable package static var benchmarkCapacity: Int { 3840 }
        @inlinable package static var unit: Int { 3936 }
        @inlinable package static var unitCapacity: Int { 127 }
        @inlinable package static var ready: Int { 4064 }
        @inlinable package static var late: Int { 4072 }
        @inlinable package static var started: Int { 4080 }
        @inlinable package static var lost: Int { 4088 }
    }

    /// How far an entry, or a moment of a task, is.
    @usableFromInline package enum Moment {
        @inlinable package static var claimed: UInt32 { 1 }
        @inlinable package static var done: UInt32 { 2 }
    }
}
