#include "Branches.h"

#include <string.h>

static bool is_prefix(uint8_t byte) {
    switch (byte) {
    case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
        return true;
    default:
        return byte >= 0x40 && byte <= 0x4f;
    }
}

static bool is_x86_64_branch(const uint8_t *code, size_t size) {
    size_t place = 0;
    while (place < size && is_prefix(code[place])) place++;
    if (place >= size) return false;
    uint8_t opcode = code[place];
    uint8_t next = place + 1 < size ? code[place + 1] : 0;
    if (opcode >= 0x70 && opcode <= 0x7f) return true;
    if (opcode >= 0xe0 && opcode <= 0xe3) return true;
    if (opcode == 0x0f) return next >= 0x80 && next <= 0x8f;
    if (opcode == 0xff) return (next >> 3 & 7) >= 2 && (next >> 3 & 7) <= 5;
    return opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb || opcode == 0xe8 || opcode == 0xe9
        || opcode == 0xeb;
}

static bool is_aarch64_branch(const uint8_t *code, size_t size) {
    uint32_t word;
    if (size != sizeof word) return false;
    memcpy(&word, code, sizeof word);
    return (word & 0x7c000000) == 0x14000000   // b, bl
        || (word & 0xfe000000) == 0x54000000   // b.cond, bc.cond
        || (word & 0x7c000000) == 0x34000000   // cbz, cbnz, tbz, tbnz
        || (word & 0xfe000000) == 0xd6000000;  // br, blr, ret and their kin
}

bool is_branch(enum processor processor, const uint8_t *code, size_t size) {
    switch (processor) {
    case x86_64_processor: return is_x86_64_branch(code, size);
    case aarch64_processor: return is_aarch64_branch(code, size);
    case unknown_processor: return false;
    }
    return false;
}
