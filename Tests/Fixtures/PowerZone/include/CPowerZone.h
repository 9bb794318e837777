// A zone of powercap that refuses as the kernel's zones do: a file system in user space (FUSE) with three files, spoken in the
// kernel's own protocol (linux/fuse.h), so that no library is needed for it.
#ifndef CPOWERZONE_H
#define CPOWERZONE_H

#include <stdint.h>

/// Lets this process have mounts of its own, and mounts a zone on a folder, with `name` and `max_energy_range_uj`, and
/// `energy_uj`, which only its owner may read (0400). A thread serves it until the process ends. Returns 0, or an errno.
int cpowerzone_mount(const char *folder, const char *name, uint64_t range);

/// What `energy_uj` holds from now on.
void cpowerzone_set(uint64_t microjoules);

/// With which errno `energy_uj` refuses to be read from now on; 0 for none.
void cpowerzone_refuse(int number);

/// Whether the zone's files can be found by their names.
void cpowerzone_exist(int exists);

#endif
