#include "CHandOver.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct call {
    void (*function)(void *);
    void *argument;
};

struct hand_over {
    pthread_mutex_t mutex;
    pthread_cond_t arrived;
    pthread_t threads[2];
    struct call *ring;
    size_t capacity, head, count;
    int running, sleeping, closed;
};

static void *work(void *pointer) {
    struct hand_over *self = pointer;
    pthread_mutex_lock(&self->mutex);
    for (;;) {
        while (self->count == 0 && !self->closed) {
            self->sleeping++;
            pthread_cond_wait(&self->arrived, &self->mutex);
        }
        if (self->count == 0) break;
        struct call call = self->ring[self->head];
        self->head = (self->head + 1) & (self->capacity - 1);
        self->count--;
        pthread_mutex_unlock(&self->mutex);
        call.function(call.argument);
        pthread_mutex_lock(&self->mutex);
    }
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

struct hand_over *hand_over_start(int threads) {
    struct hand_over *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->capacity = 64;
    self->ring = malloc(self->capacity * sizeof *self->ring);
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->arrived, NULL);
    while (self->ring && self->running < threads && self->running < 2) {
        if (pthread_create(&self->threads[self->running], NULL, work, self) != 0) break;
        self->running++;
    }
    if (self->running == threads) return self;
    if (self->running > 0) {
        hand_over_stop(self);
        return NULL;
    }
    pthread_cond_destroy(&self->arrived);
    pthread_mutex_destroy(&self->mutex);
    free(self->ring);
    free(self);
    return NULL;
}

static int grow(struct hand_over *self) {
    struct call *ring = malloc(2 * self->capacity * sizeof *ring);
    if (!ring) return ENOMEM;
    for (size_t index = 0; index < self->count; index++)
        ring[index] = self->ring[(self->head + index) & (self->capacity - 1)];
    free(self->ring);
    self->ring = ring;
    self->capacity *= 2;
    self->head = 0;
    return 0;
}

int hand_over_submit(struct hand_over *self, void (*function)(void *), void *argument) {
    pthread_mutex_lock(&self->mutex);
    int refusal = self->count == self->capacity ? grow(self) : 0;
    if (refusal == 0) {
        self->ring[(self->head + self->count++) & (self->capacity - 1)] = (struct call){function, argument};
    }
    // Each sleeper is woken once, whatever comes before it runs.
    int sleeping = self->sleeping;
    if (sleeping) self->sleeping--;
    pthread_mutex_unlock(&self->mutex);
    if (sleeping) pthread_cond_signal(&self->arrived);
    return refusal;
}

void hand_over_stop(struct hand_over *self) {
    pthread_mutex_lock(&self->mutex);
    self->closed = 1;
    pthread_mutex_unlock(&self->mutex);
    pthread_cond_broadcast(&self->arrived);
    for (int index = 0; index < self->running; index++) pthread_join(self->threads[index], NULL);
    pthread_cond_destroy(&self->arrived);
    pthread_mutex_destroy(&self->mutex);
    free(self->ring);
    free(self);
}
