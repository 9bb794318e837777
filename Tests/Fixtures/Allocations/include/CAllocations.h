// Counts the heap allocations of the process that links it, by taking the place of malloc and its like.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Allocations since the process began, on all threads; -1 where they are not counted (under a sanitizer, which takes the
/// place of malloc itself).
long callocations_count(void);

#endif
