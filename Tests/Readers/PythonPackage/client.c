/*
 * A program that uses the C interface as one by somebody else would: `client.c CHECK ARCHIVE PASSPHRASE_FILE RING KEY [FACTS]`.
 *
 * test_c_interface.py compiles it with the address and undefined behaviour sanitizers, runs each check by its name, and hands it what
 * the command answers: FACTS has a line for each type with its identifier, the number of samples, the sum of the values,
 * and the earliest start in microseconds, 0 if there is none. The first wrong answer ends it.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "healthvault.h"

/* Of the address sanitizer, for which gcc has no header; missing where the program is compiled without it. */
__attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes(void);

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\nlast error: %d %s: %s\n", __FILE__, __LINE__, #condition, error.status,        \
                    error.code, error.message);                                                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef int32_t opening(hv_archive *, const hv_query *, struct ArrowArrayStream *, hv_error *);

static opening *const tables[] = {hv_types,    hv_batches, hv_samples, hv_statistics,        hv_sleep,
                                  hv_workouts, hv_rings,   hv_routes,  hv_electrocardiograms};
enum { TABLES = sizeof tables / sizeof *tables };

static const char *path, *secret, *ring, *key, *facts;

static hv_credential by_passphrase(void) {
    return (hv_credential){.size = sizeof(hv_credential), .kind = HV_PASSPHRASE_FILE, .path = secret};
}

static hv_credential by_ring(void) {
    return (hv_credential){.size = sizeof(hv_credential), .kind = HV_KEYRING, .path = ring, .key_path = key};
}

static hv_archive *opened(hv_credential credential) {
    hv_error error = {.size = sizeof error};
    hv_archive *archive = NULL;
    CHECK(hv_open(path, &credential, &archive, &error) == 0);
    CHECK(archive != NULL);
    return archive;
}

/* Reads all bytes that an array describes, so that the sanitizer sees each; a column of fixed width or of texts. */
static uint64_t touch(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    uint64_t sum = 0;
    size_t length = (size_t)array->length;
    if (array->n_buffers && array->buffers[0])
        for (size_t byte = 0; byte < (length + 7) / 8; byte++) sum += ((const uint8_t *)array->buffers[0])[byte];
    size_t width = strchr("lgt", schema->format[0]) && strcmp(schema->format, "tdD") ? 8 : 4;
    if (!strcmp(schema->format, "b")) {
        for (size_t byte = 0; byte < (length + 7) / 8; byte++) sum += ((const uint8_t *)array->buffers[1])[byte];
    } else if (!strcmp(schema->format, "u")) {
        const int32_t *ends = array->buffers[1];
        for (int32_t byte = 0; byte < ends[length]; byte++) sum += ((const uint8_t *)array->buffers[2])[byte];
    } else if (schema->format[0] == '+') {
        if (schema->format[1] != 's') sum += (uint64_t)((const int32_t *)array->buffers[1])[length];
    } else {
        for (size_t byte = 0; byte < width * length; byte++) sum += ((const uint8_t *)array->buffers[1])[byte];
    }
    for (int64_t child = 0; child < array->n_children; child++)
        sum += touch(schema->children[child], array->children[child]);
    if (array->dictionary) sum += touch(schema->dictionary, array->dictionary);
    return sum;
}

/* Reads a stream to its end; the number of its rows. */
static int64_t rows(opening *table, hv_archive *archive, const hv_query *query) {
    hv_error error = {.size = sizeof error};
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    CHECK(table(archive, query, &stream, &error) == 0);
    CHECK(stream.get_schema(&stream, &schema) == 0);
    int64_t count = 0;
    while (1) {
        struct ArrowArray array;
        CHECK(stream.get_next(&stream, &array) == 0);
        if (!array.release) break;
        CHECK(array.n_children == schema.n_children && array.offset == 0);
        touch(&schema, &array);
        count += array.length;
        array.release(&array);
        CHECK(!array.release);
    }
    struct ArrowArray after;
    CHECK(stream.get_next(&stream, &after) == 0 && !after.release);
    schema.release(&schema);
    stream.release(&stream);
    CHECK(!schema.release && !stream.release);
    return count;
}

