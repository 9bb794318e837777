// The barest way to hand work to a thread: a ring behind a mutex, and a condition variable to sleep on. What a hand-over
// costs here is what one written in Swift is held against.
#ifndef HAND_OVER_H
#define HAND_OVER_H

struct hand_over;

/// Starts the threads, one or two. NULL when the system refuses them, or memory.
struct hand_over *hand_over_start(int threads);

/// Hands over a call; the thread makes them one after another, in order. Returns 0, or an errno. Any thread may call it.
int hand_over_submit(struct hand_over *hand_over, void (*call)(void *), void *argument);

/// Lets the thread make the calls that it was handed, waits for its end, and frees everything.
void hand_over_stop(struct hand_over *hand_over);

#endif
