// libcurl, with the calls that Swift cannot make by itself: `curl_easy_setopt` and `curl_easy_getinfo` are variadic.
// One function for each type of argument; a wrong pairing of option and type is a mistake that libcurl cannot notice.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdint.h>

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

/// Sets what a body is read from, how it is begun anew, and the pointer that both get.
static inline CURLcode ccurl_set_reader(CURL *handle, curl_read_callback reader, curl_seek_callback seek, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_READFUNCTION, reader);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_READDATA, data);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_SEEKFUNCTION, seek);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_SEEKDATA, data);
}

/// Sets what is called with each line of an answer's head, and the pointer that it gets.
static inline CURLcode ccurl_set_head_reader(CURL *handle, curl_write_callback reader, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, reader);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, data);
}

/// Sets what is asked now and then whether to go on, and the pointer that it gets.
static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback progress, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, progress);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_XFERINFODATA, data);
}

/// What is called when a connection is ready, before anything of a request is sent (`curl_prereq_callback`).
typedef int (*ccurl_ready_callback)(void *data, char *address, char *own_address, int port, int own_port);

/// Sets what is told that a connection is ready for the request, and the pointer that it gets. Before libcurl 7.80 nobody is told.
static inline CURLcode ccurl_set_ready(CURL *handle, ccurl_ready_callback ready, void *data) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_PREREQFUNCTION, ready);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_PREREQDATA, data);
#else
    return CURLE_OK;
#endif
}

/// Sets what is told of each step, and the pointer that it gets; it is called only while CURLOPT_VERBOSE is set.
static inline CURLcode ccurl_set_debug(CURL *handle, curl_debug_callback debug, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, debug);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, data);
}

/// Sets what makes sockets, and the pointer that it gets.
static inline CURLcode ccurl_set_opener(CURL *handle, curl_opensocket_callback opener, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETDATA, data);
}

/// Sets what closes sockets, and the pointer that it gets.
static inline CURLcode ccurl_set_closer(CURL *handle, curl_closesocket_callback closer, void *data) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_CLOSESOCKETFUNCTION, closer);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_CLOSESOCKETDATA, data);
}

/// Sets an option that takes a `curl_off_t`: a size.
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

/// What the last transfer tells about itself as a `curl_off_t`: a size, or microseconds; -1 when it does not.
static inline int64_t ccurl_size(CURL *handle, CURLINFO info) {
    curl_off_t value = -1;
    return (curl_easy_getinfo)(handle, info, &value) == CURLE_OK ? value : -1;
}

/// The pointer that a handle was given by CURLOPT_PRIVATE.
static inline void *ccurl_private(CURL *handle) {
    void *value = NULL;
    return (curl_easy_getinfo)(handle, CURLINFO_PRIVATE, (char **)&value) == CURLE_OK ? value : NULL;
}

/// Sets what a multi handle calls to have sockets watched, and to be woken.
static inline CURLMcode ccurl_multi_set_callbacks(CURLM *multi, curl_socket_callback socket,
                                                  curl_multi_timer_callback timer, void *data) {
    CURLMcode code = (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (code == CURLM_OK) code = (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, data);
    if (code == CURLM_OK) code = (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, timer);
    return code != CURLM_OK ? code : (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, data);
}

/// Sets an option of a multi handle that takes a `long`.
static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/// The handle of a transfer that has ended, and how; NULL when no other has.
static inline CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left;
    for (CURLMsg *message = curl_multi_info_read(multi, &left); message; message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

/// Lets handles share cookies, under a lock.
static inline CURLSHcode ccurl_share_cookies(CURLSH *share, curl_lock_function lock, curl_unlock_function unlock, void *data) {
    CURLSHcode code = (curl_share_setopt)(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    if (code == CURLSHE_OK) code = (curl_share_setopt)(share, CURLSHOPT_LOCKFUNC, lock);
    if (code == CURLSHE_OK) code = (curl_share_setopt)(share, CURLSHOPT_UNLOCKFUNC, unlock);
    return code != CURLSHE_OK ? code : (curl_share_setopt)(share, CURLSHOPT_USERDATA, data);
}

/// What the last transfer tells about itself as a `long`, or -1 when it does not.
static inline long ccurl_number(CURL *handle, CURLINFO info) {
    long value = -1;
    return (curl_easy_getinfo)(handle, info, &value) == CURLE_OK ? value : -1;
}

#endif
