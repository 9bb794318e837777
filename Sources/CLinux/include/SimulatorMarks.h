// How a program that runs under valgrind speaks with it: a sequence of instructions that does nothing on a processor, and by
// which valgrind knows a request. Described in valgrind's manual, “The Client Request mechanism”, and in callgrind's, “Client
// requests”.
#ifndef SIMULATOR_MARKS_H
#define SIMULATOR_MARKS_H

#include <stdint.h>

enum clinux_simulator_request {
    /// How many valgrinds lie between the program and the processor.
    clinux_simulator_depth = 0x1001,
    /// Of the tool callgrind, “CT”: counts begin at zero.
    clinux_simulator_zero = 0x43540001,
    /// Writes what was counted since to a file, under a name, and begins at zero.
    clinux_simulator_dump = 0x43540003,
    /// Begins to simulate, for a program that was started without.
    clinux_simulator_start = 0x43540004,
};

/// Makes a request; 0 where nobody listens.
static inline uint64_t clinux_simulator_mark(enum clinux_simulator_request request, const void *argument) {
    volatile uint64_t words[6] = {request, (uint64_t)argument, 0, 0, 0, 0};
    uint64_t answer = 0;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                     : "=d"(answer)
                     : "a"(words), "0"(answer)
                     : "cc", "memory");
#elif defined(__aarch64__)
    register volatile uint64_t *place __asm__("x4") = words;
    register uint64_t result __asm__("x3") = answer;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
                     : "+r"(result)
                     : "r"(place)
                     : "cc", "memory");
    answer = result;
#endif
    return answer;
}

#endif
