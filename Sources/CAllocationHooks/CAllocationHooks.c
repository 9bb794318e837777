// Takes the place of the C library's functions that allocate, counts, and calls the ones whose place it took.
//
// Those are found by dlsym(RTLD_NEXT), so that another allocator that a person preloads is counted too, and not bypassed.
// dlsym itself may allocate (glibc did for its error text until 2.34, and may at any time): what is asked for until the
// functions are found comes from a small area of the library's own. `__libc_malloc` would serve for that too, but its blocks
// would be freed later by the next `free`, which need not be the C library's.
#define _GNU_SOURCE
#include "Counters.h"

#if !IS_SANITIZED

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
    size_t (*malloc_usable_size)(void *);
} next;

/// Whether the next functions are known.
static int is_ready;
static int is_looking;
static int knows_sizes;

// MARK: - Until the next functions are known

/// Blocks in it are never reused. In front of each lies its size.
static _Alignas(64) char early_area[16384];
static size_t early_used;

static int is_early(const void *block) { return (uintptr_t)block - (uintptr_t)early_area < sizeof early_area; }

static size_t early_size(const void *block) { return ((const size_t *)block)[-1]; }

static void *early_allocate(size_t alignment, size_t size) {
    if (alignment < 16) alignment = 16;
    if (size >= sizeof early_area || alignment >= sizeof early_area) return NULL;
    size_t begin = __atomic_fetch_add(&early_used, sizeof(size_t) + alignment + size, __ATOMIC_RELAXED);
    if (begin + sizeof(size_t) + alignment + size > sizeof early_area) return NULL;
    uintptr_t first = (uintptr_t)early_area + begin + sizeof(size_t);
    void *block = (void *)((first + alignment - 1) / alignment * alignment);
    ((size_t *)block)[-1] = size;
    return block;
}

/// Whether two functions are of one library, so that one understands the blocks of the other.
static int are_of_one_library(void *one, void *other) {
    Dl_info one_place, other_place;
    return one && other && dladdr(one, &one_place) && dladdr(other, &other_place)
        && one_place.dli_fbase == other_place.dli_fbase;
}

// The first to allocate is the dynamic linker, long before there is a second thread.
static void find_next(void) {
    if (__atomic_exchange_n(&is_looking, 1, __ATOMIC_ACQUIRE)) return;
    int reason = errno;
    prepare_counters();
#define FIND(name) next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name)
    FIND(malloc);
    FIND(calloc);
    FIND(realloc);
    FIND(free);
    FIND(posix_memalign);
    FIND(aligned_alloc);
    FIND(memalign);
    FIND(valloc);
    FIND(pvalloc);
    FIND(malloc_usable_size);
#undef FIND
    knows_sizes = are_of_one_library((void *)next.malloc, (void *)next.malloc_usable_size);
    __atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
    errno = reason;
}

static inline int ready(void) {
    if (__builtin_expect(__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE), 1)) return 1;
    find_next();
    return __atomic_load_n(&is_ready, __ATOMIC_ACQUIRE);
}

__attribute__((constructor)) static void begin(void) { ready(); }

int taskmeter_allocations_knows_sizes(void) { return ready() && knows_sizes; }

// MARK: - Counting

static inline size_t usable_size(void *block) {
    if (is_early(block)) return early_size(block);
    return __builtin_expect(knows_sizes, 1) ? next.malloc_usable_size(block) : 0;
}

// hot path: no allocation, no lock, no call that can block
static inline void *counted(void *block, int kind, size_t size) {
    if (!counts_now()) return block;
    struct counters *counters = counters_of_this_thread();
    if (__builtin_expect(!block, 0)) {
        add(counters, taskmeter_failures, 1);
        return NULL;
    }
    int64_t usable = (int64_t)usable_size(block);
    add(counters, kind, 1);
    add(counters, taskmeter_requested_bytes, (int64_t)size);
    add(counters, taskmeter_usable_bytes, usable);
    change_live_bytes(usable);
    return block;
}

