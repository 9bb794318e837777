// Captures of stacks whose signal is late, while an older capture's answer arrives.
#ifndef CLATEANSWERS_H
#define CLATEANSWERS_H

/// What is left of a capture that an older one's answer ended.
struct clate_answers {
    /// What taking the signal gave: 0, or an errno.
    int refusal;
    /// What the captures gave: errnos.
    int first, second;
    /// Whether the thread's handler, which runs only after the first capture, then wrote a copy.
    int wrote_late;
};

/// Asks the calling thread for its stack, by a signal that comes only when the capture is over, and twice.
struct clate_answers clate_answers_run(void);

#endif
