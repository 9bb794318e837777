// libcurl, with the calls that Swift cannot make by itself: `curl_easy_setopt` and `curl_easy_getinfo` are variadic.
// One function for each type of argument; a wrong pairing of option and type is a mistake that libcurl cannot notice.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

// The names stand in parentheses because curl.h hides them behind type-checking macros that want constant options.

/// Sets an option that takes a `long`: a switch, a count, a time.
static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

/// Sets an option that takes a string, which libcurl copies.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

/// Sets an option that takes a pointer: a list, or data for a callback. libcurl keeps the pointer.
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

/// Sets what is called with each piece of a body, and the pointer that it gets.
static inline CURLcode ccurl_set_writer(CURL *handle, curl_write_callback writer, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, writer);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, data);
}

/// What the last transfer tells about itself as a `long`, or -1 when it does not.
static inline long ccurl_number(CURL *handle, CURLINFO info) {
    long value = -1;
    return (curl_easy_getinfo)(handle, info, &value) == CURLE_OK ? value : -1;
}

#endif
