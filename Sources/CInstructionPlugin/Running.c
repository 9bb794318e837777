#include "Running.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "Blocks.h"

/// Written by the thread itself while it lives, and before that by the one that starts it.
static bool runs[most_threads];
static _Atomic uint64_t running, overlaps, switches;
static _Atomic unsigned int last;

void thread_runs(unsigned int thread) {
    if (runs[thread]) return;
    runs[thread] = true;
    if (atomic_fetch_add(&running, 1) > 0) atomic_fetch_add(&overlaps, 1);
    if (atomic_exchange(&last, thread) != thread) atomic_fetch_add(&switches, 1);
}

void thread_rests(unsigned int thread) {
    if (!runs[thread]) return;
    runs[thread] = false;
    atomic_fetch_sub(&running, 1);
}

uint64_t overlaps_so_far(void) { return atomic_load(&overlaps); }

uint64_t switches_so_far(void) { return atomic_load(&switches); }

uint64_t threads_running(void) { return atomic_load(&running); }
