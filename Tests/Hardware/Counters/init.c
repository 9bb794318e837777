// The first and only program of an emulated machine whose processor counts: reads known work with the product's own C shim
// (Sources/CCounters), and says what was read, a line each, on the console:
//
//   reading NAME COUNT ENABLED RUNNING     what one counter counted between two reads, and the times that the kernel tells
//   fact NAME NUMBER                       anything else
//   refused NAME ERRNO                     an event that cannot be opened
//
// It judges nothing: that is done by RealCounterTests, which also puts the readings through the product's own scaling.
#include "CCounters.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

enum { words = CCOUNTERS_HEAD + 16 };

static void tell(const char *name, const uint64_t *from, const uint64_t *to, int member) {
    printf("reading %s %lu %lu %lu\n", name, to[CCOUNTERS_HEAD + member] - from[CCOUNTERS_HEAD + member], to[1] - from[1],
           to[2] - from[2]);
}

/// Opens a counter, or says why not.
static int opened(const char *name, uint32_t type, uint64_t event, unsigned flags) {
    int counter = ccounters_open(type, event, -1, flags);
    if (counter < 0) printf("refused %s %d\n", name, -counter);
    else if (ccounters_start(counter) != 0) printf("refused %s start\n", name);
    return counter;
}

typedef void work(uint64_t);
static void spin(uint64_t steps) { ccounters_spin(steps); }
static void guess(uint64_t steps) { ccounters_guess(steps); }
static void pages(uint64_t count) { ccounters_touch_pages((long)count); }
static void naps(uint64_t times) { ccounters_sleep((long)times); }
static void moves(uint64_t times) { printf("fact moved %ld\n", ccounters_move((long)times)); }
static void nothing(uint64_t none) { (void)none; }

/// What one counter counts of a piece of work that is done so many times, each on its own line.
static void count(const char *name, uint32_t type, uint64_t event, unsigned flags, work *body, uint64_t size, int times) {
    int counter = opened(name, type, event, flags);
    if (counter < 0) return;
    for (; times > 0; times--) {
        uint64_t from[words] = {0}, to[words] = {0};
        ccounters_read(counter, from, CCOUNTERS_HEAD + 1);
        body(size);
        ccounters_read(counter, to, CCOUNTERS_HEAD + 1);
        tell(name, from, to, 0);
    }
    close(counter);
}

static const struct { const char *name; uint64_t event; } hardware[] = {
    {"cycles", PERF_COUNT_HW_CPU_CYCLES}, {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_COUNT_HW_CACHE_REFERENCES}, {"cache-misses", PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS}, {"branch-misses", PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_COUNT_HW_BUS_CYCLES},
};

static void groups(void) {
    for (int size = 2; size <= 9; size++) {
        int members[16], open = 0, refusal = 0;
        for (; open < size; open++) {
            uint64_t event = open % 2 == 0 ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES;
            members[open] = ccounters_open(PERF_TYPE_HARDWARE, event, open == 0 ? -1 : members[0], CCOUNTERS_USER_ONLY);
            if (members[open] < 0) {
                refusal = -members[open];
                break;
            }
        }
        char name[32];
        snprintf(name, sizeof name, "group-of-%d", size);
        if (refusal != 0) printf("refused %s %d\n", name, refusal);
        else {
            uint64_t from[words] = {0}, to[words] = {0};
            ccounters_start(members[0]);
            ccounters_read(members[0], from, CCOUNTERS_HEAD + size);
            ccounters_spin(500000);
            ccounters_read(members[0], to, CCOUNTERS_HEAD + size);
            // Instructions at the even places.
            for (int member = 0; member < size; member += 2) tell(name, from, to, member);
        }
        while (open-- > 0) close(members[open]);
    }
}

/// More counters than the processor has, each in a group of its own: the kernel gives them turns.
static void turns(void) {
    enum { count = 10 };
    int counters[count];
    uint64_t from[count][words], to[words] = {0};
    for (int index = 0; index < count; index++) {
        counters[index] = opened("turns", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, CCOUNTERS_USER_ONLY);
    }
    for (int index = 0; index < count; index++) ccounters_read(counters[index], from[index], CCOUNTERS_HEAD + 1);
    ccounters_spin(50000000);
    for (int index = 0; index < count; index++) {
        ccounters_read(counters[index], to, CCOUNTERS_HEAD + 1);
        tell("turns", from[index], to, 0);
        close(counters[index]);
    }
}

static pthread_barrier_t gate;
static void *thread_work(void *nothing) {
    ccounters_spin(1000000);
    return nothing;
}
static void *early_thread(void *nothing) {
    pthread_barrier_wait(&gate);
    ccounters_spin(1000000);
    return nothing;
}
static void *own_counter(void *result) {
    int counter = opened("own", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, CCOUNTERS_USER_ONLY);
    uint64_t from[words] = {0}, to[words] = {0};
    ccounters_read(counter, from, CCOUNTERS_HEAD + 1);
    ccounters_spin(*(uint64_t *)result);
    ccounters_read(counter, to, CCOUNTERS_HEAD + 1);
    memcpy(result, (uint64_t[]){to[3] - from[3], to[1] - from[1], to[2] - from[2]}, 3 * sizeof(uint64_t));
    close(counter);
    return NULL;
}

