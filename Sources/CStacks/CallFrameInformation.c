#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "Frames.h"

// The format: DWARF 5, section 6.4, as the Linux Standard Base (Core, "Exception Frames") changes it for `.eh_frame`.
// Understood is what compilers write for ordinary functions; for all else the answer is "unknown", and never a guess.

// Reads values one after another. Past its end it reads zeros, and says so.
struct reader {
    const unsigned char *place;
    const unsigned char *end;
    int is_bad;
};

static uint64_t read_bytes(struct reader *reader, size_t size) {
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->place) < size) {
        reader->is_bad = 1;
        reader->place = reader->end;
        return 0;
    }
    memcpy(&value, reader->place, size);
    reader->place += size;
    return value;
}

static uint64_t read_uleb(struct reader *reader) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint64_t byte = read_bytes(reader, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    reader->is_bad = 1;
    return 0;
}

static int64_t read_sleb(struct reader *reader) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64;) {
        uint64_t byte = read_bytes(reader, 1);
        value |= (byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) return (int64_t)(shift < 64 && (byte & 0x40) ? value | ~0ULL << shift : value);
    }
    reader->is_bad = 1;
    return 0;
}

// A pointer in one of the encodings that are in use: absolute, or relative to its own place; of 4 or 8 bytes.
static uint64_t read_pointer(struct reader *reader, unsigned encoding) {
    uint64_t own = (uint64_t)(uintptr_t)reader->place, value;
    switch (encoding & 0x0f) {
    case 0x00: case 0x04: case 0x0c: value = read_bytes(reader, 8); break;
    case 0x03: value = read_bytes(reader, 4); break;
    case 0x0b: value = (uint64_t)(int64_t)(int32_t)read_bytes(reader, 4); break;
    default: reader->is_bad = 1; return 0;
    }
    if ((encoding & 0x70) == 0x10) value += own;
    else if ((encoding & 0x70) != 0) reader->is_bad = 1;
    return value;
}

enum rule { rule_same, rule_saved, rule_undefined, rule_other };

// Where a caller's registers are: relative to the address that the stack had before the call (the CFA).
struct row {
    unsigned cfa_register;
    int64_t cfa_offset;
    int has_cfa;
    /// What computes it where it is no register and offset; else its place is NULL.
    struct reader cfa_expression;
    unsigned char rules[register_count];
    int64_t offsets[register_count];
};

// What a common information entry says of the functions that name it.
struct common {
    uint64_t code_unit;
    int64_t data_unit;
    unsigned return_register;
    unsigned pointer_encoding;
    int has_augmentation;
    int is_signal_frame;
    struct reader instructions;
};

static struct reader entry_at(const unsigned char *place) {
    uint32_t length;
    memcpy(&length, place, 4);
    struct reader reader = {place + 4, place + 4, length == 0 || length == 0xffffffff};
    if (!reader.is_bad) reader.end += length;
    return reader;
}

static int read_common(const unsigned char *place, struct common *common) {
    struct reader reader = entry_at(place);
    if (read_bytes(&reader, 4) != 0) return 0;
    uint64_t version = read_bytes(&reader, 1);
    const char *augmentation = (const char *)reader.place;
    while (read_bytes(&reader, 1) != 0) {}
    memset(common, 0, sizeof *common);
    common->code_unit = read_uleb(&reader);
    common->data_unit = read_sleb(&reader);
    common->return_register = (unsigned)(version == 1 ? read_bytes(&reader, 1) : read_uleb(&reader));
    if (*augmentation == 'z') {
        common->has_augmentation = 1;
        uint64_t size = read_uleb(&reader);
        if (size > (uint64_t)(reader.end - reader.place)) return 0;
        const unsigned char *end = reader.place + size;
        for (const char *letter = augmentation + 1; *letter; letter++) {
            if (*letter == 'R') common->pointer_encoding = (unsigned)read_bytes(&reader, 1);
            else if (*letter == 'L') read_bytes(&reader, 1);
            else if (*letter == 'P') read_pointer(&reader, (unsigned)read_bytes(&reader, 1) & 0x0f);
            else if (*letter == 'S') common->is_signal_frame = 1;
            else if (*letter != 'B') return 0;
        }
        reader.place = end;
    } else if (*augmentation) {
        return 0;
    }
    common->instructions = reader;
    return !reader.is_bad && (version == 1 || version == 3) && common->return_register < register_count;
}

static void set_rule(struct row *row, uint64_t number, enum rule rule, int64_t offset) {
    if (number >= register_count) return;
    row->rules[number] = (unsigned char)rule;
    row->offsets[number] = offset;
}

