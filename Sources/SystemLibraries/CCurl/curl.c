#define _GNU_SOURCE
#include "ccurl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

// The numbers of curl.h that are used; they are part of libcurl's ABI and never change.
enum {
    OPT_PROXY = 10004, OPT_URL = 10002, OPT_HTTPHEADER = 10023, OPT_POSTFIELDS = 10015,
    OPT_CUSTOMREQUEST = 10036, OPT_CAINFO = 10065, OPT_WRITEDATA = 10001, OPT_HEADERDATA = 10029,
    OPT_WRITEFUNCTION = 20011, OPT_HEADERFUNCTION = 20079, OPT_POSTFIELDSIZE_LARGE = 30120, OPT_TIMEOUT = 13,
    OPT_CONNECTTIMEOUT = 78, OPT_NOSIGNAL = 99, OPT_FOLLOWLOCATION = 52, OPT_SSL_VERIFYPEER = 64,
    OPT_SSL_VERIFYHOST = 81, OPT_PROTOCOLS = 181, OPT_HTTPGET = 80, OPT_POST = 47, OPT_SSLVERSION = 32,
    PROTOCOL_HTTPS = 2, SSLVERSION_TLSv1_2 = 6, INFO_RESPONSE_CODE = 0x200000 + 2,
};

static struct {
    void *(*init)(void);
    void (*cleanup)(void *);
    int (*setopt)(void *, int, ...);
    int (*perform)(void *);
    int (*getinfo)(void *, int, ...);
    const char *(*error)(int);
    void *(*append)(void *, const char *);
    void (*free_all)(void *);
    time_t (*getdate)(const char *, const time_t *);
    int (*global_init)(long);
} curl;

struct ccurl_handle {
    void *easy;
    char *ca_file;
    long connect_seconds, seconds;
    int code;
};

bool ccurl_load(void)
{
    static void *library;
    if (library != NULL)
        return true;
    void *found = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (found == NULL)
        found = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (found == NULL)
        return false;
    bool complete = true;
#define LOAD(member, name) \
    complete &= (*(void **)&curl.member = dlsym(found, name)) != NULL
    LOAD(init, "curl_easy_init");
    LOAD(cleanup, "curl_easy_cleanup");
    LOAD(setopt, "curl_easy_setopt");
    LOAD(perform, "curl_easy_perform");
    LOAD(getinfo, "curl_easy_getinfo");
    LOAD(error, "curl_easy_strerror");
    LOAD(append, "curl_slist_append");
    LOAD(free_all, "curl_slist_free_all");
    LOAD(getdate, "curl_getdate");
    LOAD(global_init, "curl_global_init");
#undef LOAD
    if (!complete || curl.global_init(3) != 0)
        return false;
    library = found;
    return true;
}

ccurl_handle *ccurl_open(const char *ca_file, long connect_seconds, long seconds)
{
    ccurl_handle *handle = calloc(1, sizeof *handle);
    if (handle == NULL)
        return NULL;
    handle->easy = curl.init();
    handle->ca_file = ca_file == NULL ? NULL : strdup(ca_file);
    handle->connect_seconds = connect_seconds;
    handle->seconds = seconds;
    // Without the file's name, the system's certificates would be trusted instead.
    if (handle->easy != NULL && (ca_file == NULL || handle->ca_file != NULL))
        return handle;
    ccurl_close(handle);
    return NULL;
}

void ccurl_close(ccurl_handle *handle)
{
    if (handle == NULL)
        return;
    if (handle->easy != NULL)
        curl.cleanup(handle->easy);
    free(handle->ca_file);
    free(handle);
}

typedef struct {
    ccurl_response *response;
    size_t limit, capacity;
    bool is_large;
} Sink;

static size_t receive(char *bytes, size_t size, size_t count, void *user)
{
    Sink *sink = user;
    ccurl_response *response = sink->response;
    size_t length = size * count;
    if (length > sink->limit - response->length) {
        sink->is_large = true;
        return 0;
    }
    if (response->length + length > sink->capacity) {
        size_t capacity = 2 * sink->capacity + length;
        unsigned char *grown = realloc(response->body, capacity);
        if (grown == NULL)
            return 0;
        response->body = grown;
        sink->capacity = capacity;
    }
    memcpy(response->body + response->length, bytes, length);
    response->length += length;
    return length;
}

