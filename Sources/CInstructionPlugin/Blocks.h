// What was translated, and how often each piece of it was executed.
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../CLinux/include/ExactMarks.h"

enum {
    /// The most pieces of code that are told apart, and the most threads at one time.
    most_blocks = 1 << 20,
    most_threads = 1 << 16,
    /// A thread's counters that all threads share where they are not counted apart.
    shared_counters = 0,
};

/// Prepares the tables; false when there is no memory for them. They take what is used of them.
bool blocks_prepare(void);

/// The number of a block, which is the same one when the same code is translated again. Any thread.
uint32_t block_numbered(uint64_t address, uint32_t instructions, uint32_t branches);

/// Makes counters for a thread where there are none yet; false when there is no memory for them.
bool counters_prepare(unsigned int thread);

/// Where a thread counts the executions of a block.
uint64_t *counter_of(unsigned int thread, uint32_t block);

/// Adds one to a thread's counter of a block, given as its distance in bytes from the thread's first one.
void count_execution(unsigned int thread, void *distance);

/// Counts entries into the function at an address, those before now among them. Its place among the counts, the same
/// one when it is asked for again; -1 when there are too many functions.
int watch_function(uint64_t address);

/// Sums up all counters: instructions, branches and entries, of one thread and of all.
void sum_up(struct clinux_exact_counts *counts, unsigned int thread);

/// The same of one thread alone.
void sum_up_thread(struct clinux_exact_counts *counts, unsigned int thread);

#endif