/* The samples of each type against the command's answers. */
static void values(hv_archive *archive) {
    hv_error error = {.size = sizeof error};
    char type[128];
    long expected, first, types = 0;
    double expected_sum;
    FILE *file = fopen(facts, "r");
    CHECK(file);
    while (fscanf(file, "%127s %ld %lf %ld", type, &expected, &expected_sum, &first) == 4) {
        const char *names[] = {type}, *columns[] = {"startDate", "value"};
        hv_query query = {.size = sizeof query, .types = names, .type_count = 1, .columns = columns, .column_count = 2};
        struct ArrowArrayStream stream;
        struct ArrowArray array;
        CHECK(hv_samples(archive, &query, &stream, &error) == 0);
        int64_t count = 0, earliest = INT64_MAX;
        double sum = 0;
        while (1) {
            CHECK(stream.get_next(&stream, &array) == 0);
            if (!array.release) break;
            const int64_t *starts = array.children[0]->buffers[1];
            const uint8_t *timed = array.children[0]->buffers[0];
            const uint8_t *valid = array.children[1]->buffers[0];
            const double *numbers = array.children[1]->buffers[1];
            for (int64_t row = 0; row < array.length; row++) {
                if ((!timed || timed[row / 8] >> row % 8 & 1) && starts[row] < earliest) earliest = starts[row];
                if (!valid || valid[row / 8] >> row % 8 & 1) sum += numbers[row];
            }
            count += array.length;
            array.release(&array);
        }
        stream.release(&stream);
        if (count != expected || (earliest == INT64_MAX ? 0 : earliest) != first || fabs(sum - expected_sum) > 1e-9 * fabs(sum)) {
            fprintf(stderr, "%s: %ld rows, sum %.17g, first %ld\n", type, (long)count, sum, (long)earliest);
            exit(1);
        }
        types++;
    }
    fclose(file);
    CHECK(types > 0 && rows(hv_types, archive, NULL) == types);
}

static void walk(void) {
    hv_error error = {.size = sizeof error};
    hv_credential credentials[] = {by_passphrase(), by_ring()};
    for (int number = 0; number < 2; number++) {
        hv_archive *archive = opened(credentials[number]);
        values(archive);
        for (int table = 0; table < TABLES; table++) CHECK(rows(tables[table], archive, NULL) > 0);
        const char *columns[] = {"id",   "metadata", "attributes", "content", "device", "sourceVersion", "creationDate",
                                 "type", "position", "valueText", "unit", "sourceName", "endDate"};
        for (uint32_t plain = 0; plain < 2; plain++) {
            hv_query query = {.size = sizeof query, .flags = plain ? HV_PLAIN_TEXT : 0, .columns = columns,
                              .column_count = sizeof columns / sizeof *columns};
            int64_t all = rows(hv_samples, archive, &query), parts = 0;
            CHECK(all == rows(hv_samples, archive, NULL));
            for (query.slice = 0, query.slices = 3; query.slice < 3; query.slice++)
                parts += rows(hv_samples, archive, &query);
            CHECK(parts == all);
        }
        hv_close(archive);
    }
}

static int entries(const char *folder) {
    int count = 0;
    DIR *listed = opendir(folder);
    while (readdir(listed)) count++;
    closedir(listed);
    return count;
}

static int descriptors(void) { return entries("/proc/self/fd"); }

/* A stream that is given up: not read at all, at the first array, in the middle; what it has returned is released after it. */
static void begin_with(hv_archive *archive, int round, uint32_t threads) {
    hv_error error = {.size = sizeof error};
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray arrays[3] = {{0}};
    hv_query query = {.size = sizeof query, .threads = threads};
    CHECK(tables[round % TABLES](archive, &query, &stream, &error) == 0);
    CHECK(stream.get_schema(&stream, &schema) == 0);
    int read = round / TABLES % 4;
    for (int number = 0; number < read; number++) CHECK(stream.get_next(&stream, &arrays[number]) == 0);
    /* A consumer may move an array, move a child out of its parent, and release them in any order. */
    struct ArrowArray child = {0}, moved = arrays[0];
    if (moved.release && round % 2) {
        child = *moved.children[0];
        moved.children[0]->release = NULL;
    }
    stream.release(&stream);
    for (int number = 1; number < 3; number++)
        if (arrays[number].release) arrays[number].release(&arrays[number]);
    if (moved.release) moved.release(&moved);
    if (child.release) {
        touch(schema.children[0], &child);
        child.release(&child);
    }
    struct ArrowSchema part = *schema.children[1];
    schema.children[1]->release = NULL;
    schema.release(&schema);
    CHECK(part.name[0]);
    part.release(&part);
}

