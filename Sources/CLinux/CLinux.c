#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

static int has_same_name(const char *variable, const char *other) {
    const char *end = strchr(variable, '=');
    return end && strncmp(variable, other, (size_t)(end - variable) + 1) == 0;
}

// The caller's variables that have no other value among `changes`, and then these. The strings are not copied.
// NULL when there is no memory; the caller frees the array.
static char **changed_environment(char *const *changes) {
    size_t own = 0, changed = 0;
    while (environ && environ[own]) own++;
    while (changes[changed]) changed++;
    char **variables = malloc((own + changed + 1) * sizeof *variables);
    if (!variables) return NULL;
    size_t count = 0;
    for (size_t index = 0; index < own; index++) {
        size_t other = 0;
        while (other < changed && !has_same_name(changes[other], environ[index])) other++;
        if (other == changed) variables[count++] = environ[index];
    }
    memcpy(variables + count, changes, changed * sizeof *variables);
    variables[count + changed] = NULL;
    return variables;
}

// Between fork and exec only async-signal-safe calls are made: the parent may have other threads.
static void run_child(const char *path, char *const arguments[], char *const environment[],
                      const struct clinux_spawn_options *options, pid_t parent, int failure) {
    if (options->own_group) setpgid(0, 0);
    if (options->signal_at_parent_death) {
        prctl(PR_SET_PDEATHSIG, options->signal_at_parent_death);
        // The parent may have ended before the request was in place: then no signal will ever come.
        if (getppid() != parent) _exit(127);
    }

    // Signals that the parent blocked or handles must reach the child in their default way.
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    // Copies above every target first, so that no target overwrites a source.
    int sources[4] = {options->standard_input, options->standard_output, options->standard_error, options->fourth};
    for (int index = 0; index < 4; index++) {
        if (sources[index] >= 0) sources[index] = fcntl(sources[index], F_DUPFD, 16);
    }
    failure = fcntl(failure, F_DUPFD_CLOEXEC, 16);
    for (int index = 0; index < 4; index++) {
        if (sources[index] >= 0) dup2(sources[index], index);
    }
    int first = options->fourth >= 0 ? 4 : 3;
    if (failure > first) syscall(SYS_close_range, first, failure - 1, 0);
    syscall(SYS_close_range, failure + 1, ~0U, 0);

    execve(path, arguments, environment);
    int reason = errno;
    ssize_t written = write(failure, &reason, sizeof reason);
    (void)written;
    _exit(127);
}

pid_t clinux_spawn(const char *path, char *const arguments[], const struct clinux_spawn_options *options) {
    char **changed = options->environment ? changed_environment(options->environment) : NULL;
    if (options->environment && !changed) return -ENOMEM;
    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0) {
        int reason = errno;
        free(changed);
        return -reason;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        int reason = errno;
        close(failure[0]);
        close(failure[1]);
        free(changed);
        return -reason;
    }
    if (child == 0) run_child(path, arguments, changed ? changed : environ, options, parent, failure[1]);

    free(changed);
    close(failure[1]);
    if (options->own_group) setpgid(child, child);
    int reason = 0;
    ssize_t count;
    do count = read(failure[0], &reason, sizeof reason);
    while (count < 0 && errno == EINTR);
    close(failure[0]);
    if (count != sizeof reason) return child;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return -reason;
}

struct clinux_option_answer clinux_next_option(int first, int argc, char *const argv[], const char *short_options,
                                               const struct option *long_options) {
    if (first) optind = 0;
    opterr = 0;
    struct clinux_option_answer answer = {0};
    answer.value = getopt_long(argc, argv, short_options, long_options, NULL);
    answer.argument = optarg;
    answer.next = optind;
    answer.offending = optopt;
    return answer;
}

int clinux_receive_signals(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) return -failure;
    int descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

void clinux_release_signals(int descriptor) {
    close(descriptor);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

int clinux_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    return read(descriptor, &information, sizeof information) == sizeof information ? (int)information.ssi_signo : 0;
}