static size_t header(char *bytes, size_t size, size_t count, void *user)
{
    static const char name[] = "retry-after:";
    Sink *sink = user;
    size_t length = size * count;
    if (length < sizeof name || strncasecmp(bytes, name, sizeof name - 1) != 0)
        return length;
    char value[64] = {0};
    size_t rest = length - (sizeof name - 1);
    memcpy(value, bytes + sizeof name - 1, rest < sizeof value ? rest : sizeof value - 1);
    char *end;
    long seconds = strtol(value, &end, 10);
    if (end != value && (*end == '\r' || *end == '\n' || *end == ' ' || *end == '\0')) {
        sink->response->retry_after = seconds < 0 ? 0 : seconds;
    } else {
        time_t then = curl.getdate(value, NULL), now = time(NULL);
        if (then != -1)
            sink->response->retry_after = then > now ? then - now : 0;
    }
    return length;
}

// The connection is kept by the handle; all other options are set anew.
static int configure(ccurl_handle *handle, const char *method, const char *url, void *list, const void *body,
                     size_t length, Sink *sink)
{
    void *easy = handle->easy;
    int failed = 0;
#define SET(option, value) failed |= curl.setopt(easy, option, value)
    SET(OPT_URL, url);
    SET(OPT_HTTPHEADER, list);
    SET(OPT_PROTOCOLS, (long)PROTOCOL_HTTPS);
    SET(OPT_FOLLOWLOCATION, 0L);
    SET(OPT_PROXY, "");
    SET(OPT_NOSIGNAL, 1L);
    SET(OPT_SSL_VERIFYPEER, 1L);
    SET(OPT_SSL_VERIFYHOST, 2L);
    SET(OPT_SSLVERSION, (long)SSLVERSION_TLSv1_2);
    if (handle->ca_file != NULL)
        SET(OPT_CAINFO, handle->ca_file);
    SET(OPT_CONNECTTIMEOUT, handle->connect_seconds);
    SET(OPT_TIMEOUT, handle->seconds);
    SET(OPT_WRITEFUNCTION, receive);
    SET(OPT_WRITEDATA, sink);
    SET(OPT_HEADERFUNCTION, header);
    SET(OPT_HEADERDATA, sink);
    if (body != NULL) {
        SET(OPT_POST, 1L);
        SET(OPT_POSTFIELDS, body);
        SET(OPT_POSTFIELDSIZE_LARGE, (long long)length);
    } else {
        SET(OPT_HTTPGET, 1L);
    }
    SET(OPT_CUSTOMREQUEST, method);
#undef SET
    return failed;
}

int ccurl_request(ccurl_handle *handle, const char *method, const char *url, const char *const *headers,
                  const void *body, size_t length, size_t limit, ccurl_response *response)
{
    *response = (ccurl_response){.retry_after = -1};
    Sink sink = {.response = response, .limit = limit};
    void *list = NULL;
    for (; *headers != NULL; headers++)
        list = curl.append(list, *headers);
    handle->code = 2;
    if (configure(handle, method, url, list, body, length, &sink) == 0) {
        handle->code = curl.perform(handle->easy);
        curl.getinfo(handle->easy, INFO_RESPONSE_CODE, &response->status);
    }
    curl.free_all(list);
    if (sink.is_large)
        return CCURL_TOO_LARGE;
    switch (handle->code) {
    case 0: return CCURL_DONE;
    // Not resolved, not connected, HTTP/2 failures, cut off, timed out, nothing, not sent, not received.
    case 6: case 7: case 16: case 18: case 28: case 52: case 55: case 56: case 92: return CCURL_TRANSIENT;
    // TLS failed, the certificate is not trusted, or its file cannot be read.
    case 35: case 58: case 60: case 77: return CCURL_UNTRUSTED;
    default: return CCURL_OTHER;
    }
}

const char *ccurl_reason(const ccurl_handle *handle) { return curl.error(handle->code); }

void ccurl_free(ccurl_response *response)
{
    free(response->body);
    response->body = NULL;
}
