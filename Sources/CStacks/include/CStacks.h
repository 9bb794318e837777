// Looks at the stack of another thread of this process, while that thread goes on with what it does.
#ifndef CSTACKS_H
#define CSTACKS_H

#include <stdint.h>
#include <sys/types.h>

/// The kernel's number of the calling thread.
pid_t cstacks_own_thread(void);

/// Whether a thread of this process is there no more.
int cstacks_has_ended(pid_t thread);

/// Takes a realtime signal that nobody in the process handles, for `cstacks_capture`. Every call that succeeds is
/// followed by one of `cstacks_give_back` when captures are over. Returns 0, or an errno: EBUSY when every such
/// signal is taken.
int cstacks_take_signal(void);

/// Gives the signal back, after the last of those who took it; what is still on its way to a thread is thrown away.
void cstacks_give_back(void);

/// Lets the signal that is taken reach the calling thread: threads of Dispatch block all signals, and so do those
/// that they start. Does nothing where none is taken.
void cstacks_allow_capture(void);

/// Most addresses that one capture gives.
enum { cstacks_most_addresses = 128 };

/// Where a thread was: the place of the next instruction, then the return addresses, innermost first.
struct cstacks_stack {
    uint64_t addresses[cstacks_most_addresses];
    int count;
    /// Whether there are more frames than were followed.
    int is_truncated;
};

/// Interrupts a thread of this process for some microseconds, in which it copies its registers and the newest part of
/// its stack, and follows the frames in that copy. Waits for the thread's answer for so long at most. Returns 0, or
/// an errno: ESRCH when there is no such thread, EPERM when it blocks the signal, ETIMEDOUT when it did not answer,
/// ENOSYS where this processor's frames are not known, or what the kernel says to reading the stack. Thread-safe; one
/// capture at a time.
int cstacks_capture(pid_t thread, int64_t most_nanoseconds, struct cstacks_stack *stack);

#endif
