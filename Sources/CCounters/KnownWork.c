#define _GNU_SOURCE
#include "CCounters.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// In the processor's own language where it is known here: a compiler may unroll a loop, or leave it out.

void ccounters_spin(uint64_t steps) {
    if (steps == 0) return;
#if defined(__x86_64__)
    __asm__ volatile("1: decq %0\n jnz 1b" : "+r"(steps) : : "cc");
#elif defined(__aarch64__)
    __asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(steps) : : "cc");
#else
    while (steps-- > 0) __asm__ volatile("");
#endif
}

void ccounters_guess(uint64_t steps) {
    // Marsaglia's xorshift: its bits look like a coin's.
    uint64_t state = 88172645463325252u;
    for (; steps > 0; steps--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
#if defined(__x86_64__)
        __asm__ volatile("testb $1, %b0\n jz 1f\n nop\n 1:" : : "r"(state) : "cc");
#elif defined(__aarch64__)
        __asm__ volatile("tbz %0, #0, 1f\n nop\n 1:" : : "r"(state) : "cc");
#else
        if (state & 1) __asm__ volatile("" : : "r"(state) : "memory");
#endif
    }
}

void ccounters_multiply(uint64_t steps) {
    volatile double seed = 1.0000001;
    double value = seed, factor = seed;
    for (; steps > 0; steps--) {
        value = value * factor + 1e-9;
        __asm__ volatile("" : : : "memory");
    }
    seed = value;
}

/// New memory that is given page by page: a huge page would be one fault.
static unsigned char *new_memory(uint64_t bytes) {
    unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    // Refused by kernels without huge pages, which give single ones anyway.
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    return memory;
}

int ccounters_walk(uint64_t bytes) {
    uint64_t lines = bytes / 64;
    if (lines == 0) return EINVAL;
    volatile unsigned char *memory = new_memory(bytes);
    if (memory == NULL) return errno;
    // An odd multiplier visits every line of a power of two once, and no two neighbours one after the other.
    uint64_t power = 1;
    while (power * 2 <= lines) power *= 2;
    for (int round = 0; round < 2; round++) {
        for (uint64_t step = 0; step < power; step++) memory[(step * 7919 & (power - 1)) * 64]++;
    }
    munmap((void *)memory, bytes);
    return 0;
}

int ccounters_touch_pages(long pages) {
    long size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return EINVAL;
    volatile unsigned char *memory = new_memory((uint64_t)(pages * size));
    if (memory == NULL) return errno;
    for (long page = 0; page < pages; page++) memory[page * size] = 1;
    munmap((void *)memory, (size_t)(pages * size));
    return 0;
}

void ccounters_sleep(long times) {
    for (; times > 0; times--) {
        // So long that the timer cannot have ended before the kernel has let go of the processor.
        struct timespec moment = {0, 100000};
        nanosleep(&moment, NULL);
    }
}

long ccounters_move(long times) {
    // Large enough for any kernel: the C library's cpu_set_t ends at 1,024 processors.
    unsigned char before[1024] = {0};
    long size = syscall(SYS_sched_getaffinity, 0, sizeof before, before);
    long places[2];
    int found = 0;
    for (long number = 0; number < size * 8 && found < 2; number++) {
        if (before[number / 8] >> number % 8 & 1) places[found++] = number;
    }
    if (found < 2) return 0;
    long moved = 0;
    unsigned here = 0;
    syscall(SYS_getcpu, &here, NULL, NULL);
    int next = (long)here == places[0];
    for (; times > 0; times--, next = !next) {
        unsigned char one[sizeof before] = {0};
        one[places[next] / 8] = (unsigned char)(1 << places[next] % 8);
        unsigned previous = here;
        if (syscall(SYS_sched_setaffinity, 0, sizeof one, one) != 0) break;
        syscall(SYS_getcpu, &here, NULL, NULL);
        moved += here != previous;
    }
    syscall(SYS_sched_setaffinity, 0, sizeof before, before);
    return moved;
}
