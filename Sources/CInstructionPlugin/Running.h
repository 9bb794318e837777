// Which threads run the program's own code, and which wait in the kernel.
#ifndef RUNNING_H
#define RUNNING_H

#include <stdint.h>

/// A thread begins to run code of the program: it was started, or came back from a system call.
void thread_runs(unsigned int thread);

/// A thread ends, or enters the kernel.
void thread_rests(unsigned int thread);

/// How often a thread began to run while another one ran.
uint64_t overlaps_so_far(void);

/// How often another thread began to run than the one before.
uint64_t switches_so_far(void);

/// How many run now.
uint64_t threads_running(void);

#endif
