#define _GNU_SOURCE
#include "Blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

// The counters: for each thread as many as there may be blocks, of which the kernel gives memory to those in use.
//
//   counters[thread] ──▶ │ block 0 │ block 1 │ block 2 │ …      each: how often this thread executed it
//
// Only its own thread writes a counter, so that plain additions lose nothing. Instructions, branches and calls are not
// counted while code runs: they are what is known of each block, times how often it was executed, and summed up at a mark.
static uint64_t *counters[most_threads];
static _Atomic unsigned int threads;

struct block {
    uint64_t address;
    uint32_t instructions;
    uint32_t branches;
};
static struct block *blocks;
static _Atomic uint32_t block_count;
/// Block 0 takes all that finds no place of its own: what it counted has no meaning.
enum { overflow_block = 0 };

/// Numbers of blocks by a hash of what they are, 0 for a free place: twice as many places as blocks.
enum { places = 2 * most_blocks };
static uint32_t *numbers;

/// Blocks that begin where a function does. Most have one or two: the code after its entry may be cut differently.
enum { most_entries = 32 };
static struct {
    uint64_t address;
    uint32_t entries[most_entries];
    uint32_t count;
} functions[clinux_exact_functions];
static unsigned int function_count;
static bool too_many_entries;

/// Guards all but the counters.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reserve(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool blocks_prepare(void) {
    blocks = reserve(most_blocks * sizeof *blocks);
    numbers = reserve(places * sizeof *numbers);
    atomic_store(&block_count, overflow_block + 1);
    return blocks && numbers && counters_prepare(shared_counters);
}

bool counters_prepare(unsigned int thread) {
    if (thread >= most_threads) return false;
    pthread_mutex_lock(&lock);
    // The number of a thread that ended is given to another one, which goes on with its counters.
    if (!counters[thread]) counters[thread] = reserve(most_blocks * sizeof *counters[thread]);
    bool prepared = counters[thread] != NULL;
    if (prepared && thread >= atomic_load(&threads)) atomic_store(&threads, thread + 1);
    pthread_mutex_unlock(&lock);
    return prepared;
}

uint64_t *counter_of(unsigned int thread, uint32_t block) { return &counters[thread][block]; }

// hot path: no allocation, no lock, no call that can block
void count_execution(unsigned int thread, void *distance) {
    ++*(uint64_t *)((char *)counters[thread] + (uintptr_t)distance);
}

static void add_entry(unsigned int function, uint32_t block) {
    if (functions[function].count == most_entries) {
        too_many_entries = true;
        return;
    }
    functions[function].entries[functions[function].count++] = block;
}

uint32_t block_numbered(uint64_t address, uint32_t instructions, uint32_t branches) {
    uint64_t mixed = (address ^ (uint64_t)instructions << 48 ^ (uint64_t)branches << 40) * 0x9e3779b97f4a7c15;
    uint32_t place = (uint32_t)(mixed >> 40) % places;
    pthread_mutex_lock(&lock);
    uint32_t number;
    while ((number = numbers[place]) != 0) {
        const struct block *found = &blocks[number];
        if (found->address == address && found->instructions == instructions && found->branches == branches) break;
        place = (place + 1) % places;
    }
    uint32_t next = atomic_load(&block_count);
    if (number == 0 && next < most_blocks) {
        number = next;
        blocks[number] = (struct block){address, instructions, branches};
        numbers[place] = number;
        for (unsigned int function = 0; function < function_count; function++) {
            if (functions[function].address == address) add_entry(function, number);
        }
        atomic_store(&block_count, next + 1);
    }
    pthread_mutex_unlock(&lock);
    return number == 0 ? overflow_block : number;
}

int watch_function(uint64_t address) {
    pthread_mutex_lock(&lock);
    unsigned int place = 0;
    while (place < function_count && functions[place].address != address) place++;
    if (place == function_count && place < clinux_exact_functions) {
        functions[place].address = address;
        uint32_t count = atomic_load(&block_count);
        for (uint32_t number = overflow_block + 1; number < count; number++) {
            if (blocks[number].address == address) add_entry(place, number);
        }
        function_count++;
    }
    pthread_mutex_unlock(&lock);
    return place < clinux_exact_functions ? (int)place : -1;
}

/// Adds what a thread executed to what the process did, and tells it apart where it is the one asked for.
static void add_up(struct clinux_exact_counts *counts, unsigned int number, bool is_asked_for, uint32_t block_limit) {
    // Others may count on meanwhile: each counter is read once, as it is.
    const volatile uint64_t *executed = counters[number];
    if (!executed) return;
    uint64_t instructions = 0, branches = 0;
    for (uint32_t block = overflow_block + 1; block < block_limit; block++) {
        uint64_t times = executed[block];
        instructions += times * blocks[block].instructions;
        branches += times * blocks[block].branches;
    }
    counts->overflows += executed[overflow_block];
    counts->process_instructions += instructions;
    counts->process_branches += branches;
    if (is_asked_for) {
        counts->thread_instructions = instructions;
        counts->thread_branches = branches;
    }
    for (unsigned int function = 0; function < function_count; function++) {
        uint64_t calls = 0;
        for (uint32_t entry = 0; entry < functions[function].count; entry++) {
            calls += executed[functions[function].entries[entry]];
        }
        counts->process_calls[function] += calls;
        if (is_asked_for) counts->thread_calls[function] = calls;
    }
}

void sum_up(struct clinux_exact_counts *counts, unsigned int thread) {
    memset(counts, 0, sizeof *counts);
    pthread_mutex_lock(&lock);
    uint32_t block_limit = atomic_load(&block_count);
    unsigned int all = atomic_load(&threads);
    counts->overflows = too_many_entries;
    for (unsigned int number = 0; number < all; number++) add_up(counts, number, number == thread, block_limit);
    pthread_mutex_unlock(&lock);
}

void sum_up_thread(struct clinux_exact_counts *counts, unsigned int thread) {
    memset(counts, 0, sizeof *counts);
    pthread_mutex_lock(&lock);
    counts->overflows = too_many_entries;
    add_up(counts, thread, true, atomic_load(&block_count));
    pthread_mutex_unlock(&lock);
    // What one thread did is no count of the process.
    counts->process_instructions = counts->process_branches = 0;
    memset(counts->process_calls, 0, sizeof counts->process_calls);
}
