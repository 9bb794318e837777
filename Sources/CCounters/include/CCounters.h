// The kernel's event counters, perf_event_open(2), and pieces of work whose events are known.
//
// Free of Swift and of everything else of this project, so that the same code can be built by any C compiler for any
// machine: it is tested against real counters in an emulated one.
#ifndef CCOUNTERS_H
#define CCOUNTERS_H

#include <stdint.h>

enum {
    /// Leaves out what happens in the kernel and in a hypervisor.
    CCOUNTERS_USER_ONLY = 1,
    /// Counts, beside the calling thread, every thread and process that it starts from now on, and theirs.
    CCOUNTERS_INHERIT = 2,
    /// The same, but threads of this process only (Linux 5.13). Says more than CCOUNTERS_INHERIT, and takes its place.
    CCOUNTERS_INHERIT_THREADS = 4,
};

/// Words before the values of a group in what `ccounters_read` reads: how many values follow, and for how many
/// nanoseconds the group was enabled and was counting.
enum { CCOUNTERS_HEAD = 3 };

/// Opens a counter of an event (`type` and `config` as in `struct perf_event_attr`) for the calling thread on every
/// processor. `leader` is the counter whose group it joins, or -1 for a new group, which stays still until it is started.
/// Returns a descriptor, closed at exec, or -errno.
int ccounters_open(uint32_t type, uint64_t config, int leader, unsigned flags);

/// Opens a counter of a whole processor, for no process, that counts at once and whose reads are three words: its count, and the
/// nanoseconds for which it was wanted and was really counting. Returns a descriptor, closed at exec, or -errno.
int ccounters_open_machine(uint32_t type, uint64_t config, int processor);

/// Lets a group count, or stops it. Returns 0, or an errno.
int ccounters_start(int leader);
int ccounters_stop(int leader);

/// Reads a group: CCOUNTERS_HEAD words, then the values of its counters in the order of their opening; all of one
/// moment. One system call. Returns 0, or an errno: EIO when the kernel gave other than `count` words, as it does for a
/// counter that it had to give up.
int ccounters_read(int leader, uint64_t *words, int count);

/// Numbers threads from 1, in the order in which they first ask. Unlike a pthread_t, a number is never given twice.
extern _Thread_local uint64_t ccounters_thread_number;
uint64_t ccounters_number_thread(void);
static inline uint64_t ccounters_thread(void) {
    uint64_t number = ccounters_thread_number;
    return number != 0 ? number : ccounters_number_thread();
}

/// The kernel's number of the calling thread, in the type that PAPI_thread_init asks for.
unsigned long ccounters_kernel_thread(void);

/// Tries a counter of instructions on a loop of known length. Returns 0 when it counted a plausible number, ENODATA when
/// it did not count, else the errno of the call that failed.
int ccounters_try_instructions(void);

// Known work.

/// Executes `CCOUNTERS_SPIN_INSTRUCTIONS` instructions `steps` times: one that counts, and a branch.
void ccounters_spin(uint64_t steps);
enum { CCOUNTERS_SPIN_INSTRUCTIONS = 2 };

/// Takes `steps` branches whose direction no processor can foresee: it is wrong about half of them.
void ccounters_guess(uint64_t steps);

/// Multiplies and adds numbers of double precision, `steps` times each.
void ccounters_multiply(uint64_t steps);

/// Reads and writes one byte of each 64 in `bytes` of new memory, twice over, in an order that jumps.
/// Returns 0, or an errno.
int ccounters_walk(uint64_t bytes);

/// Writes to `pages` pages of new memory, each for the first time: a minor fault each. Returns 0, or an errno.
int ccounters_touch_pages(long pages);

/// Sleeps `times` times for a moment: a voluntary context switch each.
void ccounters_sleep(long times);

/// Moves the calling thread to another processor `times` times, and lets it run where it might before.
/// Returns how often it was moved: 0 where it may run on one processor only.
long ccounters_move(long times);

#endif
