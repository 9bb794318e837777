/// What a thread, or a process, has allocated on the heap and given back so far; the difference of two readings is what
/// happened between them.
///
/// A call is counted by what it did, as `CAllocationHooks.h` defines it: `realloc` of no block is a `malloc`, and `realloc`
/// of a block is one reallocation, whether the block grew where it was or moved.
package struct AllocationCounts: Hashable, Sendable {
    package var mallocs = 0
    package var callocs = 0
    package var reallocations = 0
    /// Blocks that were asked for with an alignment.
    package var aligned = 0
    package var frees = 0
    /// Calls that gave no memory.
    package var failures = 0
    /// Bytes that the successful calls asked for; of a reallocation the new size.
    package var requestedBytes = 0
    /// Bytes that they got, which the allocator rounds up; its own headers are not among them.
    package var usableBytes = 0
    /// Usable bytes that were given back, by reallocations too.
    package var freedBytes = 0

    package init() {}

    /// How often a block was had: what `valgrind` calls “allocs”.
    package var allocations: Int { mallocs + callocs + reallocations + aligned }
    /// How often a block was given back: what `valgrind` calls “frees”.
    package var releases: Int { frees + reallocations }
    /// Blocks had and not given back. Negative where older blocks were given back, or those of another thread.
    package var liveBlocks: Int { allocations - releases }
    /// Usable bytes had and not given back; negative as `liveBlocks` is.
    package var liveBytes: Int { usableBytes - freedBytes }

    // One by one, for these are made between measured batches: an array of key paths would be an allocation each time.

    package static func - (later: AllocationCounts, earlier: AllocationCounts) -> AllocationCounts {
        var difference = later
        difference.mallocs -= earlier.mallocs
        difference.callocs -= earlier.callocs
        difference.reallocations -= earlier.reallocations
        difference.aligned -= earlier.aligned
        difference.frees -= earlier.frees
        difference.failures -= earlier.failures
        difference.requestedBytes -= earlier.requestedBytes
        difference.usableBytes -= earlier.usableBytes
        difference.freedBytes -= earlier.freedBytes
        return difference
    }

    package static func + (one: AllocationCounts, other: AllocationCounts) -> AllocationCounts {
        var sum = one
        sum.mallocs += other.mallocs
        sum.callocs += other.callocs
        sum.reallocations += other.reallocations
        sum.aligned += other.aligned
        sum.frees += other.frees
        sum.failures += other.failures
        sum.requestedBytes += other.requestedBytes
        sum.usableBytes += other.usableBytes
        sum.freedBytes += other.freedBytes
        return sum
    }
}

/// What all threads of a process, those that have ended too, have allocated so far.
///
/// Where other threads allocate while it is read, its parts may be of different moments.
package struct ProcessAllocations: Hashable, Sendable {
    package var counts = AllocationCounts()
    /// Usable bytes that are live; since the process began, if it was counted in all that time.
    package var liveBytes = 0
    /// The most bytes that were live since the peak was last set back.
    package var peakLiveBytes = 0

    package init() {}
}
