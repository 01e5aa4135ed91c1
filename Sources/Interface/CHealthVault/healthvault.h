/*
 * Reads archives of healthvault: samples, statistics and nights as Arrow streams.
 *
 * A program links libhealthvault.so, which exports nothing but the functions below. Tables are returned through the Arrow C
 * stream interface (https://arrow.apache.org/docs/format/CStreamInterface.html), three structs that any Arrow library can
 * import without a copy; no Arrow library is needed.
 *
 *     hv_error error = {.size = sizeof error};
 *     hv_credential key = {.size = sizeof key, .kind = HV_PASSPHRASE_FILE, .path = "passphrase.txt"};
 *     hv_archive *archive = NULL;
 *     if (hv_open("health.hvault", &key, &archive, &error)) errx(error.status, "%s", error.message);
 *     const char *types[] = {"heartRate"};
 *     hv_query query = {.size = sizeof query, .types = types, .type_count = 1, .since = "2024"};
 *     struct ArrowArrayStream stream;
 *     int32_t status = hv_samples(archive, &query, &stream, &error);
 *
 * Statuses are the exit statuses of the command: 0 for success, 1 failed, 2 a wrong argument, 10 not found, 12 wrong
 * passphrase, 13 damaged, 14 not supported, and so on. Every function that can fail fills in the error, if it is not NULL.
 * Messages name paths and types and contain no value, no passphrase and no key.
 *
 * Versions. A program compares hv_abi_version() with HV_ABI_VERSION. Structs begin with their size, so that members can be
 * added at their ends: a member beyond the size that the caller states is taken to be 0. Unknown flags, a kind that this
 * version does not know, and members that it does not know and that are not 0 are refused with status 2.
 *
 * Threads. An archive may be used by several threads at once. A stream belongs to one thread at a time. A schema or array
 * that a stream has returned belongs to its consumer, and may be released on any thread and after its stream and archive. A
 * stream keeps its archive open: hv_close may be called before its streams are released. Streams decode ahead on threads of
 * their own, which block all signals, and which end before the release of the stream returns. The thread that calls get_next
 * decodes as well, instead of waiting for them.
 *
 * Processes. After fork(), a handle or stream of the parent is of no use to the child: each function returns status 1
 * (a stream EINVAL) and changes nothing; hv_close and release return without freeing memory that another thread may have
 * been using. The child opens the archive anew. Secrets of an inherited handle are in the child's memory as well until it
 * calls exec or ends.
 */
#ifndef HEALTHVAULT_H
#define HEALTHVAULT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface; it changes if a program that was compiled before could not use the library any more. */
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

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* An open archive with those that it continues. */
typedef struct hv_archive hv_archive;

/* What went wrong. The caller sets the size. Texts are UTF-8, end with NUL, and are cut where they do not fit. */
typedef struct hv_error {
    uint32_t size;
    int32_t status;     /* the exit status that the command would have */
    char code[32];      /* its name in the command's JSON, such as wrongPassphrase; unknownName for that of a type or column, */
                        /* keyRing for an error of a key ring or its key */
    char message[1024]; /* what happened, and where */
    char hint[512];     /* what to do next; may be empty */
} hv_error;

/*
 * Where the passphrase or key of an archive comes from. The key ring that was used last stays in memory with its key, until
 * another one is used or the process ends.
 */
enum {
    HV_PASSPHRASE = 1,         /* bytes and length: the passphrase in UTF-8, without a line end */
    HV_PASSPHRASE_FILE = 2,    /* path: a file with the passphrase in its only line; a pipe works too */
    HV_PASSPHRASE_COMMAND = 3, /* path: a command for the shell that prints it */
    HV_KEYRING = 4             /* path: a key ring; key_path: the file with its key */
};

typedef struct hv_credential {
    uint32_t size;
    uint32_t kind;
    const char *path;
    const char *key_path;
    const uint8_t *bytes;
    size_t length;
} hv_credential;

/* Flags of a query. */
enum {
    HV_PLAIN_TEXT = 1 /* texts are plain strings; otherwise those that repeat are dictionaries */
};

/*
 * What to read. NULL in place of a query, and 0 or NULL in a member, mean everything.
 *
 * Names of types are those of the command: heartRate, HKQuantityTypeIdentifierHeartRate, 'Heart Rate', group:vitals. Times
 * are written as on the command line (2024, 2024-05, 2024-05-31, 2024-05-31T18:30, with an offset, today, yesterday), and
 * mean days in the time zone of the export; both bounds are inclusive.
 */