/// A counter that is there before its threads, after its threads, and before a child process.
static void inheritance(const char *name, unsigned flags) {
    pthread_t early, threads[3];
    pthread_barrier_init(&gate, NULL, 2);
    pthread_create(&early, NULL, early_thread, NULL);
    int counter = opened(name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, CCOUNTERS_USER_ONLY | flags);
    if (counter < 0) return;
    uint64_t from[words] = {0}, to[words] = {0};
    char line[64];
    ccounters_read(counter, from, CCOUNTERS_HEAD + 1);
    for (int index = 0; index < 3; index++) pthread_create(&threads[index], NULL, thread_work, NULL);
    for (int index = 0; index < 3; index++) pthread_join(threads[index], NULL);
    ccounters_read(counter, to, CCOUNTERS_HEAD + 1);
    snprintf(line, sizeof line, "%s-later-threads", name);
    tell(line, from, to, 0);
    ccounters_read(counter, from, CCOUNTERS_HEAD + 1);
    pthread_barrier_wait(&gate);
    pthread_join(early, NULL);
    ccounters_read(counter, to, CCOUNTERS_HEAD + 1);
    snprintf(line, sizeof line, "%s-earlier-thread", name);
    tell(line, from, to, 0);
    ccounters_read(counter, from, CCOUNTERS_HEAD + 1);
    pid_t child = fork();
    if (child == 0) {
        ccounters_spin(1000000);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    ccounters_read(counter, to, CCOUNTERS_HEAD + 1);
    snprintf(line, sizeof line, "%s-child", name);
    tell(line, from, to, 0);
    close(counter);
}

static void each_thread_its_own(void) {
    uint64_t results[2][3] = {{500000}, {1500000}};
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, own_counter, results[index]);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    for (int index = 0; index < 2; index++) {
        printf("reading own-of-%d %lu %lu %lu\n", index + 1, results[index][0], results[index][1], results[index][2]);
    }
}

static long number_in(const char *path) {
    char text[32] = {0};
    int file = open(path, O_RDONLY);
    if (file < 0) return -1000;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    long number = -1000;
    return size > 0 && sscanf(text, "%ld", &number) == 1 ? number : -1000;
}

static void write_to(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0) return;
    ssize_t written = write(file, text, strlen(text));
    (void)written;
    close(file);
}

/// Runs the program that reads through PAPI, where it could be put here.
static void through_papi(const char *when) {
    pid_t child = fork();
    if (child == 0) {
        execl("/papi", "papi", when, NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("fact papi-%s-exit %d\n", when, WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
}

static void leave(void) {
    printf("end\n");
    sync();
    reboot(RB_POWER_OFF);
}

int main(void) {
    static const char paranoia[] = "/proc/sys/kernel/perf_event_paranoid";
    enum { user = CCOUNTERS_USER_ONLY, hw = PERF_TYPE_HARDWARE, sw = PERF_TYPE_SOFTWARE };
    setvbuf(stdout, NULL, _IONBF, 0);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
    printf("\nbegin\n");
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
        // Emulated processors share one count of instructions: what one does while another is interrupted is counted for both.
        // A machine with two is for moves between them, and nothing else.
        count("migrations-6", sw, PERF_COUNT_SW_CPU_MIGRATIONS, 0, moves, 6, 3);
        leave();
    }
    printf("fact paranoid %ld\n", number_in(paranoia));
    printf("fact try-instructions %d\n", ccounters_try_instructions());

    count("nothing", hw, PERF_COUNT_HW_INSTRUCTIONS, user, nothing, 0, 3);
    count("spin-500000", hw, PERF_COUNT_HW_INSTRUCTIONS, user, spin, 500000, 20);
    count("spin-1000000", hw, PERF_COUNT_HW_INSTRUCTIONS, user, spin, 1000000, 3);
    count("spin-1", hw, PERF_COUNT_HW_INSTRUCTIONS, user, spin, 1, 3);
    count("guess-100000", hw, PERF_COUNT_HW_INSTRUCTIONS, user, guess, 100000, 3);
    count("spin-500000-with-kernel", hw, PERF_COUNT_HW_INSTRUCTIONS, 0, spin, 500000, 3);
    for (unsigned index = 0; index < sizeof hardware / sizeof *hardware; index++) {
        count(hardware[index].name, hw, hardware[index].event, user, spin, 500000, 1);
    }
    groups();
    turns();
    inheritance("inherit", CCOUNTERS_INHERIT);
    inheritance("inherit-threads", CCOUNTERS_INHERIT_THREADS);
    inheritance("alone", 0);
    each_thread_its_own();
    count("faults-64", sw, PERF_COUNT_SW_PAGE_FAULTS, 0, pages, 64, 3);
    count("switches-10", sw, PERF_COUNT_SW_CONTEXT_SWITCHES, 0, naps, 10, 3);
    count("switches-user-only", sw, PERF_COUNT_SW_CONTEXT_SWITCHES, user, naps, 10, 1);
    through_papi("paranoid");
    write_to(paranoia, "2\n");
    printf("fact paranoid-lowered %ld\n", number_in(paranoia));
    through_papi("allowed");
    leave();
}
