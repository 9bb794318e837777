// Bodies that allocate a known number of times, each between two readings of the preloaded counter, if there is one.
//
// Prints lines “name value…”: what was counted, in the order of CAllocationHooks.h. What is right is up to the tests.
#define _GNU_SOURCE
#include "counts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int (*thread_counts)(int64_t *, int);
void (*process_counts)(int64_t *, int);
void (*reset_peak)(void);
void (*switch_counting)(int);

static void find(void) {
    thread_counts = (__typeof__(thread_counts))dlsym(RTLD_DEFAULT, "taskmeter_allocations_of_thread");
    process_counts = (__typeof__(process_counts))dlsym(RTLD_DEFAULT, "taskmeter_allocations_of_process");
    reset_peak = (__typeof__(reset_peak))dlsym(RTLD_DEFAULT, "taskmeter_allocations_reset_peak");
    switch_counting = (__typeof__(switch_counting))dlsym(RTLD_DEFAULT, "taskmeter_allocations_switch");
}

void print(const char *name, const int64_t *before, const int64_t *after, int count) {
    printf("%s", name);
    for (int value = 0; value < count; value++) printf(" %ld", (long)(after[value] - before[value]));
    printf("\n");
    fflush(stdout);
}

// Not by dlsym, which allocates the text of its error where there is no such function.
extern void taskmeter_allocations_of_process(int64_t *, int) __attribute__((weak));

// A whole process, for comparing with what others count of it: ends without any more calls.
static void run_total(void) {
    run_counted_alike();
    char text[256] = "";
    if (taskmeter_allocations_of_process) {
        int64_t counts[of_process];
        taskmeter_allocations_of_process(counts, of_process);
        snprintf(text, sizeof text, "total %ld %ld %ld\n", (long)(counts[0] + counts[1] + counts[2] + counts[3]),
                 (long)(counts[4] + counts[2]), (long)counts[6]);
    }
    ssize_t written = write(1, text, strlen(text));
    _exit(written < 0);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    long number = count > 2 ? atol(arguments[2]) : 0;
    if (strcmp(what, "total") == 0) run_total();
    find();
    if (!thread_counts) {
        printf("not preloaded\n");
        return 3;
    }
    if (strcmp(what, "bodies") == 0) run_bodies();
    else if (strcmp(what, "threads") == 0) run_threads(number);
    else if (strcmp(what, "thread-ends") == 0) run_thread_ends(number);
    else if (strcmp(what, "pool") == 0) run_pool(number);
    else if (strcmp(what, "peak") == 0) run_peak();
    else if (strcmp(what, "fork") == 0) run_fork(number);
    else if (strcmp(what, "limit") == 0) run_limit();
    else if (strcmp(what, "switch") == 0) run_switch();
    else {
        printf("this program is part of TaskMeter's tests, and of no use by itself\n");
        return 2;
    }
    return 0;
}
