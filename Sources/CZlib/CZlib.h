// zlib, as it is: compressed histograms are zlib streams (RFC 1950).
#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

#endif