// Runs instructions until they come to a place in the function behind `target`. Returns whether all were understood.
static int run(struct reader reader, const struct common *common, const struct row *initial, uint64_t location,
               uint64_t target, struct row *row) {
    struct row kept[4];
    int depth = 0;
    while (reader.place < reader.end && !reader.is_bad) {
        uint64_t code = read_bytes(&reader, 1), low = code & 0x3f, number;
        uint64_t advance = 0;
        switch (code >> 6) {
        case 1: advance = low; break;
        case 2: set_rule(row, low, rule_saved, (int64_t)read_uleb(&reader) * common->data_unit); continue;
        case 3:
            if (!initial) return 0;
            if (low < register_count) set_rule(row, low, initial->rules[low], initial->offsets[low]);
            continue;
        default:
            switch (low) {
            case 0x00: continue;                                         // nop
            case 0x02: advance = read_bytes(&reader, 1); break;          // advance_loc1
            case 0x03: advance = read_bytes(&reader, 2); break;          // advance_loc2
            case 0x04: advance = read_bytes(&reader, 4); break;          // advance_loc4
            case 0x05:                                                   // offset_extended
                number = read_uleb(&reader);
                set_rule(row, number, rule_saved, (int64_t)read_uleb(&reader) * common->data_unit);
                continue;
            case 0x06:                                                   // restore_extended
                number = read_uleb(&reader);
                if (!initial) return 0;
                if (number < register_count) set_rule(row, number, initial->rules[number], initial->offsets[number]);
                continue;
            case 0x07: set_rule(row, read_uleb(&reader), rule_undefined, 0); continue;
            case 0x08: set_rule(row, read_uleb(&reader), rule_same, 0); continue;
            case 0x0a:                                                   // remember_state
                if (depth == 4) return 0;
                kept[depth++] = *row;
                continue;
            case 0x0b:                                                   // restore_state
                if (depth == 0) return 0;
                *row = kept[--depth];
                continue;
            case 0x0c:                                                   // def_cfa
                row->cfa_register = (unsigned)read_uleb(&reader);
                row->cfa_offset = (int64_t)read_uleb(&reader);
                row->has_cfa = 1;
                continue;
            case 0x0d: row->cfa_register = (unsigned)read_uleb(&reader); continue;
            case 0x0e: row->cfa_offset = (int64_t)read_uleb(&reader); continue;
            case 0x0f:                                                   // def_cfa_expression
                number = read_uleb(&reader);
                if (number > (uint64_t)(reader.end - reader.place)) return 0;
                row->cfa_expression = (struct reader){reader.place, reader.place + number, 0};
                row->has_cfa = 0;
                reader.place += number;
                continue;
            case 0x10: case 0x16: {                                      // expression, val_expression
                number = read_uleb(&reader);
                uint64_t size = read_uleb(&reader);
                if (size > (uint64_t)(reader.end - reader.place)) return 0;
                reader.place += size;
                set_rule(row, number, rule_other, 0);
                continue;
            }
            case 0x11:                                                   // offset_extended_sf
                number = read_uleb(&reader);
                set_rule(row, number, rule_saved, read_sleb(&reader) * common->data_unit);
                continue;
            case 0x12:                                                   // def_cfa_sf
                row->cfa_register = (unsigned)read_uleb(&reader);
                row->cfa_offset = read_sleb(&reader) * common->data_unit;
                row->has_cfa = 1;
                continue;
            case 0x13: row->cfa_offset = read_sleb(&reader) * common->data_unit; continue;
            case 0x2d: continue;                                         // return addresses are signed, or not
            case 0x2e: read_uleb(&reader); continue;                     // size of arguments
            default: return 0;
            }
        }
        location += advance * common->code_unit;
        if (location > target) return 1;
    }
    return !reader.is_bad;
}

// What `dl_iterate_phdr` is to do: the loader keeps the object in memory while it is called back.
struct search {
    const struct cstacks_copy *copy;
    struct cstacks_frame *frame;
    uint64_t target;
    enum cstacks_step step;
};

// Computes what linkers write for the stubs by which functions of libraries are called (the PLT), and little more.
static int evaluate(struct reader reader, const struct cstacks_frame *frame, uint64_t *result) {
    uint64_t stack[8] = {0};
    int depth = 0;
    while (reader.place < reader.end && !reader.is_bad) {
        unsigned code = (unsigned)read_bytes(&reader, 1);
        if (code >= 0x30 && code <= 0x4f) {                             // lit
            if (depth == 8) return 0;
            stack[depth++] = code - 0x30;
        } else if (code >= 0x70 && code - 0x70 < register_count) {      // breg
            if (depth == 8) return 0;
            uint64_t value = code - 0x70 == return_register ? frame->program_counter : frame->registers[code - 0x70];
            stack[depth++] = value + (uint64_t)read_sleb(&reader);
        } else if (code == 0x23 && depth >= 1) {                        // plus_uconst
            stack[depth - 1] += read_uleb(&reader);
        } else if (depth >= 2) {
            uint64_t right = stack[--depth], *left = &stack[depth - 1];
            switch (code) {
            case 0x1a: *left &= right; break;
            case 0x22: *left += right; break;
            case 0x24: *left = right < 64 ? *left << right : 0; break;
            case 0x2a: *left = (int64_t)*left >= (int64_t)right; break;
            default: return 0;
            }
        } else {
            return 0;
        }
    }
    *result = stack[0];
    return !reader.is_bad && depth == 1;
}

