// The few Linux calls that Swift cannot make by itself: variadic functions, calls between fork and exec,
// and headers that the Glibc module leaves out. Each has one Swift caller that turns it into Swift.
#ifndef CLINUX_H
#define CLINUX_H

#include <getopt.h>
#include <stdint.h>
#include <sys/types.h>

#include "ExactMarks.h"
#include "SimulatorMarks.h"

/// How `clinux_spawn` starts a program.
struct clinux_spawn_options {
    /// File descriptors for the child's standard input, output and error.
    int standard_input;
    int standard_output;
    int standard_error;
    /// A descriptor that the child sees as number 3, or -1 for none.
    int fourth;
    /// Signal that the kernel sends the child when the thread that started it ends; 0 for none.
    int signal_at_parent_death;
    /// Whether the child leads a new process group, so that it and its children can be signalled together.
    int own_group;
    /// Variables of the form NAME=value, NULL-terminated, that take the place of the caller's of the same name or come in
    /// addition to them; NULL for none.
    char *const *environment;
};

/// Starts `path` with `arguments` (NULL-terminated) and the caller's environment, changed as the options say.
/// Every descriptor above 3 is closed in the child. Returns the child's pid, or -errno.
pid_t clinux_spawn(const char *path, char *const arguments[], const struct clinux_spawn_options *options);

/// One answer of `getopt_long`, with its globals.
struct clinux_option_answer {
    /// The option's value; '?' for an unknown one, ':' for a missing argument, -1 at the end.
    int value;
    const char *argument;
    /// Place in `argv` of what is read next.
    int next;
    /// The letter or value that was complained of.
    int offending;
};

/// Asks `getopt_long` for the next option; `first` makes it begin anew. One thread at a time.
struct clinux_option_answer clinux_next_option(int first, int argc, char *const argv[], const char *short_options,
                                               const struct option *long_options);

/// A descriptor from which the given signals can be read, which are blocked for the calling thread and for those that
/// it starts from now on; or -errno.
int clinux_receive_signals(const int *signals, int count);

/// Closes such a descriptor, and lets signals reach the calling thread again.
void clinux_release_signals(int descriptor);

/// The next signal that arrived at such a descriptor, or 0.
int clinux_next_signal(int descriptor);

/// A descriptor that becomes readable when the process ends, or -1.
int clinux_open_pid(pid_t pid);

/// Holds a signal back from the calling thread, for a call that answers a fault by an error and also by a signal that
/// would end the process. Returns whether it was held back before; give that to `clinux_release_signal`.
int clinux_hold_signal(int number);

/// Throws away the signal when it came meanwhile, and lets it through again. Does nothing where it was held back before.
void clinux_release_signal(int number, int was_held);

/// Whether a program's file gives capabilities to the process that executes it (capabilities(7)).
int clinux_has_capabilities(const char *path);

/// How many logical processors the calling thread may run on, or -1.
int clinux_usable_processors(void);

/// The number of the `index`-th logical processor that the calling thread may run on, counted from 0, or -1.
int clinux_usable_processor(int index);

/// Lets the calling thread run on one logical processor only. Returns 0, or an errno.
int clinux_pin_thread(int processor);

/// Eight bytes of the calling thread's own, zero at its start: which worker it is, for whom (see `Workers`).
/// At a fixed distance from the thread's own register, so that asking costs one instruction and no call.
extern _Thread_local uint64_t clinux_worker __attribute__((tls_model("initial-exec")));
static inline uint64_t *clinux_worker_slot(void) { return &clinux_worker; }

/// The processor's time-stamp counter, read after everything before it is done (as the kernel reads it for its own
/// clock, see rdtsc_ordered in the kernel's source); 0 on processors without one.
static inline uint64_t clinux_ticks(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/// Does nothing, but the optimiser must take it that the memory at an address, and all that can be reached from there, is
/// read and changed by it. In the header, so that it costs no call (see `blackHole` and `identity`).
static inline void clinux_touch(void *address) { __asm__ volatile("" : : "r"(address) : "memory"); }

/// Names the calling thread (15 bytes at most). Returns 0, or an errno.
int clinux_name_thread(const char *name);

/// Has sleeps of the calling thread end as near to their time as the kernel can, and not up to 50 µs later.
void clinux_sharpen_timers(void);

/// A descriptor of a timer that expires at a moment of CLOCK_MONOTONIC and then again after each interval, both in
/// nanoseconds; a read of eight bytes waits for the next time and tells how often it has come since the last read. Or -errno.
int clinux_open_timer(int64_t first, int64_t interval);

/// What may happen to a descriptor that is watched: EPOLLIN, EPOLLOUT, EPOLLERR and EPOLLHUP of epoll_ctl(2).
enum clinux_happening {
    clinux_readable = 1,
    clinux_writable = 4,
    clinux_broken = 8,
    clinux_hung_up = 16,
};

/// What happened to a descriptor that is watched.
struct clinux_event {
    int descriptor;
    /// `clinux_happening`s.
    uint32_t what;
};

/// A watch over descriptors (epoll); or -errno.
int clinux_open_watch(void);

/// Says what is watched for at a descriptor; nothing (0) takes it out. `is_known` when it was watched before. 0, or -errno.
int clinux_watch(int watch, int descriptor, uint32_t what, int is_known);

/// Waits until something happened, for so many nanoseconds at most, without end when negative; returns how much, or -errno.
int clinux_wait_for_events(int watch, struct clinux_event *events, int most, int64_t nanoseconds);

/// A descriptor that becomes readable when eight bytes are written to it, until they are read; or -errno.
int clinux_open_bell(void);

#endif
