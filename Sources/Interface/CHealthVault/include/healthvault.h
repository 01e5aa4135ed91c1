/* Archives of healthvault for programs in C, and for all languages that can call C.
 *
 * Tables come as Arrow streams (https://arrow.apache.org/docs/format/CStreamInterface.html), for which no Arrow
 * library is needed: pyarrow, polars, DuckDB and others take them without a copy.
 *
 * Functions return a status, 0 for success; otherwise the exit status that the command `healthvault` ends with, and a
 * message in `error`, which may be NULL. Nothing is returned then. No message contains a passphrase, a key or a health
 * value.
 *
 * Threads: any thread may call any function, and several threads may use one archive at a time. A stream belongs to
 * one thread at a time. A stream keeps what it needs: its archive may be closed before.
 *
 * Processes: after a fork, the child opens archives anew. A handle or stream that it inherited returns an error;
 * closing one in the child frees nothing.
 *
 * Strings are UTF-8 and end with a zero byte; paths are bytes. Structures with a member `size` begin with their size,
 * so that later versions can add members: set it with sizeof, and all other members to 0 or NULL unless you use them.
 */
#ifndef HEALTHVAULT_H
#define HEALTHVAULT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version that this header describes; functions and members are added without a new version. */
#define HV_ABI_VERSION 1

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* An open archive, with those that it continues. */
typedef struct hv_archive hv_archive;

/* What went wrong. */
typedef struct hv_error {
    /* The status that the function returned. */
    int32_t status;
    /* What happened and, on a second line, what to do; cut off if it is too long. */
    char message[508];
} hv_error;

/* Where the key of an archive comes from. */
enum {
    /* `bytes` and `length`: a passphrase. */
    HV_PASSPHRASE = 0,
    /* `path`: a file with a passphrase, one line. */
    HV_PASSPHRASE_FILE = 1,
    /* `path` and `key_path`: a key ring, and the file with its key. */
    HV_KEYRING = 2,
    /* `path`: a command that prints a passphrase, run by the shell. */
    HV_PASSPHRASE_COMMAND = 3
};

typedef struct hv_credential {
    uint32_t size;
    uint32_t kind;
    const char *path;
    const char *key_path;
    const uint8_t *bytes;
    size_t length;
} hv_credential;

/* Texts that repeat come as plain strings rather than as dictionaries. */
#define HV_PLAIN_TEXTS 1u
/* Nothing is decoded ahead: all work happens on the thread that asks for it. */
#define HV_NO_THREADS 2u

/* What to read. Types, times and units are written as on the command line. */
typedef struct hv_query {
    uint32_t size;
    /* HV_PLAIN_TEXTS, HV_NO_THREADS */
    uint32_t flags;
    /* Names of types or groups; none means all. */
    const char *const *types;
    size_t type_count;
    /* Names of columns, in the order wanted; none means the usual ones. Others are not built. */
    const char *const *columns;
    size_t column_count;
    /* The first and the last day or time; NULL for all. */
    const char *since;
    const char *until;
    /* For statistics: hour, day (if NULL), week, month or year. */
    const char *by;
    /* For samples: which of so many slices of about the same size; 0 slices means all. */
    uint32_t slice;
    uint32_t slices;
} hv_query;

/* Returns HV_ABI_VERSION of the library. */
int32_t hv_abi_version(void);

/* Opens an archive, or a plain folder, for which `credential` may be NULL. */
int32_t hv_open(const char *path, const hv_credential *credential, hv_archive **archive, hv_error *error);

/* Closes an archive; NULL is ignored. */
void hv_close(hv_archive *archive);

/* Writes what the archive is, as JSON with zone, exported, samples and sources, and a zero byte.
 * `length` receives the length without the zero byte; a buffer that is too small remains unchanged. */
int32_t hv_describe(hv_archive *archive, char *buffer, size_t capacity, size_t *length, hv_error *error);

/* The types: type, identifier, title, kind, unit, count, first, last. */
int32_t hv_types(hv_archive *archive, struct ArrowArrayStream *stream, hv_error *error);

/* The batches, none of which is decrypted: type, first, last, bytes. */
int32_t hv_batches(hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* Samples, by type and calendar span, within a span in the order of the source: type, start, end, value, text, unit,
 * source; and on request sourceVersion, device, attributes, content (both JSON). */
int32_t hv_samples(hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* Statistics of quantities, with sources merged as `healthvault stats` merges them: type, unit, start, end, count, sum,
 * average, minimum, maximum, partial. */
int32_t hv_statistics(hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* Nights: night, start, end, asleep, core, deep, rem, unspecified, awake, inBed (seconds), sources. */
int32_t hv_sleep(hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* Workouts: id, start, end, activity, duration (s), distance (m), energy (kcal), source. */
int32_t hv_workouts(hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* Electrocardiograms: file, recorded, classification, hertz, device, microvolts (a list). */
int32_t hv_electrocardiograms(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

#ifdef __cplusplus
}
#endif

#endif
