// How a program that runs under the emulator QEMU speaks with the plugin that counts there (see CInstructionPlugin).
//
// A mark is a system call whose number no kernel has. Natively it answers ENOSYS and nothing else happens. Under the
// emulator the plugin is told of every system call before it is made, and writes its answer into the caller's memory:
// no file, no second channel, and not one instruction of the program between two marks but its own.
#ifndef EXACT_MARKS_H
#define EXACT_MARKS_H

#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <unistd.h>
#endif

enum {
    /// The system call's number: “task” in ASCII. Linux numbers its calls from 0 and has some five hundred.
    clinux_exact_call = 0x7461736b,
    /// The first argument of every mark, so that a stray call with that number is no mark.
    clinux_exact_key = 0x6d657465,
    /// What marks and answers look like; plugin and program must agree on it.
    clinux_exact_version = 2,
    /// The most functions whose calls can be counted.
    clinux_exact_functions = 24,
};

enum clinux_exact_operation {
    /// Asks who is there; the argument is a `clinux_exact_hello`.
    clinux_exact_greet = 1,
    /// Asks to count the calls of one more function; the argument is a `clinux_exact_function`.
    clinux_exact_watch = 2,
    /// Asks for what was counted until now; the argument is a `clinux_exact_counts`.
    clinux_exact_read = 3,
    /// The same of the calling thread alone, which takes a share of the time where there are many threads; everything else in the
    /// answer is zero.
    clinux_exact_read_thread = 4,
};

/// The answer to `clinux_exact_greet`; all zero before.
struct clinux_exact_hello {
    /// `clinux_exact_version` of the plugin.
    uint32_t version;
    /// Whether threads may run at once and are counted apart (see `threads` in the plugin).
    uint32_t counts_threads_apart;
    /// Whether the plugin knows this processor's branches.
    uint32_t knows_branches;
    /// The version of the emulator's interface to plugins.
    uint32_t interface;
};

/// A function whose calls shall be counted, and the answer to `clinux_exact_watch`.
struct clinux_exact_function {
    uint64_t address;
    /// Its place among the counts; -1 before, and when there is no place left.
    int64_t place;
};

/// What was counted since the program's start. Two of them subtract.
struct clinux_exact_counts {
    /// Of the calling thread alone; of the whole process where threads are not counted apart.
    uint64_t thread_instructions;
    uint64_t thread_branches;
    uint64_t process_instructions;
    uint64_t process_branches;
    /// How often a thread went on to run while another one ran. Where threads are not counted apart, some
    /// counts may have been lost then.
    uint64_t overlaps;
    /// How often another thread ran than the one before.
    uint64_t switches;
    /// Other threads that run at this moment.
    uint64_t others_running;
    /// Not zero when the plugin's tables were too small: then nothing above is right.
    uint64_t overflows;
    /// Entries into watched functions, in the order in which they were asked for.
    uint64_t thread_calls[clinux_exact_functions];
    uint64_t process_calls[clinux_exact_functions];
};

/// Makes a mark. The few instructions around the system call are the same every time, so that two marks with nothing
/// between them tell what they cost.
static inline long clinux_mark_exact(enum clinux_exact_operation operation, void *argument) {
#if defined(__x86_64__)
    long answer = clinux_exact_call;
    __asm__ volatile("syscall"
                     : "+a"(answer)
                     : "D"((long)clinux_exact_key), "S"((long)operation), "d"(argument)
                     : "rcx", "r11", "memory");
    return answer;
#elif defined(__aarch64__)
    register long number __asm__("x8") = clinux_exact_call;
    register long answer __asm__("x0") = clinux_exact_key;
    register long second __asm__("x1") = operation;
    register void *third __asm__("x2") = argument;
    __asm__ volatile("svc #0" : "+r"(answer) : "r"(number), "r"(second), "r"(third) : "memory");
    return answer;
#else
    return syscall(clinux_exact_call, (long)clinux_exact_key, (long)operation, argument);
#endif
}

/// Instructions that a round of `clinux_exact_loop` executes, one branch among them; 0 where they are not known.
static inline uint64_t clinux_exact_loop_instructions(void) {
#if defined(__x86_64__) || defined(__aarch64__)
    return 5;
#else
    return 0;
#endif
}

/// Executes exactly five instructions a round, of which there is at least one; the last of them is a branch. What the
/// counting is proved with.
static inline void clinux_exact_loop(uint64_t rounds) {
#if defined(__x86_64__)
    uint64_t sum = 0;
    __asm__ volatile("1: addq $3, %1\n\tnop\n\tnop\n\tdecq %0\n\tjnz 1b" : "+r"(rounds), "+r"(sum) : : "cc");
#elif defined(__aarch64__)
    uint64_t sum = 0;
    __asm__ volatile("1: add %1, %1, #3\n\tnop\n\tnop\n\tsubs %0, %0, #1\n\tb.ne 1b"
                     : "+r"(rounds), "+r"(sum)
                     :
                     : "cc");
#else
    (void)rounds;
#endif
}

#endif
