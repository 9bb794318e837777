// Counts the heap allocations of each thread of the process that links it, by taking the place of malloc and its like.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Allocations of the calling thread since it began; -1 where they are not counted (under a sanitizer, which takes the
/// place of malloc itself).
long callocations_count(void);

#endif
