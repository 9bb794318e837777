#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "CStacks.h"

enum { cstacks_copy_size = 64 * 1024 };

/// What an interrupted thread leaves behind: where it was, and the newest part of its stack, which grows downwards.
struct cstacks_copy {
    uint64_t program_counter;
    uint64_t stack_pointer;
    uint64_t frame_pointer;
    /// Where the function that was interrupted returns to, on processors that keep it in a register; else 0.
    uint64_t link;
    size_t size;
    unsigned char bytes[cstacks_copy_size];
};

/// Takes the registers from a signal handler's context. Safe in a signal handler. Returns 0, or ENOSYS.
int cstacks_read_registers(const void *context, struct cstacks_copy *copy);

/// Follows the frame pointers of a copied stack. Touches nothing outside of the copy.
void cstacks_follow_frames(const struct cstacks_copy *copy, struct cstacks_stack *stack);

#endif
