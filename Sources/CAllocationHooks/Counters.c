#define _GNU_SOURCE
#include "Counters.h"

#if !IS_SANITIZED

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

_Thread_local struct counters *own_counters __attribute__((tls_model("initial-exec")));
/// Whether the calling thread has no place and will get none: it is at its end, or there was no memory for one.
static _Thread_local char counts_among_others __attribute__((tls_model("initial-exec")));

int is_counting = 1;
struct live_bytes live_bytes;

// Places lie in blocks, the first of which is part of the library. A block is never moved or unmapped.
enum { block_size = 256, most_blocks = 4096 };
static struct counters first_block[block_size];
static struct counters *blocks[most_blocks] = {first_block};
/// How many places were ever handed out.
static uint32_t places;
/// The stack of places whose threads have ended: the index of the topmost plus 1 in its lower half, and in its upper half how
/// often it was changed, so that a top which was taken and came back meanwhile is seen to be another.
static uint64_t unused;
/// The sum of what threads without a place have counted, by atomic additions.
static int64_t others[taskmeter_thread_value_count];

static pthread_key_t key;
static int has_key;

static struct counters *place_at(uint32_t index) {
    struct counters *block = __atomic_load_n(&blocks[index / block_size], __ATOMIC_ACQUIRE);
    return block ? &block[index % block_size] : NULL;
}

static struct counters *pop_unused(void) {
    uint64_t top = __atomic_load_n(&unused, __ATOMIC_ACQUIRE);
    while ((uint32_t)top) {
        struct counters *place = place_at((uint32_t)top - 1);
        uint64_t below = ((top >> 32) + 1) << 32 | __atomic_load_n(&place->next_unused, __ATOMIC_RELAXED);
        if (__atomic_compare_exchange_n(&unused, &top, below, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) return place;
    }
    return NULL;
}

static void push_unused(struct counters *place) {
    uint64_t top = __atomic_load_n(&unused, __ATOMIC_RELAXED);
    uint64_t above;
    do {
        __atomic_store_n(&place->next_unused, (uint32_t)top, __ATOMIC_RELAXED);
        above = ((top >> 32) + 1) << 32 | (place->index + 1);
    } while (!__atomic_compare_exchange_n(&unused, &top, above, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static struct counters *new_place(void) {
    uint32_t index = __atomic_load_n(&places, __ATOMIC_RELAXED);
    do {
        if (index >= block_size * most_blocks) return NULL;
    } while (!__atomic_compare_exchange_n(&places, &index, index + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (!place_at(index)) {
        size_t size = block_size * sizeof(struct counters);
        void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) return NULL;
        struct counters *none = NULL;
        if (!__atomic_compare_exchange_n(&blocks[index / block_size], &none, block, 0, __ATOMIC_RELEASE,
                                         __ATOMIC_RELAXED)) {
            munmap(block, size);
        }
    }
    struct counters *place = place_at(index);
    place->index = index;
    return place;
}

struct counters *take_counters(void) {
    if (counts_among_others) return NULL;
    int reason = errno;
    struct counters *place = pop_unused();
    if (!place) place = new_place();
    if (place) memcpy(place->base, place->values, sizeof place->base);
    own_counters = place;
    counts_among_others = !place;
    // May allocate where there are many keys; that is counted like all else, in the place just taken.
    if (place && has_key) pthread_setspecific(key, place);
    errno = reason;
    return place;
}

// Called at a thread's end. What is allocated and freed after it, by destructors of other keys and by the C library, is
// counted among others.
static void end_thread(void *place) {
    own_counters = NULL;
    counts_among_others = 1;
    push_unused(place);
}

void prepare_counters(void) { has_key = pthread_key_create(&key, end_thread) == 0; }

void add_for_others(int value, int64_t amount) { __atomic_fetch_add(&others[value], amount, __ATOMIC_RELAXED); }

// MARK: - What the measured process asks

static const char *const names[taskmeter_value_count] = {
    "mallocs",         "callocs",      "reallocations", "aligned",    "frees",          "failures",
    "requested_bytes", "usable_bytes", "freed_bytes",   "live_bytes", "peak_live_bytes"};

const char *taskmeter_allocations_name(int value) {
    return value >= 0 && value < taskmeter_value_count ? names[value] : NULL;
}

// hot path: no allocation, no lock, no call that can block
int taskmeter_allocations_of_thread(int64_t *values, int count) {
    struct counters *counters = counters_of_this_thread();
    if (!counters) return 0;
    for (int value = 0; value < count && value < taskmeter_thread_value_count; value++) {
        values[value] = counters->values[value] - counters->base[value];
    }
    return 1;
}

void taskmeter_allocations_of_process(int64_t *values, int count) {
    int shared = count < taskmeter_thread_value_count ? count : taskmeter_thread_value_count;
    for (int value = 0; value < shared; value++) values[value] = __atomic_load_n(&others[value], __ATOMIC_RELAXED);
    uint32_t end = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < end; index++) {
        struct counters *counters = place_at(index);
        if (!counters) continue;
        for (int value = 0; value < shared; value++) {
            values[value] += __atomic_load_n(&counters->values[value], __ATOMIC_RELAXED);
        }
    }
    if (count > taskmeter_live_bytes) {
        values[taskmeter_live_bytes] = __atomic_load_n(&live_bytes.now, __ATOMIC_RELAXED);
    }
    if (count > taskmeter_peak_live_bytes) {
        values[taskmeter_peak_live_bytes] = __atomic_load_n(&live_bytes.peak, __ATOMIC_RELAXED);
    }
}

void taskmeter_allocations_reset_peak(void) {
    __atomic_store_n(&live_bytes.peak, __atomic_load_n(&live_bytes.now, __ATOMIC_RELAXED), __ATOMIC_SEQ_CST);
    // Another thread may have gone higher between the load and the store.
    change_live_bytes(0);
}

void taskmeter_allocations_switch(int on) { __atomic_store_n(&is_counting, on != 0, __ATOMIC_RELAXED); }

#endif
