// What a preloaded libTaskMeterAllocations.so offers to the process that it counts in. Nothing links it: callers find these
// functions by name (dlsym), and where they are not found nothing is counted and nothing is paid.
//
// What is counted, by what a call did and not by its name (ISO C17 7.22.3; malloc(3)):
// - malloc, also of 0 bytes, and realloc of no block: one `mallocs`.
// - calloc: one `callocs`. aligned_alloc, posix_memalign, memalign, valloc, pvalloc: one `aligned`.
// - realloc and reallocarray of a block to another size: one `reallocations`, whether the block grew where it was, moved or
//   shrank. That is up to the allocator, and a count that depended on it would not repeat. It stands for one block given
//   back and one had, as valgrind counts it too.
// - free, and realloc of a block to 0 bytes: one `frees`. free of no block: nothing.
// - A call that gave no memory, by want of it, overflow or a wrong alignment: one `failures`, and nothing else.
// Blocks that were had by mmap(2) or sbrk(2) are not counted. Neither is what the C library does within itself.
#ifndef CALLOCATIONHOOKS_H
#define CALLOCATIONHOOKS_H

#include <stdint.h>

/// The places of the values that the functions below fill in.
enum taskmeter_allocations_value {
    taskmeter_mallocs,
    taskmeter_callocs,
    taskmeter_reallocations,
    taskmeter_aligned,
    taskmeter_frees,
    taskmeter_failures,
    /// What the successful calls asked for, together: for a reallocation the new size.
    taskmeter_requested_bytes,
    /// What they got (malloc_usable_size(3)), for a reallocation the new block. The allocator's own headers are not in it.
    taskmeter_usable_bytes,
    /// The usable sizes of the blocks that were given back, by a reallocation too.
    taskmeter_freed_bytes,
    /// From here on of the process only: usable bytes that are allocated and not given back, and the most of them since the
    /// process began or the peak was set back. Signed: what was allocated while counting was off is missing in them.
    taskmeter_live_bytes,
    taskmeter_peak_live_bytes,
    taskmeter_value_count,
    taskmeter_thread_value_count = taskmeter_live_bytes,
};

/// The name of a value, such as "mallocs"; NULL beyond the last. By the names a caller knows that it was built for the
/// same values.
const char *taskmeter_allocations_name(int value);

/// Fills in the first `count` values of the calling thread since it began. Exact. Returns whether it did: a thread that is at
/// its end, beyond the destructors of its thread-specific data, has none of its own any more.
/// Allocates nothing, takes no lock, enters no kernel.
int taskmeter_allocations_of_thread(int64_t *values, int count);

/// Fills in the first `count` values of the process: all threads, those that have ended too. Each is exact where no other
/// thread allocates meanwhile; where one does, the values may be of different moments. Allocates nothing, takes no lock.
void taskmeter_allocations_of_process(int64_t *values, int count);

/// Sets the peak of live bytes back to what is live now.
void taskmeter_allocations_reset_peak(void);

/// Counts from now on, or no more. It is on when a process begins.
void taskmeter_allocations_switch(int on);

/// Whether usable sizes are known: not where another preloaded library answers malloc and has no malloc_usable_size.
int taskmeter_allocations_knows_sizes(void);

#endif