int clinux_open_pid(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int clinux_hold_signal(int number) {
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, number);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    return sigismember(&before, number);
}

void clinux_release_signal(int number, int was_held) {
    if (was_held) return;
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, number);
    struct timespec now = {0, 0};
    while (sigtimedwait(&held, NULL, &now) == number) {}
    pthread_sigmask(SIG_UNBLOCK, &held, NULL);
}

_Thread_local uint64_t clinux_worker;

void clinux_sharpen_timers(void) { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

int clinux_open_timer(int64_t first, int64_t interval) {
    int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    if (descriptor < 0) return -errno;
    const int64_t second = 1000000000;
    struct itimerspec times = {
        .it_value = {.tv_sec = first / second, .tv_nsec = first % second},
        .it_interval = {.tv_sec = interval / second, .tv_nsec = interval % second},
    };
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &times, NULL) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    return -error;
}

int clinux_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int clinux_has_capabilities(const char *path) { return getxattr(path, "security.capability", NULL, 0) > 0; }

// Larger than cpu_set_t, which ends at 1,024 processors and makes the call fail where there are more.
enum { processor_set_size = 8192 };

int clinux_usable_processors(void) {
    unsigned char set[processor_set_size];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
    if (size < 0) return -1;
    int count = 0;
    for (long index = 0; index < size; index++) count += __builtin_popcount(set[index]);
    return count;
}

int clinux_usable_processor(int index) {
    unsigned char set[processor_set_size];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
    for (long number = 0; number < size * 8; number++) {
        if ((set[number / 8] >> number % 8 & 1) && index-- == 0) return (int)number;
    }
    return -1;
}

int clinux_pin_thread(int processor) {
    if (processor < 0 || processor >= processor_set_size * 8) return EINVAL;
    unsigned char set[processor_set_size] = {0};
    set[processor / 8] = (unsigned char)(1 << processor % 8);
    return syscall(SYS_sched_setaffinity, 0, sizeof set, set) == 0 ? 0 : errno;
}

_Static_assert(clinux_readable == (int)EPOLLIN && clinux_writable == (int)EPOLLOUT && clinux_broken == (int)EPOLLERR &&
                   clinux_hung_up == (int)EPOLLHUP,
               "the kernel's own numbers");

int clinux_open_watch(void) {
    int watch = epoll_create1(EPOLL_CLOEXEC);
    return watch < 0 ? -errno : watch;
}

int clinux_watch(int watch, int descriptor, uint32_t what, int is_known) {
    struct epoll_event event = {.events = what, .data.fd = descriptor};
    int operation = what == 0 ? EPOLL_CTL_DEL : is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    return epoll_ctl(watch, operation, descriptor, &event) == 0 ? 0 : -errno;
}

int clinux_wait_for_events(int watch, struct clinux_event *events, int most, int64_t nanoseconds) {
    enum { capacity = 64 };
    struct epoll_event found[capacity];
    if (most > capacity) most = capacity;
    const int64_t second = 1000000000;
    struct timespec limit = {.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
    int count = epoll_pwait2(watch, found, most, nanoseconds < 0 ? NULL : &limit, NULL);
    // A kernel before 5.11, or a filter of calls that does not know this one, waits for whole milliseconds: rounded down, so that the last part of one is asked over and over.
    if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
        int64_t milliseconds = nanoseconds / 1000000;
        count = epoll_wait(watch, found, most, nanoseconds < 0 ? -1 : milliseconds > INT32_MAX ? INT32_MAX : (int)milliseconds);
    }
    for (int index = 0; index < count; index++) {
        events[index] = (struct clinux_event){.descriptor = found[index].data.fd, .what = found[index].events};
    }
    return count < 0 ? -errno : count;
}

int clinux_open_bell(void) {
    int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell < 0 ? -errno : bell;
}