typedef struct hv_query {
    uint32_t size;
    uint32_t flags;
    const char *const *types;
    size_t type_count;
    const char *const *columns;
    size_t column_count;
    const char *since;
    const char *until;
    const char *by;   /* hv_statistics: hour, day (the default), week, month or year */
    uint32_t slice;   /* hv_samples, hv_batches: the part to read, from 0, of */
    uint32_t slices;  /* this many parts of about the same size, which together are the whole; 0 for all of it */
    uint32_t threads; /* threads that decode ahead: 0 for as many as there are processors to spare, at most 4; */
                      /* HV_NO_THREADS to decode on the caller's thread alone */
    uint32_t reserved;
} hv_query;

#define HV_NO_THREADS UINT32_MAX

/* Returns HV_ABI_VERSION of the library. */
int32_t hv_abi_version(void);

/*
 * Opens an archive and those that it continues, or the newest archive in a folder. A passphrase takes as long as its key
 * derivation, about half a second.
 */
int32_t hv_open(const char *path, const hv_credential *credential, hv_archive **archive, hv_error *error);

/* Closes an archive; its keys are wiped when its last stream is released. NULL is ignored. */
void hv_close(hv_archive *archive);

/*
 * The types of samples, without decrypting any: type, name (short), count (int64), first and last (timestamps: the earliest and
 * the latest start). The schema's metadata has the facts about the archive: path, zone, exported, identifier (of the newest
 * container), archives, batches. The query is ignored.
 */
int32_t hv_types(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/* The batches that may contain requested samples, without decrypting any: type, span, part, count, first, last, bytes. */
int32_t hv_batches(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The samples of some types and a time, type by type and from the oldest span to the newest; within a batch of the archive by
 * start. An array has some thousands of rows, of several batches.
 *
 *     type        text       the identifier
 *     startDate   timestamp  microseconds since 1970 in UTC; null where the sample has none, such as a day's activity summary,
 *     endDate                whose day is among the attributes
 *     value       double     null where the value is no number
 *     valueText   text       the value where it is no number, such as that of a category
 *     unit        text       as written
 *     sourceName  text       the name of the app or device
 *
 * heartbeatSeries, the samples with heartbeats, is asked for without other types.
 *
 * These are the columns unless others are named. Also: creationDate (timestamp), sourceVersion (text), device (text, its
 * name), position (int64, in the source), id (text, as the command prints it), metadata (map of texts), attributes (map of
 * texts: all attributes of the XML element, times in ISO form), content (text: nested elements as JSON).
 */
int32_t hv_samples(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * Statistics of quantities, and of categories that are named, by intervals, with several sources merged as the command `stats`
 * merges them: type, startDate, endDate (timestamps), day (date: of the start, in the export's zone), unit (that of the source),
 * count (int64), sum, average, minimum, maximum (double; null where the type has none), durationSeconds (double: of categories),
 * isPartial (bool).
 */
int32_t hv_statistics(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The nights that end in a time: night (date), startDate, endDate (timestamps), the seconds asleep and in each stage (int64:
 * asleepSeconds, coreSeconds, deepSeconds, remSeconds, unspecifiedSeconds, awakeSeconds, inBedSeconds, gapSeconds), sources
 * (list of texts). Types of the query are ignored.
 */
int32_t hv_sleep(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The workouts: id, startDate, endDate, activity, durationSeconds (double, without pauses, or from start to end where the export
 * does not state it), distance and energy (double) with distanceUnit and energyUnit, sourceName, sourceVersion, device. Types of the
 * query are ignored.
 */
int32_t hv_workouts(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The activity rings: day (date), energy and energyGoal (double) with energyUnit, moveMinutes, exerciseMinutes and standHours, each
 * with its goal: exerciseMinutesGoal (double; null where the day has none). Types are ignored.
 */
int32_t hv_rings(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The points of the routes of workouts, one array for each workout: workout (text: its id), segment (int64, from 0 in each
 * workout: nothing was recorded between two), time (timestamp), latitude, longitude (double, degrees), altitude,
 * horizontalAccuracy, verticalAccuracy (double, metres), speed (double, metres a second), course (double, degrees; -1 if
 * unknown). Types are ignored.
 */
int32_t hv_routes(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * The electrocardiograms, one array for each: recordedDate (timestamp), file, classification (HealthKit's; null if the text is in a
 * language that is not understood), classificationText (as written), symptoms (list of texts), samplingFrequency,
 * durationSeconds (double), device, softwareVersion, lead, microvolts (list of doubles). Types are ignored.
 */
int32_t hv_electrocardiograms(
    hv_archive *archive, const hv_query *query, struct ArrowArrayStream *stream, hv_error *error);

/*
 * For Python: the destructor of a PyCapsule named arrow_array_stream, whose struct was allocated with malloc. Python code cannot be
 * a destructor: one may run while an exception is being raised.
 */
void hv_destroy_capsule(void *capsule);

#ifdef __cplusplus
}
#endif

#endif /* HEALTHVAULT_H */
