// What QEMU offers to plugins, as far as this plugin uses it: declared here by hand, because Debian ships no header for it.
// Described in QEMU's documentation, “QEMU TCG Plugins”. The emulator resolves these names when it loads the plugin.
#ifndef EMULATOR_INTERFACE_H
#define EMULATOR_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t emulator_plugin;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

/// The beginning of what the emulator tells of itself; more follows, which is of no use here.
struct emulator_facts {
    const char *target_name;
    struct {
        int least;
        int current;
    } interface;
    bool whole_system;
};

typedef void (*emulator_block_translated)(emulator_plugin, struct qemu_plugin_tb *);
typedef void (*emulator_block_executed)(unsigned int thread, void *argument);
typedef void (*emulator_thread_event)(emulator_plugin, unsigned int thread);
typedef void (*emulator_call_begins)(emulator_plugin, unsigned int thread, int64_t number, uint64_t, uint64_t, uint64_t,
                                     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef void (*emulator_call_ended)(emulator_plugin, unsigned int thread, int64_t number, int64_t answer);

/// A callback that neither reads nor writes the emulated registers.
enum { emulator_no_registers = 0 };
/// Adds a number to 64 bits of memory, by code within the translated block. Not atomic.
enum { emulator_add = 0 };

void qemu_plugin_register_vcpu_init_cb(emulator_plugin, emulator_thread_event);
void qemu_plugin_register_vcpu_exit_cb(emulator_plugin, emulator_thread_event);
void qemu_plugin_register_vcpu_tb_trans_cb(emulator_plugin, emulator_block_translated);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, emulator_block_executed, int registers, void *);
void qemu_plugin_register_vcpu_syscall_cb(emulator_plugin, emulator_call_begins);
void qemu_plugin_register_vcpu_syscall_ret_cb(emulator_plugin, emulator_call_ended);
/// In interface 1 only (QEMU before 9.0).
__attribute__((weak)) void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int operation, void *, uint64_t);
/// Since interface 2 only (QEMU 9.0); named to tell the two apart, never called.
__attribute__((weak)) void *qemu_plugin_scoreboard_new(size_t);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
/// Where the emulator itself sees the instruction.
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);

#endif
