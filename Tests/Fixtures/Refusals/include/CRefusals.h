// Lets a process of the tests be refused what a container or a permission refuses.
#ifndef CREFUSALS_H
#define CREFUSALS_H

/// From now on the kernel answers perf_event_open(2) of this process with an errno, as a container's seccomp filter does.
/// Returns 0, or an errno.
int crefusals_filter_counters(int answer);

/// Gives up the superuser's rights for those of a user without any, for good. Returns 0, or an errno.
int crefusals_become(unsigned user);

/// Lets this process alone see a file in place of another. Returns 0, or an errno.
int crefusals_replace(const char *path, const char *by);

#endif