// hot path: no allocation, no lock, no call that can block
static inline void count_free(int64_t usable) {
    if (!counts_now()) return;
    struct counters *counters = counters_of_this_thread();
    add(counters, taskmeter_frees, 1);
    add(counters, taskmeter_freed_bytes, usable);
    change_live_bytes(-usable);
}

static void *without_memory(void) {
    errno = ENOMEM;
    return NULL;
}

// MARK: - In place of the C library's

void *malloc(size_t size) {
    return counted(ready() ? next.malloc(size) : early_allocate(0, size), taskmeter_mallocs, size);
}

void *calloc(size_t number, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(number, size, &bytes)) return counted(without_memory(), taskmeter_callocs, 0);
    return counted(ready() ? next.calloc(number, size) : early_allocate(0, bytes), taskmeter_callocs, bytes);
}

// Counted before it is done: afterwards the memory may be another thread's already, and would be counted twice.
void free(void *block) {
    if (!block) return;
    count_free((int64_t)usable_size(block));
    if (!is_early(block)) next.free(block);
}

static void *moved_from_early(void *block, size_t size) {
    void *moved = ready() ? next.malloc(size) : early_allocate(0, size);
    if (moved) memcpy(moved, block, early_size(block) < size ? early_size(block) : size);
    return moved;
}

void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    int64_t before = (int64_t)usable_size(block);
    void *result = is_early(block) ? moved_from_early(block, size) : next.realloc(block, size);
    if (!counts_now()) return result;
    if (!result && size == 0) {
        count_free(before);
    } else if (!result) {
        counted(NULL, taskmeter_reallocations, size);
    } else {
        struct counters *counters = counters_of_this_thread();
        int64_t after = (int64_t)usable_size(result);
        add(counters, taskmeter_reallocations, 1);
        add(counters, taskmeter_requested_bytes, (int64_t)size);
        add(counters, taskmeter_usable_bytes, after);
        add(counters, taskmeter_freed_bytes, before);
        change_live_bytes(after - before);
    }
    return result;
}

// Not the next one: it calls realloc by name, and would be counted twice.
void *reallocarray(void *block, size_t number, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(number, size, &bytes)) return counted(without_memory(), taskmeter_reallocations, 0);
    return realloc(block, bytes);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = NULL;
    int failure;
    if (ready()) {
        failure = next.posix_memalign(&block, alignment, size);
    } else {
        block = early_allocate(alignment, size);
        failure = block ? 0 : ENOMEM;
    }
    if (failure == 0) *result = block;
    counted(failure == 0 ? block : NULL, taskmeter_aligned, size);
    return failure;
}

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = ready() ? next.aligned_alloc(alignment, size) : early_allocate(alignment, size);
    return counted(block, taskmeter_aligned, size);
}

void *memalign(size_t alignment, size_t size) {
    void *block = ready() ? next.memalign(alignment, size) : early_allocate(alignment, size);
    return counted(block, taskmeter_aligned, size);
}

// Nothing calls these before the next ones are known.
void *valloc(size_t size) { return counted(ready() ? next.valloc(size) : NULL, taskmeter_aligned, size); }

void *pvalloc(size_t size) { return counted(ready() ? next.pvalloc(size) : NULL, taskmeter_aligned, size); }

// C23's ways to free; they are the same block.
void free_sized(void *block, size_t size) {
    (void)size;
    free(block);
}

void free_aligned_sized(void *block, size_t alignment, size_t size) {
    (void)alignment;
    (void)size;
    free(block);
}

// Here only because the C library's own does not know the early blocks.
size_t malloc_usable_size(void *block) {
    if (!block) return 0;
    if (is_early(block)) return early_size(block);
    return ready() && next.malloc_usable_size ? next.malloc_usable_size(block) : 0;
}

#endif
