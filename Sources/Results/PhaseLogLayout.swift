/// Where things lie in the log of phases (see `LogLayout` for what all logs have in common).
///
///     offset      size   header, beside what all have
///       4096  256 × 240   names of phases: 4 bytes of length, stored last; then UTF-8
///
///     offset   size   entry (32 bytes)
///          0      4   whether it is stored: 0 no, 2 done
///          4      4   number of the phase: the place of its name
///          8      8   task
///         16      8   when it was marked, ns since the origin
///         24      8   bytes that it tells of, plus 1; 0 for none
@usableFromInline package enum PhaseLogLayout {
    @inlinable package static var entrySize: Int { 32 }

    @usableFromInline package enum Header {
        @inlinable package static var names: Int { 4096 }
        @inlinable package static var nameSize: Int { 240 }
        @inlinable package static var nameCapacity: Int { 236 }
        @inlinable package static var mostNames: Int { 256 }
    }

    @usableFromInline package enum Entry {
        @inlinable package static var isStored: Int { 0 }
        @inlinable package static var phase: Int { 4 }
        @inlinable package static var task: Int { 8 }
        @inlinable package static var at: Int { 16 }
        @inlinable package static var bytesAndOne: Int { 24 }
    }
}