static void begin(hv_archive *archive, int round) { begin_with(archive, round, (uint32_t)(round / TABLES) % 4); }

static void begin_alone(hv_archive *archive, int round) { begin_with(archive, round, HV_NO_THREADS); }

/*
 * Checks that something leaves memory, descriptors and threads as they were, each time with a fresh archive that is closed before
 * the bytes are counted. A leak grows with every round; what is kept for the next time grows until there is enough of it:
 * libdispatch keeps up to 1,024 continuations of 64 bytes for each thread that works, and each round may leave one.
 */
static void repeat(int times, void (*body)(hv_archive *, int)) {
    hv_error error = {.size = sizeof error};
    int files, threads, groups = 0, still = 0, enough = 30 + 2 * 1024 * (int)sysconf(_SC_NPROCESSORS_ONLN) / (times / 5);
    size_t before, now = 0;
    do {
        files = descriptors();
        threads = entries("/proc/self/task");
        before = now ? now : __sanitizer_get_current_allocated_bytes();
        hv_archive *archive = opened(by_ring());
        for (int round = 0; round < times / 5; round++) body(archive, round);
        hv_close(archive);
        now = __sanitizer_get_current_allocated_bytes();
        still = now > before ? 0 : still + 1;
    } while (++groups < 5 || (still < 3 && groups < enough));
    if (still < 3) {
        fprintf(stderr, "%zu bytes are allocated, and %zu before the last %d times\n", now, before, times / 5);
        exit(1);
    }
    CHECK(descriptors() == files);
    /* The system lists a thread for a moment after it was joined. */
    CHECK(entries("/proc/self/task") < threads + 10);
}

/* Returns the most bytes that are allocated after each of some groups of rounds, which read the tables in all ways of `begin`. */
static size_t most(int groups, void (*body)(hv_archive *, int), hv_archive *archive) {
    size_t found = 0;
    for (int group = 0; group < groups; group++) {
        for (int round = 0; round < 4 * TABLES; round++) body(archive, round);
        size_t now = __sanitizer_get_current_allocated_bytes();
        if (now > found) found = now;
    }
    return found;
}

enum { GROUPS = 10 };

/*
 * Checks that an archive that stays open does not gather what its streams leave. It keeps a decoder for each thread that works at
 * a time, whose size depends on what it decoded last: with one, the counts recur once there are enough continuations.
 */
static void repeat_in_one(void (*body)(hv_archive *, int)) {
    hv_error error = {.size = sizeof error};
    hv_archive *archive = opened(by_ring());
    int files, threads, sets = 0, enough = 10 + 2 * 1024 * (int)sysconf(_SC_NPROCESSORS_ONLN) / (GROUPS * 4 * TABLES);
    size_t before, now = most(GROUPS, body, archive);
    do {
        files = descriptors();
        threads = entries("/proc/self/task");
        before = now;
        now = most(GROUPS, body, archive);
    } while (now > before && ++sets < enough);
    if (now > before) {
        fprintf(stderr, "%zu bytes are allocated, and %zu before\n", now, before);
        exit(1);
    }
    CHECK(descriptors() == files);
    CHECK(entries("/proc/self/task") < threads + 10);
    hv_close(archive);
}

static void open_and_close(hv_archive *archive, int round) {
    (void)archive;
    hv_archive *other = opened(by_ring());
    if (round % 2) rows(hv_workouts, other, NULL);
    hv_close(other);
}

