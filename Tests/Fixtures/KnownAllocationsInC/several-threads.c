// Bodies of several threads, and of processes.
#define _GNU_SOURCE
#include "counts.h"

#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t all_there;

static void *allocate_many(void *number) {
    int64_t before[of_thread], after[of_thread];
    pthread_barrier_wait(&all_there);
    thread_counts(before, of_thread);
    for (long n = 0; n < (long)number; n++) {
        void *block = keep(malloc(24));
        block = keep(realloc(block, 48));
        free(block);
    }
    thread_counts(after, of_thread);
    int64_t *counts = malloc(sizeof after);
    for (int value = 0; value < of_thread; value++) counts[value] = after[value] - before[value];
    return counts;
}

// Four threads at once: what each of them counted, what the process counted while they lived and after they had ended.
void run_threads(long number) {
    enum { threads = 4 };
    pthread_t thread[threads];
    int64_t before[of_process], after[of_process], none[of_thread] = {0};
    pthread_barrier_init(&all_there, NULL, threads);
    process_counts(before, of_process);
    for (int n = 0; n < threads; n++) pthread_create(&thread[n], NULL, allocate_many, (void *)number);
    for (int n = 0; n < threads; n++) {
        void *counts;
        pthread_join(thread[n], &counts);
        print("thread", none, counts, of_thread);
        free(counts);
    }
    process_counts(after, of_process);
    print("process", before, after, of_thread);
}

static pthread_key_t key;

static void *end_with_data(void *unused) {
    // Given to the key's destructor, `free`, when the thread has ended but for that.
    pthread_setspecific(key, keep(malloc(100)));
    return unused;
}

static void allocate_at_end(void *block) {
    free(block);
    free(keep(malloc(50)));
}

// A thousand threads, one after the other, each of which allocates, and allocates and frees again at its very end; their stacks
// are the process's own, so that the C library has nothing to allocate for them but what it keeps for the next one.
void run_thread_ends(long number) {
    int64_t before[of_process], after[of_process];
    pthread_key_create(&key, allocate_at_end);
    for (int round = 0; round < 2; round++) {
        process_counts(before, of_process);
        for (long n = 0; n < number; n++) {
            pthread_t thread;
            pthread_create(&thread, NULL, end_with_data, NULL);
            pthread_join(thread, NULL);
        }
        process_counts(after, of_process);
    }
    print("ended", before, after, of_process);
}

static sem_t work, done;
static volatile int pool_ends;

static void *serve(void *unused) {
    while (1) {
        while (sem_wait(&work) != 0) {}
        if (pool_ends) return unused;
        void *block = keep(malloc(200));
        free(keep(calloc(2, 100)));
        free(block);
        sem_post(&done);
    }
}

// A pool of three threads that does so many pieces of work; in a window in which all of them have begun already.
void run_pool(long number) {
    enum { threads = 3 };
    pthread_t thread[threads];
    int64_t before[of_process], after[of_process];
    sem_init(&work, 0, 0);
    sem_init(&done, 0, 0);
    for (int n = 0; n < threads; n++) pthread_create(&thread[n], NULL, serve, NULL);
    process_counts(before, of_process);
    for (long n = 0; n < number; n++) sem_post(&work);
    for (long n = 0; n < number; n++) {
        while (sem_wait(&done) != 0) {}
    }
    process_counts(after, of_process);
    print("pool", before, after, of_thread);
    pool_ends = 1;
    for (int n = 0; n < threads; n++) sem_post(&work);
    for (int n = 0; n < threads; n++) pthread_join(thread[n], NULL);
}

// MARK: - Peak, fork, want of memory

static void *hold_a_megabyte(void *size) {
    pthread_barrier_wait(&all_there);
    void *block = malloc(1 << 20);
    *(long *)size = (long)malloc_usable_size(block);
    pthread_barrier_wait(&all_there);
    free(block);
    pthread_barrier_wait(&all_there);
    return NULL;
}

// Prints the peak above what was live before, what the blocks' own sizes make it, and what is left.
void run_peak(void) {
    int64_t before[of_process], after[of_process];
    for (int at_once = 1; at_once <= 3; at_once += 2) {
        void *blocks[3];
        long highest = 0, together = 0;
        reset_peak();
        process_counts(before, of_process);
        for (int n = 0; n < 3; n++) {
            blocks[n] = keep(malloc(1000000));
            long size = (long)malloc_usable_size(blocks[n]);
            together += size;
            if (size > highest) highest = size;
            if (at_once == 1) free(blocks[n]);
        }
        for (int n = 0; at_once == 3 && n < 3; n++) free(blocks[n]);
        process_counts(after, of_process);
        printf("peak-%d %ld %ld %ld\n", at_once, (long)(after[10] - before[9]), at_once == 3 ? together : highest,
               (long)(after[9] - before[9]));
    }
    // Two other threads, each with a megabyte at the same time as the other.
    pthread_t thread[2];
    long size[2];
    pthread_barrier_init(&all_there, NULL, 3);
    for (int n = 0; n < 2; n++) pthread_create(&thread[n], NULL, hold_a_megabyte, &size[n]);
    reset_peak();
    process_counts(before, of_process);
    for (int n = 0; n < 3; n++) pthread_barrier_wait(&all_there);
    process_counts(after, of_process);
    printf("peak-threads %ld %ld %ld\n", (long)(after[10] - before[9]), size[0] + size[1], (long)(after[9] - before[9]));
    for (int n = 0; n < 2; n++) pthread_join(thread[n], NULL);
}

static void *allocate_for_ever(void *unused) {
    while (1) free(keep(malloc(64)));
    return unused;
}

// Children of a process in which another thread allocates at the very moment of the fork.
void run_fork(long number) {
    pthread_t thread;
    pthread_create(&thread, NULL, allocate_for_ever, NULL);
    for (long n = 0; n < number; n++) {
        pid_t child = fork();
        if (child == 0) {
            int64_t before[of_process], after[of_process], own_before[of_thread], own_after[of_thread];
            process_counts(before, of_process);
            thread_counts(own_before, of_thread);
            for (int k = 0; k < 10; k++) free(keep(malloc(10)));
            thread_counts(own_after, of_thread);
            process_counts(after, of_process);
            int right = after[0] - before[0] == 10 && own_after[0] - own_before[0] == 10 && after[4] - before[4] == 10;
            // A thread of the child is one of its own.
            pthread_t other;
            pthread_barrier_init(&all_there, NULL, 1);
            if (pthread_create(&other, NULL, allocate_many, (void *)25) != 0) _exit(2);
            void *counts;
            pthread_join(other, &counts);
            right = right && ((int64_t *)counts)[0] == 25;
            _exit(right ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("child %ld ended with %d\n", n, status);
            return;
        }
    }
    printf("children %ld\n", number);
}