static enum cstacks_step apply(const struct row *row, const struct common *common, struct search *search) {
    struct cstacks_frame *frame = search->frame, caller = *frame;
    uint64_t cfa;
    if (row->has_cfa && row->cfa_register < register_count) {
        uint64_t base = frame->registers[row->cfa_register];
        if (row->cfa_register == frame_register) base &= 0x0000ffffffffffff;
        cfa = base + (uint64_t)row->cfa_offset;
    } else if (!row->cfa_expression.place || !evaluate(row->cfa_expression, frame, &cfa)) {
        return step_unknown;
    }
    // The stack grows downwards: a caller's is never below. On aarch64 a function may have taken none of it.
    if (cfa < frame->registers[stack_register]) return step_unknown;
    for (unsigned number = 0; number < register_count; number++) {
        if (row->rules[number] == rule_saved) {
            if (!cstacks_read_word(search->copy, cfa + (uint64_t)row->offsets[number], &caller.registers[number]))
                return cfa % 8 == 0 && cfa - search->copy->registers[stack_register] < 1 << 26 ? step_beyond_copy
                                                                                               : step_unknown;
        } else if (row->rules[number] == rule_other && number == common->return_register) {
            return step_unknown;
        }
    }
    if (row->rules[common->return_register] == rule_undefined) return step_last;
    caller.registers[stack_register] = cfa;
    caller.program_counter = caller.registers[common->return_register];
    // A frame that is its own caller would go on for ever.
    if (cfa == frame->registers[stack_register] && caller.program_counter == frame->program_counter) return step_last;
    *frame = caller;
    return step_done;
}

static enum cstacks_step step_by_entry(const unsigned char *place, struct search *search) {
    struct reader reader = entry_at(place);
    const unsigned char *own = reader.place;
    uint64_t distance = read_bytes(&reader, 4);
    struct common common;
    if (reader.is_bad || distance == 0 || !read_common(own - distance, &common)) return step_unknown;
    uint64_t begin = read_pointer(&reader, common.pointer_encoding);
    uint64_t size = read_pointer(&reader, common.pointer_encoding & 0x0f);
    if (common.has_augmentation) {
        uint64_t length = read_uleb(&reader);
        if (length > (uint64_t)(reader.end - reader.place)) return step_unknown;
        reader.place += length;
    }
    if (reader.is_bad || search->target < begin || search->target - begin >= size) return step_unknown;
    // A signal's frame has an exact place in place of a return address; none is followed.
    if (common.is_signal_frame) return step_unknown;
    struct row row, initial;
    memset(&row, 0, sizeof row);
    if (!run(common.instructions, &common, NULL, 0, UINT64_MAX, &row)) return step_unknown;
    initial = row;
    if (!run(reader, &common, &initial, begin, search->target, &row)) return step_unknown;
    return apply(&row, &common, search);
}

// The entry of the function that holds the target, by the table in `.eh_frame_hdr`, which is sorted by addresses.
static enum cstacks_step step_by_table(const unsigned char *header, struct search *search) {
    // Version 1; a table of pairs of 4 bytes relative to the header, its length in 4 bytes.
    if (header[0] != 1 || (header[1] & 0x0f) != 0x0b || header[2] != 0x03 || header[3] != 0x3b) return step_unknown;
    uint32_t count;
    memcpy(&count, header + 8, 4);
    const unsigned char *table = header + 12;
    int64_t target = (int64_t)(search->target - (uint64_t)(uintptr_t)header);
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int32_t begin;
        memcpy(&begin, table + 8 * (size_t)middle, 4);
        if (begin <= target) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return step_unknown;
    int32_t entry;
    memcpy(&entry, table + 8 * (size_t)(low - 1) + 4, 4);
    return step_by_entry(header + entry, search);
}

static int look_into(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    const unsigned char *header = NULL;
    int holds_target = 0;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        uint64_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->target >= begin && search->target - begin < part->p_memsz)
            holds_target = 1;
        if (part->p_type == PT_GNU_EH_FRAME) header = (const unsigned char *)(uintptr_t)begin;
    }
    if (!holds_target) return 0;
    if (header) search->step = step_by_table(header, search);
    return 1;
}

enum cstacks_step cstacks_step_by_call_frame_information(const struct cstacks_copy *copy, struct cstacks_frame *frame,
                                                         int is_innermost) {
    // A return address may lie behind its function's end, where the call never returns: the call itself does not.
    struct search search = {copy, frame, frame->program_counter - (is_innermost ? 0 : 1), step_unknown};
    dl_iterate_phdr(look_into, &search);
    return search.step;
}
