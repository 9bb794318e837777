#define _GNU_SOURCE
#include "CRefusals.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int crefusals_filter_counters(int answer) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)answer & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    // Without this an unprivileged process may not filter itself.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

int crefusals_become(unsigned user) {
    if (setgroups(0, 0) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) return errno;
    return 0;
}

int crefusals_replace(const char *path, const char *by) {
    if (unshare(CLONE_NEWNS) != 0) return errno;
    // Else the namespace outside would see it too.
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    return mount(by, path, NULL, MS_BIND, NULL) == 0 ? 0 : errno;
}
