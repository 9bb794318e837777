#define _GNU_SOURCE
#include "CCounters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int ccounters_open(uint32_t type, uint64_t config, int leader, unsigned flags) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.config = config;
    // A group counts when its leader does: only the leader is held still.
    attributes.disabled = leader < 0;
    attributes.exclude_kernel = (flags & CCOUNTERS_USER_ONLY) != 0;
    attributes.exclude_hv = (flags & CCOUNTERS_USER_ONLY) != 0;
    attributes.inherit = (flags & (CCOUNTERS_INHERIT | CCOUNTERS_INHERIT_THREADS)) != 0;
    attributes.inherit_thread = (flags & CCOUNTERS_INHERIT_THREADS) != 0;
    attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int ccounters_open_machine(uint32_t type, uint64_t config, int processor) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.config = config;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    long descriptor = syscall(SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int ccounters_start(int leader) {
    return ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0 ? 0 : errno;
}

int ccounters_stop(int leader) {
    return ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) == 0 ? 0 : errno;
}

int ccounters_read(int leader, uint64_t *words, int count) {
    ssize_t wanted = (ssize_t)count * (ssize_t)sizeof *words;
    ssize_t size;
    do {
        size = read(leader, words, (size_t)wanted);
    } while (size < 0 && errno == EINTR);
    if (size < 0) return errno;
    return size == wanted ? 0 : EIO;
}

_Thread_local uint64_t ccounters_thread_number;

uint64_t ccounters_number_thread(void) {
    static _Atomic uint64_t last;
    return ccounters_thread_number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

unsigned long ccounters_kernel_thread(void) { return (unsigned long)syscall(SYS_gettid); }

int ccounters_try_instructions(void) {
    enum { steps = 100000 };
    int descriptor = ccounters_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, -1, CCOUNTERS_USER_ONLY);
    if (descriptor < 0) return -descriptor;
    uint64_t words[CCOUNTERS_HEAD + 1] = {0};
    int reason = ccounters_start(descriptor);
    ccounters_spin(steps);
    if (reason == 0) reason = ccounters_read(descriptor, words, CCOUNTERS_HEAD + 1);
    close(descriptor);
    if (reason != 0) return reason;
    return words[CCOUNTERS_HEAD] < (uint64_t)steps * CCOUNTERS_SPIN_INSTRUCTIONS ? ENODATA : 0;
}
