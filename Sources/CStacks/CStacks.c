#define _GNU_SOURCE
#include "CStacks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "Frames.h"

// How a capture goes, with the values of `turn`:
//
//   idle ── asker ──▶ a thread's number ── that thread's handler ──▶ writing ── handler ──▶ written ── asker ──▶ idle
//                            └───── asker, who waited long enough ──▶ idle
//
// The handler writes only after it has exchanged its own number for `writing`, and the asker asks only from `idle`:
// so a handler that comes too late finds another value, and touches nothing.
enum { turn_idle = 0, turn_writing = -1, turn_written = -2 };

static _Atomic int turn = turn_idle;
static struct cstacks_copy copy;
static int copy_failure;
static sem_t answer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static _Atomic int taken_signal;

pid_t cstacks_own_thread(void) { return (pid_t)syscall(SYS_gettid); }

int cstacks_has_ended(pid_t thread) { return syscall(SYS_tgkill, getpid(), thread, 0) != 0 && errno == ESRCH; }

// Runs on the interrupted thread, wherever that is: no call but system calls and sem_post (signal-safety(7)), no
// memory but its own and what is reserved above. The stack is read by the kernel, which answers an address that is
// not there by an error.
static void copy_own_stack(int number, siginfo_t *information, void *context) {
    (void)number;
    (void)information;
    int before = errno;
    int expected = (int)syscall(SYS_gettid);
    if (atomic_compare_exchange_strong(&turn, &expected, turn_writing)) {
        copy_failure = cstacks_read_registers(context, &copy);
        copy.size = 0;
        // By pages: the stack may end within what is asked for, and then the kernel copies whole pieces only.
        while (copy_failure == 0 && copy.size < cstacks_copy_size) {
            uint64_t place = copy.registers[stack_register] + copy.size;
            size_t rest = 4096 - place % 4096;
            if (rest > cstacks_copy_size - copy.size) rest = cstacks_copy_size - copy.size;
            struct iovec own = {copy.bytes + copy.size, rest};
            struct iovec stack = {(void *)(uintptr_t)place, rest};
            // As longs: syscall(2) takes them for such, and its last argument lies on the stack.
            ssize_t count = syscall(SYS_process_vm_readv, (long)getpid(), &own, 1L, &stack, 1L, 0L);
            if (count <= 0) {
                if (copy.size == 0) copy_failure = count < 0 ? errno : EFAULT;
                break;
            }
            copy.size += (size_t)count;
        }
        atomic_store(&turn, turn_written);
        sem_post(&answer);
    }
    errno = before;
}

// Whether a thread blocks a signal, so that it would never answer.
static int blocks_signal(pid_t thread, int number) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return 0;
    text[size] = 0;
    const char *line = strstr(text, "\nSigBlk:");
    return line && (strtoull(line + 8, NULL, 16) >> (number - 1) & 1);
}

int cstacks_take_signal(void) {
    int failure = 0;
    pthread_mutex_lock(&lock);
    if (users == 0) {
        taken_signal = 0;
        // From the last one down: libraries that take realtime signals mostly begin at the first. Who reads a signal
        // (signalfd, sigwait) handles it as well; they block it in all threads, so also in the first.
        for (int number = SIGRTMAX; number >= SIGRTMIN && !taken_signal; number--) {
            struct sigaction current;
            if (sigaction(number, NULL, &current) == 0 && !(current.sa_flags & SA_SIGINFO) &&
                current.sa_handler == SIG_DFL && !blocks_signal(getpid(), number))
                taken_signal = number;
        }
        if (taken_signal) {
            static int has_semaphore;
            if (!has_semaphore) has_semaphore = sem_init(&answer, 0, 0) == 0;
            struct sigaction own = {.sa_sigaction = copy_own_stack, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
            // Nothing else may interrupt the handler: it is short, and its alternate stack may be small.
            sigfillset(&own.sa_mask);
            if (sigaction(taken_signal, &own, NULL) != 0) failure = errno;
        } else {
            failure = EBUSY;
        }
    }
    if (failure == 0) users++;
    pthread_mutex_unlock(&lock);
    return failure;
}

void cstacks_give_back(void) {
    pthread_mutex_lock(&lock);
    if (users > 0 && --users == 0) {
        struct sigaction current;
        // Whoever put a handler of their own there since keeps it.
        if (sigaction(taken_signal, NULL, &current) == 0 && current.sa_sigaction == copy_own_stack) {
            // A thread that blocks the signal may still have one waiting, which would end the process by default: the
            // kernel throws away what waits when a signal becomes ignored (sigaction(2)).
            signal(taken_signal, SIG_IGN);
            signal(taken_signal, SIG_DFL);
        }
        taken_signal = 0;
    }
    pthread_mutex_unlock(&lock);
}

void cstacks_allow_capture(void) {
    int number = atomic_load(&taken_signal);
    if (!number) return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static int wait_for_answer(int64_t most_nanoseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    int64_t nanoseconds = deadline.tv_nsec + most_nanoseconds % 1000000000;
    deadline.tv_sec += most_nanoseconds / 1000000000 + nanoseconds / 1000000000;
    deadline.tv_nsec = nanoseconds % 1000000000;
    int result;
    do result = sem_clockwait(&answer, CLOCK_MONOTONIC, &deadline);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

// Takes back what a thread was asked for. Returns whether its handler had not begun, and never will.
static int take_back(pid_t thread) {
    int expected = thread;
    return atomic_compare_exchange_strong(&turn, &expected, turn_idle);
}

static int capture(pid_t thread, int64_t most_nanoseconds, struct cstacks_stack *stack) {
    if (users == 0) return EBUSY;
    if (blocks_signal(thread, taken_signal)) return EPERM;
    // A handler that was cut off while it wrote has come to its end since, or it has not.
    if (atomic_load(&turn) == turn_written) atomic_store(&turn, turn_idle);
    while (sem_trywait(&answer) == 0) {}
    int idle = turn_idle;
    if (!atomic_compare_exchange_strong(&turn, &idle, thread)) return EBUSY;
    if (syscall(SYS_tgkill, getpid(), thread, taken_signal) != 0) {
        int failure = errno;
        // An older signal may have brought the thread here nevertheless.
        take_back(thread);
        return failure;
    }
    if (!wait_for_answer(most_nanoseconds)) {
        if (take_back(thread)) return ETIMEDOUT;
        // It writes just now.
        if (!wait_for_answer(most_nanoseconds)) return ETIMEDOUT;
    }
    // What makes the handler's copy visible here, and not the semaphore: a post may be an older capture's.
    if (atomic_load(&turn) != turn_written) {
        take_back(thread);
        return EBUSY;
    }
    int failure = copy_failure;
    if (failure == 0) cstacks_follow_frames(&copy, stack);
    atomic_store(&turn, turn_idle);
    return failure;
}

int cstacks_capture(pid_t thread, int64_t most_nanoseconds, struct cstacks_stack *stack) {
    stack->count = 0;
    stack->is_truncated = 0;
    pthread_mutex_lock(&lock);
    int failure = capture(thread, most_nanoseconds, stack);
    pthread_mutex_unlock(&lock);
    return failure;
}
