#define _GNU_SOURCE
#include "CPowerZone.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic uint64_t count;
static atomic_int refusal;
static atomic_int exists = 1;
static char title[64];
static uint64_t highest;
static int device;

// Node 1 is the folder; files have the nodes from 2 on.
static const char *const names[] = {"name", "max_energy_range_uj", "energy_uj"};
enum { first_file = 2, files = 3, energy_file = first_file + 2 };

static void fill(struct fuse_attr *attributes, uint64_t node) {
    memset(attributes, 0, sizeof *attributes);
    attributes->ino = node;
    attributes->nlink = 1;
    attributes->size = node == FUSE_ROOT_ID ? 0 : 4096;
    attributes->mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : node == energy_file ? S_IFREG | 0400 : S_IFREG | 0444;
}

static void answer(uint64_t unique, int error, const void *body, size_t size) {
    struct fuse_out_header header = {(uint32_t)(sizeof header + size), -error, unique};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)body, size}};
    ssize_t written = writev(device, parts, size > 0 ? 2 : 1);
    (void)written;
}

static void read_file(const struct fuse_in_header *request, const struct fuse_read_in *what) {
    char text[96];
    if (request->nodeid == energy_file) {
        int error = atomic_load(&refusal);
        if (error != 0) return answer(request->unique, error, NULL, 0);
        snprintf(text, sizeof text, "%llu\n", (unsigned long long)atomic_load(&count));
    } else if (request->nodeid == first_file) {
        snprintf(text, sizeof text, "%s\n", title);
    } else {
        snprintf(text, sizeof text, "%llu\n", (unsigned long long)highest);
    }
    size_t length = strlen(text);
    size_t begin = what->offset < length ? what->offset : length;
    answer(request->unique, 0, text + begin, length - begin);
}

static void serve(const struct fuse_in_header *request, const void *body) {
    switch (request->opcode) {
    case FUSE_INIT: {
        struct fuse_init_out reply = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096};
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_LOOKUP:
        for (uint64_t index = 0; index < files && atomic_load(&exists); index++) {
            if (strcmp(names[index], body) != 0) continue;
            // Neither names nor attributes are kept: each open asks anew.
            struct fuse_entry_out entry;
            memset(&entry, 0, sizeof entry);
            entry.nodeid = first_file + index;
            fill(&entry.attr, entry.nodeid);
            return answer(request->unique, 0, &entry, sizeof entry);
        }
        return answer(request->unique, ENOENT, NULL, 0);
    case FUSE_GETATTR: {
        struct fuse_attr_out reply;
        memset(&reply, 0, sizeof reply);
        fill(&reply.attr, request->nodeid);
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_OPEN: {
        struct fuse_open_out reply = {.open_flags = FOPEN_DIRECT_IO};
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_READ: return read_file(request, body);
    case FUSE_RELEASE:
    case FUSE_FLUSH: return answer(request->unique, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: return;
    default: return answer(request->unique, ENOSYS, NULL, 0);
    }
}

static void *serve_for_ever(void *nothing) {
    static _Alignas(8) char buffer[1 << 16];
    for (;;) {
        ssize_t size = read(device, buffer, sizeof buffer);
        if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) continue;
        if (size < (ssize_t)sizeof(struct fuse_in_header)) return nothing;
        serve((const struct fuse_in_header *)buffer, buffer + sizeof(struct fuse_in_header));
    }
}

int cpowerzone_mount(const char *folder, const char *name, uint64_t range) {
    snprintf(title, sizeof title, "%s", name);
    highest = range;
    // The mount is this process's own, and gone with it, however it ends.
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (device < 0) return errno;
    char options[128];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions", device);
    if (mount("powerzone", folder, "fuse", MS_NOSUID | MS_NODEV, options) != 0) return errno;
    pthread_t thread;
    return pthread_create(&thread, NULL, serve_for_ever, NULL);
}

void cpowerzone_set(uint64_t microjoules) { atomic_store(&count, microjoules); }
void cpowerzone_refuse(int number) { atomic_store(&refusal, number); }
void cpowerzone_exist(int value) { atomic_store(&exists, value); }
