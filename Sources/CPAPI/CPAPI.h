// PAPI, with the value that Swift cannot take from the header: a macro of macros.
#ifndef CPAPI_H
#define CPAPI_H

#include <papi.h>

/// The version that this program was built for; a library of another major version refuses it.
static const int cpapi_version = PAPI_VER_CURRENT;
/// The same with its last two parts.
static const int cpapi_full_version = PAPI_VERSION;

#endif