static void fail(hv_archive *archive, int round) {
    hv_error error = {.size = sizeof error};
    const char *types[] = {"hartRate"};
    struct ArrowArrayStream stream;
    hv_query query = {.size = sizeof query, .types = types, .type_count = 1};
    hv_credential credential = by_ring();
    hv_archive *none;
    CHECK(tables[2](archive, &query, &stream, &error) == 2);
    CHECK(hv_open(round % 2 ? "/nowhere" : secret, &credential, &none, &error));
}

static void abandon(void) {
    hv_error error = {.size = sizeof error};
    repeat(500, begin);
    repeat(200, open_and_close);
    repeat(500, fail);
    repeat_in_one(begin_alone);
    /* An archive may be closed before what was read from it. */
    hv_archive *archive = opened(by_ring());
    int files = descriptors();
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    CHECK(hv_samples(archive, NULL, &stream, &error) == 0);
    hv_close(archive);
    CHECK(stream.get_next(&stream, &array) == 0 && array.release && descriptors() == files);
    stream.release(&stream);
    array.release(&array);
    CHECK(descriptors() < files);
}

static void errors(void) {
    hv_error error = {.size = sizeof error};
    hv_archive *archive = NULL, *good = opened(by_ring());
    hv_credential credential = {.size = sizeof credential, .kind = HV_PASSPHRASE, .bytes = (const uint8_t *)"not this one",
                                .length = 12};
    CHECK(hv_open(path, &credential, &archive, &error) == 12 && !archive);
    CHECK(error.status == 12 && !strcmp(error.code, "wrongPassphrase") && strstr(error.message, path));
    CHECK(!strstr(error.message, "not this one") && !strstr(error.hint, "not this one"));
    credential = by_ring();
    CHECK(hv_open("/nowhere/health.hvault", &credential, &archive, &error) == 10 && strstr(error.message, "/nowhere"));
    CHECK(hv_open(secret, &credential, &archive, &error) == 14 || error.status == 11);
    credential.key_path = secret;
    CHECK(hv_open(path, &credential, &archive, &error) && !strcmp(error.code, "keyRing"));
    credential.key_path = NULL;
    CHECK(hv_open(path, &credential, &archive, &error) == 2);
    credential = (hv_credential){.size = sizeof credential, .kind = 77};
    CHECK(hv_open(path, &credential, &archive, &error) == 2);
    credential = by_ring();
    CHECK(hv_open(NULL, &credential, &archive, &error) == 2 && hv_open(path, NULL, &archive, &error) == 2);
    CHECK(hv_open(path, &credential, NULL, &error) == 2 && hv_open(NULL, NULL, NULL, NULL) == 2);
    credential.size = 0;
    CHECK(hv_open(path, &credential, &archive, &error) == 2 && strstr(error.message, "hv_credential"));
    hv_close(NULL);

    struct ArrowArrayStream stream;
    for (int table = 0; table < TABLES; table++) {
        CHECK(tables[table](NULL, NULL, &stream, &error) == 2 && !stream.release);
        CHECK(tables[table](good, NULL, NULL, &error) == 2);
        CHECK(tables[table](good, NULL, NULL, NULL) == 2);
    }
    const char *types[] = {"hartRate"}, *columns[] = {"valeu"}, *none[] = {NULL};
    hv_query query = {.size = sizeof query, .types = types, .type_count = 1};
    CHECK(hv_samples(good, &query, &stream, &error) == 2 && !stream.release);
    CHECK(!strcmp(error.code, "unknownName") && strstr(error.message, "hartRate") && strstr(error.hint, "heartRate"));
    query = (hv_query){.size = sizeof query, .columns = columns, .column_count = 1};
    CHECK(hv_samples(good, &query, &stream, &error) == 2 && strstr(error.hint, "value"));
    query = (hv_query){.size = sizeof query, .types = none, .type_count = 1};
    CHECK(hv_samples(good, &query, &stream, &error) == 2);
    query = (hv_query){.size = sizeof query, .type_count = 1};
    CHECK(hv_samples(good, &query, &stream, &error) == 2);
    query = (hv_query){.size = sizeof query, .since = "soon"};
    CHECK(hv_samples(good, &query, &stream, &error) == 2 && strstr(error.message, "soon"));
    query = (hv_query){.size = sizeof query, .by = "decade"};
    CHECK(hv_statistics(good, &query, &stream, &error) == 2 && strstr(error.hint, "month"));
    query = (hv_query){.size = sizeof query, .slice = 3, .slices = 3};
    CHECK(hv_samples(good, &query, &stream, &error) == 2);
    query = (hv_query){.size = sizeof query, .flags = 1U << 9};
    CHECK(hv_samples(good, &query, &stream, &error) == 2);
    query = (hv_query){.size = 3};
    CHECK(hv_samples(good, &query, &stream, &error) == 2 && strstr(error.message, "hv_query"));

    /* A caller with fewer members, and one with more, which are 0 or not. */
    query = (hv_query){.size = 8, .since = "never read"};
    CHECK(rows(hv_samples, good, &query) == rows(hv_samples, good, NULL));
    struct {
        hv_query query;
        uint64_t later;
    } longer = {{.size = sizeof longer}, 0};
    CHECK(rows(hv_samples, good, &longer.query) == rows(hv_samples, good, NULL));
    longer.later = 1;
    CHECK(hv_samples(good, &longer.query, &stream, &error) == 2);

    /* Nothing is written beyond the members that a caller has. */
    hv_error small;
    memset(&small, 'x', sizeof small);
    small.size = offsetof(hv_error, message);
    CHECK(hv_samples(good, &longer.query, &stream, &small) == 2 && small.status == 2 && !strcmp(small.code, "usage"));
    CHECK(small.message[0] == 'x' && small.hint[511] == 'x');
    hv_close(good);
}

