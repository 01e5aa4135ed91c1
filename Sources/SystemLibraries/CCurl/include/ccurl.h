// libcurl, loaded when it is first used: the program starts without it, and runs where it is not installed.
//
// Every function but ccurl_load must be called only after that has returned true.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ccurl_handle ccurl_handle;

/// An answer of a server.
typedef struct {
    /// The status, such as 200.
    long status;
    /// The seconds of Retry-After; -1 if there is none.
    long retry_after;
    /// The body, to be freed with ccurl_free.
    unsigned char *body;
    size_t length;
} ccurl_response;

/// What a failed request means for another attempt.
enum { CCURL_DONE = 0, CCURL_TRANSIENT = 1, CCURL_UNTRUSTED = 2, CCURL_TOO_LARGE = 3, CCURL_OTHER = 4 };

/// Loads libcurl. Returns whether it is there.
bool ccurl_load(void);

/// Opens a handle that keeps its connection: HTTPS only, certificates verified, no redirects, proxies or cookies.
/// `ca_file` may be NULL for the system's certificates. Returns NULL if out of memory.
ccurl_handle *ccurl_open(const char *ca_file, long connect_seconds, long seconds);
void ccurl_close(ccurl_handle *handle);

/// Sends a request, and waits for the whole answer of at most `limit` bytes. `headers` ends with NULL; `body` may be
/// NULL. Returns one of the values above.
int ccurl_request(ccurl_handle *handle, const char *method, const char *url, const char *const *headers,
                  const void *body, size_t length, size_t limit, ccurl_response *response);

/// libcurl's fixed text for the reason of the last failure.
const char *ccurl_reason(const ccurl_handle *handle);
void ccurl_free(ccurl_response *response);

#endif
