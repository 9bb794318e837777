// The counters of all threads.
//
// Each thread writes to a place of its own, so that threads do not wait for one another; the process's counts are the sum of
// all places. A place is never given back to the system: when its thread ends, the next new thread goes on counting in it, from
// where it stands, and so the counts of threads that ended stay in the sum.
//
// Only the live bytes are of all threads together, changed by an atomic addition at each call: their peak cannot be found in
// any other way. It is exact in this sense: a block is live from the moment its allocation has returned to the hooks until the
// moment its release is asked for, and the peak is the highest value that the sum of live blocks really had. What the
// allocator holds beyond that for an instant, within calls under way (a reallocation that moves has two blocks), is not in it.
#ifndef COUNTERS_H
#define COUNTERS_H

#include "CAllocationHooks.h"

#include <stddef.h>

// Sanitizers take the place of malloc themselves: in such a build the library is empty, and its functions are not found.
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#define IS_SANITIZED \
    (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer))

#define HIDDEN __attribute__((visibility("hidden")))

struct counters {
    /// Written by the thread that has the place, read by all.
    int64_t values[taskmeter_thread_value_count];
    /// What they were when that thread took it.
    int64_t base[taskmeter_thread_value_count];
    /// The place below it on the stack of places without a thread, plus 1; 0 for none.
    uint32_t next_unused;
    uint32_t index;
} __attribute__((aligned(64)));

/// The calling thread's place; NULL before it first allocates and after it has ended.
/// In the initial-exec model no access to it calls a function that allocates (ELF Handling For Thread-Local Storage, 4.3).
extern HIDDEN _Thread_local struct counters *own_counters __attribute__((tls_model("initial-exec")));

HIDDEN extern int is_counting;

/// Bytes that are live, and their peak, beside one another: who changes one looks at the other.
struct live_bytes {
    int64_t now;
    int64_t peak;
} __attribute__((aligned(64)));
HIDDEN extern struct live_bytes live_bytes;

/// Makes ready to notice the ends of threads. To be called once, before a second thread is started.
HIDDEN void prepare_counters(void);

/// A place for a thread that has none yet; NULL for one that counts among all that are at their end.
HIDDEN struct counters *take_counters(void);

/// Adds to the counts of threads without a place of their own.
HIDDEN void add_for_others(int value, int64_t amount);

// hot path: no allocation, no lock, no call that can block (but for a thread's first call, which takes its place)
static inline void add(struct counters *counters, int value, int64_t amount) {
    if (__builtin_expect(!counters, 0)) return add_for_others(value, amount);
    int64_t *place = &counters->values[value];
    // No other thread writes here; the loads and stores are atomic for those that read meanwhile.
    __atomic_store_n(place, __atomic_load_n(place, __ATOMIC_RELAXED) + amount, __ATOMIC_RELAXED);
}

static inline struct counters *counters_of_this_thread(void) {
    struct counters *counters = own_counters;
    return __builtin_expect(counters != NULL, 1) ? counters : take_counters();
}

static inline void change_live_bytes(int64_t amount) {
    int64_t now = __atomic_add_fetch(&live_bytes.now, amount, __ATOMIC_RELAXED);
    int64_t peak = __atomic_load_n(&live_bytes.peak, __ATOMIC_RELAXED);
    while (now > peak
           && !__atomic_compare_exchange_n(&live_bytes.peak, &peak, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static inline int counts_now(void) { return __atomic_load_n(&is_counting, __ATOMIC_RELAXED); }

#endif
