#define _GNU_SOURCE
#include "CPowerTree.h"

#include <dirent.h>
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
#include <time.h>
#include <unistd.h>

enum { most_zones = 32, title_file = 1, range_file, energy_file, files = 3 };
static const char *const file_names[] = {"", "name", "max_energy_range_uj", "energy_uj"};

static const struct cpowertree_zone *zones;
static int zone_count;
static uint64_t reads[most_zones];
static struct timespec mounted;
static int device;

// Nodes: 1 is the class's folder, 16 · (zone + 1) a zone's, and the numbers after that its files.
static int zone_of(uint64_t node) { return (int)(node / 16) - 1; }
static int file_of(uint64_t node) { return (int)(node % 16); }

static int exists(int zone) {
    return zone >= 0 && zone < zone_count && (zones[zone].reads == 0 || reads[zone] < zones[zone].reads);
}

static uint64_t energy(int zone) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t milliseconds = (now.tv_sec - mounted.tv_sec) * 1000 + (now.tv_nsec - mounted.tv_nsec) / 1000000;
    uint64_t risen = (uint64_t)((double)milliseconds * zones[zone].watts * 1000);
    return (zones[zone].start + risen) % (zones[zone].range + 1);
}

static void fill(struct fuse_attr *attributes, uint64_t node) {
    int is_folder = node == FUSE_ROOT_ID || file_of(node) == 0;
    memset(attributes, 0, sizeof *attributes);
    attributes->ino = node;
    attributes->nlink = 1;
    attributes->size = is_folder ? 0 : 4096;
    attributes->mode = is_folder ? S_IFDIR | 0755 : file_of(node) == energy_file ? S_IFREG | 0400 : S_IFREG | 0444;
}

static void answer(uint64_t unique, int error, const void *body, size_t size) {
    struct fuse_out_header header = {(uint32_t)(sizeof header + size), -error, unique};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)body, size}};
    ssize_t written = writev(device, parts, size > 0 ? 2 : 1);
    (void)written;
}

static void read_file(const struct fuse_in_header *request, const struct fuse_read_in *what) {
    int zone = zone_of(request->nodeid);
    char text[96];
    if (!exists(zone)) return answer(request->unique, ENODEV, NULL, 0);
    if (file_of(request->nodeid) == energy_file) {
        snprintf(text, sizeof text, "%llu\n", (unsigned long long)energy(zone));
        reads[zone]++;
    } else if (file_of(request->nodeid) == title_file) {
        snprintf(text, sizeof text, "%s\n", zones[zone].name);
    } else {
        snprintf(text, sizeof text, "%llu\n", (unsigned long long)zones[zone].range);
    }
    size_t length = strlen(text);
    size_t begin = what->offset < length ? what->offset : length;
    answer(request->unique, 0, text + begin, length - begin);
}

static void list(const struct fuse_in_header *request, const struct fuse_read_in *what) {
    _Alignas(8) char entries[4096];
    size_t size = 0;
    int is_class = request->nodeid == FUSE_ROOT_ID;
    int count = is_class ? zone_count : files;
    for (int index = (int)what->offset; index < count; index++) {
        if (is_class && !exists(index)) continue;
        const char *name = is_class ? zones[index].folder : file_names[index + 1];
        struct fuse_dirent *entry = (struct fuse_dirent *)(entries + size);
        size_t length = strlen(name), whole = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
        if (size + whole > sizeof entries || size + whole > what->size) break;
        memset(entry, 0, whole);
        entry->ino = is_class ? 16 * (uint64_t)(index + 1) : request->nodeid + (uint64_t)index + 1;
        entry->off = (uint64_t)index + 1;
        entry->namelen = (uint32_t)length;
        entry->type = is_class ? DT_DIR : DT_REG;
        memcpy(entry->name, name, length);
        size += whole;
    }
    answer(request->unique, 0, entries, size);
}

static uint64_t node_named(uint64_t folder, const char *name) {
    if (folder == FUSE_ROOT_ID) {
        for (int index = 0; index < zone_count; index++) {
            if (exists(index) && strcmp(zones[index].folder, name) == 0) return 16 * (uint64_t)(index + 1);
        }
        return 0;
    }
    for (int index = 1; exists(zone_of(folder)) && index <= files; index++) {
        if (strcmp(file_names[index], name) == 0) return folder + (uint64_t)index;
    }
    return 0;
}

static void serve(const struct fuse_in_header *request, const void *body) {
    switch (request->opcode) {
    case FUSE_INIT: {
        struct fuse_init_out reply = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096};
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_LOOKUP: {
        // Neither names nor attributes are kept: each open asks anew.
        struct fuse_entry_out entry;
        memset(&entry, 0, sizeof entry);
        entry.nodeid = node_named(request->nodeid, body);
        if (entry.nodeid == 0) return answer(request->unique, ENOENT, NULL, 0);
        fill(&entry.attr, entry.nodeid);
        return answer(request->unique, 0, &entry, sizeof entry);
    }
    case FUSE_GETATTR: {
        struct fuse_attr_out reply;
        memset(&reply, 0, sizeof reply);
        fill(&reply.attr, request->nodeid);
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
        struct fuse_open_out reply = {.open_flags = request->opcode == FUSE_OPEN ? FOPEN_DIRECT_IO : 0};
        return answer(request->unique, 0, &reply, sizeof reply);
    }
    case FUSE_READ: return read_file(request, body);
    case FUSE_READDIR: return list(request, body);
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
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

int cpowertree_show(const char *folder, const char *place) {
    return mount(folder, place, NULL, MS_BIND | MS_REC, NULL) == 0 ? 0 : errno;
}

/// The folders of `/sys/class` but powercap's, shown in a new file system: a class cannot be added to the kernel's own.
static int copy_classes(const char *folder) {
    if (mount("classes", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0) return errno;
    DIR *classes = opendir("/sys/class");
    if (classes == NULL) return errno;
    int error = 0;
    struct dirent *entry;
    while (error == 0 && (entry = readdir(classes)) != NULL) {
        char from[512], to[1024];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "powercap") == 0) continue;
        snprintf(from, sizeof from, "/sys/class/%s", entry->d_name);
        snprintf(to, sizeof to, "%s/%s", folder, entry->d_name);
        error = mkdir(to, 0755) == 0 ? cpowertree_show(from, to) : errno;
    }
    closedir(classes);
    return error;
}

int cpowertree_mount(const char *folder, const struct cpowertree_zone *all, int count) {
    if (count > most_zones) return E2BIG;
    zones = all;
    zone_count = count;
    clock_gettime(CLOCK_MONOTONIC, &mounted);
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    int error = copy_classes(folder);
    if (error != 0) return error;
    char path[1024], options[128];
    snprintf(path, sizeof path, "%s/powercap", folder);
    if (mkdir(path, 0755) != 0) return errno;
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (device < 0) return errno;
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions", device);
    if (mount("powertree", path, "fuse", MS_NOSUID | MS_NODEV, options) != 0) return errno;
    pthread_t thread;
    error = pthread_create(&thread, NULL, serve_for_ever, NULL);
    return error != 0 ? error : cpowertree_show(folder, "/sys/class");
}
