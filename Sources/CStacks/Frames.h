#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "CStacks.h"

// Registers by the numbers that call-frame information gives them (System V ABI for x86-64, DWARF for the Arm 64-bit
// architecture).
#if defined(__x86_64__)
enum { frame_register = 6, stack_register = 7, return_register = 16, register_count = 17 };
#else
enum { frame_register = 29, stack_register = 31, return_register = 30, register_count = 32 };
#endif

enum { cstacks_copy_size = 64 * 1024 };

/// What an interrupted thread leaves behind: its registers, and the newest part of its stack, which grows downwards.
struct cstacks_copy {
    uint64_t program_counter;
    uint64_t registers[register_count];
    size_t size;
    unsigned char bytes[cstacks_copy_size];
};

/// A place in the chain of calls: where a function goes on, and the registers as it will find them.
struct cstacks_frame {
    uint64_t program_counter;
    uint64_t registers[register_count];
};

/// Takes the registers from a signal handler's context. Safe in a signal handler. Returns 0, or ENOSYS.
int cstacks_read_registers(const void *context, struct cstacks_copy *copy);

/// Follows the frames of a copied stack. Touches no stack but the copy.
void cstacks_follow_frames(const struct cstacks_copy *copy, struct cstacks_stack *stack);

/// A word of the stack, where the copy holds it; else 0 is returned.
int cstacks_read_word(const struct cstacks_copy *copy, uint64_t place, uint64_t *word);

enum cstacks_step { step_done, step_last, step_unknown, step_beyond_copy };

/// Goes to the caller of a frame by the call-frame information of its code (`.eh_frame`), which tells for every
/// instruction where the caller's registers are. `step_unknown` where there is none, or it says something that this
/// does not understand.
enum cstacks_step cstacks_step_by_call_frame_information(const struct cstacks_copy *copy, struct cstacks_frame *frame,
                                                         int is_innermost);

#endif
