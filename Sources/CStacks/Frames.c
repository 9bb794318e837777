#define _GNU_SOURCE
#include "Frames.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

int cstacks_read_registers(const void *context, struct cstacks_copy *copy) {
    const ucontext_t *all = context;
#if defined(__x86_64__)
    static const int places[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (int index = 0; index < register_count; index++)
        copy->registers[index] = (uint64_t)all->uc_mcontext.gregs[places[index]];
    copy->program_counter = copy->registers[return_register];
    return 0;
#elif defined(__aarch64__)
    for (int index = 0; index < 31; index++) copy->registers[index] = all->uc_mcontext.regs[index];
    copy->registers[stack_register] = all->uc_mcontext.sp;
    copy->program_counter = all->uc_mcontext.pc;
    return 0;
#else
    (void)all;
    (void)copy;
    return ENOSYS;
#endif
}

int cstacks_read_word(const struct cstacks_copy *copy, uint64_t place, uint64_t *word) {
    uint64_t bottom = copy->registers[stack_register];
    if (place < bottom || place % 8 != 0) return 0;
    uint64_t offset = place - bottom;
    if (offset > copy->size || copy->size - offset < 8) return 0;
    memcpy(word, copy->bytes + offset, 8);
    return 1;
}

// Without what is no part of an address: signatures of return addresses in their high bits (pointer authentication on
// aarch64), and Swift's mark of asynchronous frames, bit 60 of a frame pointer.
static uint64_t plain(uint64_t address) { return address & 0x0000ffffffffffff; }

// Goes to the caller by the frame pointer: it points to the caller's frame pointer, behind which lies the return
// address.
static enum cstacks_step step_by_frame_pointer(const struct cstacks_copy *copy, struct cstacks_frame *frame) {
    uint64_t place = plain(frame->registers[frame_register]), next, address;
    // Callers lie above: what lies below the stack's end is no frame, but a register that is used for something else.
    if (place < frame->registers[stack_register] || place % 8 != 0) return step_last;
    if (!cstacks_read_word(copy, place, &next) || !cstacks_read_word(copy, place + 8, &address)) {
        // Stacks are not larger than that, so it is something else.
        return place - copy->registers[stack_register] < 1 << 26 ? step_beyond_copy : step_last;
    }
    frame->registers[frame_register] = next;
    frame->registers[stack_register] = place + 16;
    frame->registers[return_register] = frame->program_counter = plain(address);
    return address ? step_done : step_last;
}

void cstacks_follow_frames(const struct cstacks_copy *copy, struct cstacks_stack *stack) {
    struct cstacks_frame frame;
    frame.program_counter = copy->program_counter;
    memcpy(frame.registers, copy->registers, sizeof frame.registers);
    for (int is_innermost = 1;; is_innermost = 0) {
        if (stack->count == cstacks_most_addresses) {
            stack->is_truncated = 1;
            return;
        }
        stack->addresses[stack->count++] = frame.program_counter;
        enum cstacks_step step = cstacks_step_by_call_frame_information(copy, &frame, is_innermost);
        if (step == step_unknown) step = step_by_frame_pointer(copy, &frame);
        if (step == step_beyond_copy) stack->is_truncated = 1;
        if (step != step_done) return;
        frame.program_counter = plain(frame.program_counter);
        if (frame.program_counter == 0) return;
    }
}
