// Which instructions are branches, by their encoding.
#ifndef BRANCHES_H
#define BRANCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum processor { unknown_processor, x86_64_processor, aarch64_processor };

/// Whether an instruction may go on elsewhere than at the next one: jumps, calls and returns, taken or not.
///
/// x86-64: opcodes 70–7F, 0F 80–8F, C2, C3, CA, CB, E0–E3, E8, E9, EB and FF /2 to /5, after prefixes (Intel's manual,
/// volume 2, appendix A). AArch64: the branches of the group “Branches, Exception generating and System instructions”.
bool is_branch(enum processor processor, const uint8_t *code, size_t size);

#endif
