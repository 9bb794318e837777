// A whole powercap class whose counters rise by themselves, at known watts: a file system in user space (FUSE), spoken in the
// kernel's own protocol, so that no library is needed. A counter is computed when it is read, in steps of a millisecond as
// processors make them, and goes round at the end of its range.
#ifndef CPOWERTREE_H
#define CPOWERTREE_H

#include <stdint.h>

struct cpowertree_zone {
    /// The zone's folder, such as `intel-rapl:0:1`.
    const char *folder;
    /// What its file `name` holds.
    const char *name;
    double watts;
    /// Its count when the file system is mounted, and the highest that it can show, in microjoules.
    uint64_t start, range;
    /// After how many reads of its counter the zone is gone for good, its folder too; 0 for never.
    uint64_t reads;
};

/// Lets this process have mounts of its own, and puts a powercap class with these zones into its `/sys/class`; `folder`, an
/// empty one, is where the new class folder is put together. `energy_uj` may be read by root alone (0400). A thread serves the
/// zones, which must stay where they are, until the process ends; mounts and zones go with it, and no other process sees them
/// but those that it starts. Returns 0, or an errno.
int cpowertree_mount(const char *folder, const struct cpowertree_zone *zones, int count);

/// Shows what is in one folder in another too, to this process and those that it starts. Returns 0, or an errno.
int cpowertree_show(const char *folder, const char *place);

#endif
