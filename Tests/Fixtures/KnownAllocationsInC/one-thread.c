// Bodies of one thread.
#define _GNU_SOURCE
#include "counts.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void nothing(void) {}
static void mallocs_100(void) { for (int n = 0; n < 100; n++) free(keep(malloc(24))); }
static void left_7(void) { for (int n = 0; n < 7; n++) keep(malloc(1000)); }
static void calloc_3(void) { for (int n = 0; n < 3; n++) free(keep(calloc(10, 7))); }
static void of_no_bytes(void) { free(keep(malloc(0))); }
static void free_of_none(void) { for (int n = 0; n < 5; n++) free(NULL); }
static void realloc_of_none(void) { free(keep(realloc(NULL, 40))); }
static void realloc_to_none(void) { keep(realloc(keep(malloc(40)), 0)); }

static void realloc_grows(void) {
    void *block = keep(malloc(16));
    for (size_t size = 32; size <= 1 << 20; size *= 2) block = keep(realloc(block, size));
    free(block);
}

static void realloc_shrinks(void) { free(keep(realloc(keep(malloc(4000)), 40))); }
static void realloc_same(void) { free(keep(realloc(keep(malloc(40)), 40))); }

static void reallocarrays(void) {
    void *block = keep(reallocarray(NULL, 10, 10));
    free(keep(reallocarray(block, 100, 100)));
}

static void aligned_7(void) {
    void *block = NULL;
    if (posix_memalign(&block, 64, 100) == 0) free(keep(block));
    free(keep(aligned_alloc(4096, 8192)));
    free(keep(memalign(256, 10)));
    free(keep(valloc(10)));
    free(keep(pvalloc(10)));
    for (int n = 0; n < 2; n++) free(keep(aligned_alloc(32, 32)));
}

static void refused(void) {
    volatile size_t huge = SIZE_MAX / 2;
    volatile size_t three = 3;
    if (keep(calloc(huge, three))) abort();
    if (errno != ENOMEM) abort();
    if (keep(malloc(huge + 100))) abort();
    void *block = keep(malloc(10));
    if (keep(reallocarray(block, huge, three))) abort();
    if (keep(realloc(block, huge + 100))) abort();
    void *other = &other;
    if (posix_memalign(&other, three, 10) != EINVAL || other != &other) abort();
    free(block);
}

// What the C library allocates on behalf of its caller: one by strdup(3), one by asprintf(3), which may resize it.
static void by_the_library(void) { free(keep(strdup("a text of its own"))); }

// The first ones are those of which others count the same. valgrind counts what was refused too, and rounds some sizes.
enum { counted_alike = 11 };
static const struct {
    const char *name;
    void (*body)(void);
} bodies[] = {
    {"empty", nothing},
    {"mallocs-100", mallocs_100},
    {"left-7", left_7},
    {"calloc-3", calloc_3},
    {"malloc-0", of_no_bytes},
    {"free-null", free_of_none},
    {"realloc-null", realloc_of_none},
    {"realloc-grows", realloc_grows},
    {"realloc-shrinks", realloc_shrinks},
    {"realloc-same", realloc_same},
    {"strdup", by_the_library},
    {"realloc-to-0", realloc_to_none},
    {"reallocarray", reallocarrays},
    {"aligned-7", aligned_7},
    {"refused", refused},
    {"empty", nothing},
};

void run_bodies(void) {
    for (size_t index = 0; index < sizeof bodies / sizeof *bodies; index++) {
        int64_t before[of_thread], after[of_thread];
        thread_counts(before, of_thread);
        bodies[index].body();
        thread_counts(after, of_thread);
        print(bodies[index].name, before, after, of_thread);
    }
    // Usable bytes are those that the C library tells of the very block.
    int64_t before[of_thread], after[of_thread];
    thread_counts(before, of_thread);
    void *block = keep(malloc(100));
    thread_counts(after, of_thread);
    printf("usable %ld %ld\n", (long)(after[7] - before[7]), (long)malloc_usable_size(block));
    free(block);
}

void run_counted_alike(void) {
    for (size_t index = 0; index < counted_alike; index++) bodies[index].body();
}

// Nothing more than this much of addresses: what is asked for beyond is refused, and counted as that.
void run_limit(void) {
    struct rlimit limit = {256 << 20, 256 << 20};
    int64_t before[of_thread], after[of_thread];
    setrlimit(RLIMIT_AS, &limit);
    thread_counts(before, of_thread);
    int had = 0, refused = 0;
    for (int n = 0; n < 100; n++) {
        if (keep(malloc(16 << 20))) had++;
        else refused++;
    }
    thread_counts(after, of_thread);
    print("limit", before, after, of_thread);
    printf("had %d %d\n", had, refused);
}

void run_switch(void) {
    int64_t before[of_thread], after[of_thread];
    thread_counts(before, of_thread);
    free(keep(malloc(10)));
    switch_counting(0);
    for (int n = 0; n < 5; n++) free(keep(malloc(10)));
    switch_counting(1);
    free(keep(malloc(10)));
    thread_counts(after, of_thread);
    print("switch", before, after, of_thread);
}