static void children(void) {
    hv_error error = {.size = sizeof error};
    hv_archive *archive = opened(by_ring());
    for (int table = 0; table < TABLES; table++) CHECK(rows(tables[table], archive, NULL) > 0);
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    CHECK(hv_samples(archive, NULL, &stream, &error) == 0);
    CHECK(stream.get_next(&stream, &array) == 0 && array.release);
    pid_t child = fork();
    if (!child) {
        struct ArrowArrayStream other;
        struct ArrowArray next;
        struct ArrowSchema schema;
        CHECK(hv_samples(archive, NULL, &other, &error) == 1 && strstr(error.hint, "again"));
        CHECK(stream.get_next(&stream, &next) == EINVAL && stream.get_schema(&stream, &schema) == EINVAL);
        CHECK(strstr(stream.get_last_error(&stream), "again"));
        array.release(&array);
        stream.release(&stream);
        hv_close(archive);
        hv_archive *own = opened(by_ring());
        for (int table = 0; table < TABLES; table++) CHECK(rows(tables[table], own, NULL) > 0);
        hv_close(own);
        /* What the parent has opened stays in memory, as documented: no leak of the child. */
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    array.release(&array);
    CHECK(stream.get_next(&stream, &array) == 0 && array.release);
    array.release(&array);
    stream.release(&stream);
    hv_close(archive);
}

static void *read_all(void *archive) {
    int64_t count = 0;
    for (int table = 0; table < TABLES; table++) count += rows(tables[table], archive, NULL);
    return (void *)(intptr_t)count;
}

static void together(void) {
    hv_error error = {.size = sizeof error};
    hv_archive *archive = opened(by_ring());
    void *expected = read_all(archive);
    pthread_t readers[6];
    for (int number = 0; number < 6; number++) CHECK(!pthread_create(&readers[number], NULL, read_all, archive));
    for (int number = 0; number < 6; number++) {
        void *count;
        CHECK(!pthread_join(readers[number], &count) && count == expected);
    }
    hv_close(archive);
}

int main(int count, char **arguments) {
    hv_error error = {.size = sizeof error};
    CHECK(count >= 6 && hv_abi_version() == HV_ABI_VERSION);
    path = arguments[2], secret = arguments[3], ring = arguments[4], key = arguments[5], facts = arguments[6];
    const struct {
        const char *name;
        void (*run)(void);
    } checks[] = {{"walk", walk}, {"abandon", abandon}, {"errors", errors}, {"children", children}, {"together", together}};
    for (size_t number = 0; number < sizeof checks / sizeof *checks; number++)
        if (!strcmp(checks[number].name, arguments[1])) {
            checks[number].run();
            return 0;
        }
    return 2;
}
