// How the bodies see what the preloaded library counts.
#ifndef COUNTS_H
#define COUNTS_H

#include <stdint.h>

enum { of_thread = 9, of_process = 11 };

// Of the preloaded library; NULL without it.
extern int (*thread_counts)(int64_t *, int);
extern void (*process_counts)(int64_t *, int);
extern void (*reset_peak)(void);
extern void (*switch_counting)(int);

// Prints a name and by how much each of so many values grew.
void print(const char *name, const int64_t *before, const int64_t *after, int count);

// The compiler must take it that the block is used and becomes another, and so leaves out no call.
static inline void *keep(void *block) {
    __asm__ volatile("" : "+r"(block) : : "memory");
    return block;
}

void run_bodies(void);
void run_counted_alike(void);
void run_limit(void);
void run_switch(void);
void run_threads(long number);
void run_thread_ends(long number);
void run_pool(long number);
void run_peak(void);
void run_fork(long number);

#endif
