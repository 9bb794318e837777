#define _GNU_SOURCE
#include "Frames.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

int cstacks_read_registers(const void *context, struct cstacks_copy *copy) {
    const ucontext_t *all = context;
#if defined(__x86_64__)
    copy->program_counter = (uint64_t)all->uc_mcontext.gregs[REG_RIP];
    copy->stack_pointer = (uint64_t)all->uc_mcontext.gregs[REG_RSP];
    copy->frame_pointer = (uint64_t)all->uc_mcontext.gregs[REG_RBP];
    copy->link = 0;
    return 0;
#elif defined(__aarch64__)
    copy->program_counter = all->uc_mcontext.pc;
    copy->stack_pointer = all->uc_mcontext.sp;
    copy->frame_pointer = all->uc_mcontext.regs[29];
    copy->link = all->uc_mcontext.regs[30];
    return 0;
#else
    (void)all;
    (void)copy;
    return ENOSYS;
#endif
}

// A word of the stack, where the copy holds it.
static int read_word(const struct cstacks_copy *copy, uint64_t place, uint64_t *word) {
    if (place < copy->stack_pointer || place % 8 != 0) return 0;
    uint64_t offset = place - copy->stack_pointer;
    if (offset > copy->size || copy->size - offset < 8) return 0;
    memcpy(word, copy->bytes + offset, 8);
    return 1;
}

static uint64_t without_authentication(uint64_t address) {
#if defined(__aarch64__)
    // Return addresses may be signed in their high bits (pointer authentication); user space has 48 bits of address.
    return address & 0x0000ffffffffffff;
#else
    return address;
#endif
}

static int append(struct cstacks_stack *stack, uint64_t address) {
    if (stack->count == cstacks_most_addresses) {
        stack->is_truncated = 1;
        return 0;
    }
    stack->addresses[stack->count++] = without_authentication(address);
    return 1;
}

void cstacks_follow_frames(const struct cstacks_copy *copy, struct cstacks_stack *stack) {
    append(stack, copy->program_counter);
    uint64_t frame = copy->frame_pointer, next, address;
    // A frame begins with the caller's frame pointer and the return address. Callers lie above: what does not ascend is no frame.
    while (read_word(copy, frame, &next) && read_word(copy, frame + 8, &address) && address != 0) {
        if (!append(stack, address)) return;
        if (next <= frame) return;
        frame = next;
    }
    // Above the copy the frames go on; below it, or at no whole word, a function uses the register for something else.
    stack->is_truncated = frame >= copy->stack_pointer + copy->size && frame % 8 == 0 &&
                          frame - copy->stack_pointer < (1 << 26);
}
