// A plugin for QEMU's emulation of single programs (qemu-user): counts the instructions, branches and calls of chosen
// functions that a program executes, exactly, and hands them to the program itself at its marks (see ExactMarks.h).
//
// QEMU translates a program in blocks: stretches of instructions that are entered at their first one only and left after
// their last. What a block holds is known when it is translated; what remains to be counted is how often it is executed.
// A block that an exception ends early, such as a fault that a signal handler catches, counts as a whole.
// A call always begins a block, so the calls of a function are the executions of blocks that begin where it does.
//
// The plugin's one argument, `threads`, says how to count:
//   threads=many  Each thread has its own counters. By a call from each block, because the emulator's own additions are
//                 not atomic and know no thread.
//   threads=one   All share one, and the emulator adds to it by itself: half the cost. Right as long as threads run one
//                 after another, which is watched: each answer tells how often they did not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Blocks.h"
#include "Branches.h"
#include "Running.h"
#include "include/EmulatorInterface.h"

#define VISIBLE __attribute__((visibility("default")))

/// The version of the interface that this plugin wants. Between 1 and 2 nothing changed of what it calls.
VISIBLE int qemu_plugin_version = 1;

static enum processor processor;
static int interface_version;
static bool counts_threads_apart = true;
/// What is added to an address of the program to find it in the emulator.
static uint64_t program_base;

/// Before the emulator asks for the version: 1 is too old for those since QEMU 9.0, and 2 unknown to those before.
__attribute__((constructor)) static void choose_interface(void) {
    if (qemu_plugin_scoreboard_new) qemu_plugin_version = 2;
}

static void block_translated(emulator_plugin plugin, struct qemu_plugin_tb *block) {
    (void)plugin;
    size_t instructions = qemu_plugin_tb_n_insns(block);
    if (instructions == 0) return;
    uint32_t branches = 0;
    for (size_t index = 0; index < instructions; index++) {
        const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
        const uint8_t *code = qemu_plugin_insn_haddr(instruction);
        if (!code) continue;
        program_base = (uint64_t)code - qemu_plugin_insn_vaddr(instruction);
        branches += is_branch(processor, code, qemu_plugin_insn_size(instruction));
    }
    uint32_t number = block_numbered(qemu_plugin_tb_vaddr(block), (uint32_t)instructions, branches);
    if (counts_threads_apart) {
        qemu_plugin_register_vcpu_tb_exec_cb(block, count_execution, emulator_no_registers,
                                             (void *)(number * sizeof(uint64_t)));
    } else {
        qemu_plugin_register_vcpu_tb_exec_inline(block, emulator_add, counter_of(shared_counters, number), 1);
    }
}

static void read_counts(unsigned int thread, struct clinux_exact_counts *counts) {
    sum_up(counts, counts_threads_apart ? thread : shared_counters);
    counts->overlaps = overlaps_so_far();
    counts->switches = switches_so_far();
    // The marking thread is in a system call.
    counts->others_running = threads_running();
}

static void call_begins(emulator_plugin plugin, unsigned int thread, int64_t number, uint64_t key, uint64_t operation,
                        uint64_t argument, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)plugin, (void)d, (void)e, (void)f, (void)g, (void)h;
    thread_rests(thread);
    if (number != clinux_exact_call || key != clinux_exact_key) return;
    void *answer = (void *)(program_base + argument);
    switch (operation) {
    case clinux_exact_greet:
        *(struct clinux_exact_hello *)answer = (struct clinux_exact_hello){
            .version = clinux_exact_version,
            .counts_threads_apart = counts_threads_apart,
            .knows_branches = processor != unknown_processor,
            .interface = (uint32_t)interface_version,
        };
        break;
    case clinux_exact_watch: {
        struct clinux_exact_function *function = answer;
        function->place = watch_function(function->address);
        break;
    }
    case clinux_exact_read:
        read_counts(thread, answer);
        break;
    case clinux_exact_read_thread:
        sum_up_thread(answer, counts_threads_apart ? thread : shared_counters);
        break;
    }
}

static void call_ended(emulator_plugin plugin, unsigned int thread, int64_t number, int64_t answer) {
    (void)plugin, (void)number, (void)answer;
    thread_runs(thread);
}

static void thread_begins(emulator_plugin plugin, unsigned int thread) {
    (void)plugin;
    // Without counters of its own it would count into nothing: no number is better than a wrong one.
    if (!counters_prepare(thread)) {
        fprintf(stderr, "TaskMeter's plugin: no counters for thread %u of the emulated program\n", thread);
        _Exit(1);
    }
    thread_runs(thread);
}

static void thread_ends(emulator_plugin plugin, unsigned int thread) {
    (void)plugin;
    thread_rests(thread);
}

static int refuse(const char *reason) {
    fprintf(stderr, "TaskMeter's plugin: %s\n", reason);
    return 1;
}

VISIBLE int qemu_plugin_install(emulator_plugin plugin, const struct emulator_facts *facts, int argc, char **argv) {
    if (facts->whole_system) return refuse("it counts in the emulation of single programs only");
    for (int index = 0; index < argc; index++) {
        if (strcmp(argv[index], "threads=one") == 0) {
            counts_threads_apart = false;
        } else if (strcmp(argv[index], "threads=many") != 0) {
            return refuse("its one argument is threads=one or threads=many");
        }
    }
    // Newer emulators have no such addition: there, each thread is counted by itself, at the higher cost.
    if (!qemu_plugin_register_vcpu_tb_exec_inline) counts_threads_apart = true;
    if (strcmp(facts->target_name, "x86_64") == 0) processor = x86_64_processor;
    if (strcmp(facts->target_name, "aarch64") == 0) processor = aarch64_processor;
    interface_version = facts->interface.current;
    if (!blocks_prepare()) return refuse("there is no memory for its tables");
    qemu_plugin_register_vcpu_init_cb(plugin, thread_begins);
    qemu_plugin_register_vcpu_exit_cb(plugin, thread_ends);
    qemu_plugin_register_vcpu_tb_trans_cb(plugin, block_translated);
    qemu_plugin_register_vcpu_syscall_cb(plugin, call_begins);
    qemu_plugin_register_vcpu_syscall_ret_cb(plugin, call_ended);
    return 0;
}
