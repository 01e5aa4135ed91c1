#define _GNU_SOURCE
#include "cpostgresql.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The declarations of libpq-fe.h that are used, all of them stable since PostgreSQL 9.3.
typedef struct {
    char *keyword, *envvar, *compiled, *val, *label, *dispchar;
    int dispsize;
} Option;

enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PGRES_COPY_IN = 4 };
enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 };
enum { DIAG_SQLSTATE = 'C' };
enum { ERRORS_VERBOSE = 2 };

static struct {
    Option *(*conninfoParse)(const char *, char **);
    Option *(*conninfo)(void *);
    void (*conninfoFree)(Option *);
    void (*freemem)(void *);
    void *(*connectStartParams)(const char *const *, const char *const *, int);
    void (*reset)(void *);
    int (*status)(const void *);
    int (*connectionNeedsPassword)(const void *);
    int (*connectionUsedPassword)(const void *);
    char *(*errorMessage)(const void *);
    void (*finish)(void *);
    int (*setErrorVerbosity)(void *, int);
    void (*(*setNoticeReceiver)(void *, void (*)(void *, const void *), void *))(void *, const void *);
    void *(*execParams)(void *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int);
    int (*resultStatus)(const void *);
    char *(*resultErrorField)(const void *, int);
    int (*ntuples)(const void *);
    int (*nfields)(const void *);
    int (*getlength)(const void *, int, int);
    char *(*getvalue)(const void *, int, int);
    void (*clear)(void *);
    int (*putCopyData)(void *, const char *, int);
    int (*putCopyEnd)(void *, const char *);
    void *(*getResult)(void *);
} pq;

bool cpostgresql_load(void)
{
    static void *library;
    if (library != NULL)
        return true;
    void *found = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (found == NULL)
        return false;
    bool complete = true;
#define LOAD(member, name) \
    complete &= (*(void **)&pq.member = dlsym(found, name)) != NULL
    LOAD(conninfoParse, "PQconninfoParse");
    LOAD(conninfo, "PQconninfo");
    LOAD(conninfoFree, "PQconninfoFree");
    LOAD(freemem, "PQfreemem");
    LOAD(connectStartParams, "PQconnectStartParams");
    LOAD(reset, "PQreset");
    LOAD(status, "PQstatus");
    LOAD(connectionNeedsPassword, "PQconnectionNeedsPassword");
    LOAD(connectionUsedPassword, "PQconnectionUsedPassword");
    LOAD(errorMessage, "PQerrorMessage");
    LOAD(finish, "PQfinish");
    LOAD(setErrorVerbosity, "PQsetErrorVerbosity");
    LOAD(setNoticeReceiver, "PQsetNoticeReceiver");
    LOAD(execParams, "PQexecParams");
    LOAD(resultStatus, "PQresultStatus");
    LOAD(resultErrorField, "PQresultErrorField");
    LOAD(ntuples, "PQntuples");
    LOAD(nfields, "PQnfields");
    LOAD(getlength, "PQgetlength");
    LOAD(getvalue, "PQgetvalue");
    LOAD(clear, "PQclear");
    LOAD(putCopyData, "PQputCopyData");
    LOAD(putCopyEnd, "PQputCopyEnd");
    LOAD(getResult, "PQgetResult");
#undef LOAD
    if (complete)
        library = found;
    return complete;
}

// The reason why a text cannot be parsed may quote a password of it, and goes nowhere.
static Option *parse(const char *text)
{
    char *message = NULL;
    Option *options = pq.conninfoParse(text, &message);
    pq.freemem(message);
    return options;
}

static const char *find(const Option *options, const char *option)
{
    for (const Option *each = options; each != NULL && each->keyword != NULL; each++)
        if (strcmp(each->keyword, option) == 0)
            return each->val;
    return NULL;
}

bool cpostgresql_can_parse(const char *text)
{
    Option *options = parse(text);
    pq.conninfoFree(options);
    return options != NULL;
}

bool cpostgresql_has_option(const char *text, const char *option)
{
    Option *options = parse(text);
    bool has = find(options, option) != NULL;
    pq.conninfoFree(options);
    return has;
}

char *cpostgresql_resolve(const char *text, const char *option)
{
    // libpq resolves the options before it finds that there is no such port.
    const char *keywords[] = {"dbname", "port", NULL};
    const char *values[] = {text, "0", NULL};
    void *connection = pq.connectStartParams(keywords, values, 1);
    Option *options = connection == NULL ? NULL : pq.conninfo(connection);
    const char *value = find(options, option);
    char *copy = value == NULL ? NULL : strdup(value);
    pq.conninfoFree(options);
    if (connection != NULL)
        pq.finish(connection);
    return copy;
}

// Notices are a server's own text, may quote values, and go nowhere.
static void discard(void *argument, const void *result)
{
    (void)argument;
    (void)result;
}

cpostgresql_connection *cpostgresql_connect(const char *text, const char *sslmode)
{
    // What comes later wins: the connection string is expanded in the place of dbname.
    const char *keywords[] = {"fallback_application_name", "connect_timeout", "sslmode", "dbname", NULL};
    // libpq passes over NULL.
    const char *values[] = {"healthvault", "10", sslmode, text, NULL};
    void *connection = pq.connectStartParams(keywords, values, 1);
    // Nothing was read yet, so that no notice was shown; a reset connects again, and waits until that is done.
    if (connection != NULL && pq.status(connection) != CONNECTION_BAD) {
        pq.setNoticeReceiver(connection, discard, NULL);
        // Only then does the reason of a failure have the SQLSTATE.
        pq.setErrorVerbosity(connection, ERRORS_VERBOSE);
        pq.reset(connection);
    }
    return connection;
}

bool cpostgresql_is_connected(cpostgresql_connection *connection)
{
    return connection != NULL && pq.status(connection) == CONNECTION_OK;
}

bool cpostgresql_is_refused(cpostgresql_connection *connection)
{
    return connection != NULL && (pq.connectionNeedsPassword(connection) || pq.connectionUsedPassword(connection));
}

const char *cpostgresql_connection_state(cpostgresql_connection *connection)
{
    static _Thread_local char state[6];
    static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    state[0] = '\0';
    // The severity, which may be in any language, then a colon, two spaces, the code and another colon.
    const char *place = connection == NULL ? NULL : pq.errorMessage(connection);
    while (place != NULL && (place = strstr(place, ":  ")) != NULL) {
        place += 3;
        if (strspn(place, characters) == 5 && place[5] == ':') {
            memcpy(state, place, 5);
            state[5] = '\0';
            break;
        }
    }
    return state;
}

const char *cpostgresql_reason(cpostgresql_connection *connection)
{
    if (connection == NULL)
        return "out of memory";
    char *message = pq.errorMessage(connection);
    message[strcspn(message, "\n")] = '\0';
    return message;
}

void cpostgresql_close(cpostgresql_connection *connection)
{
    if (connection != NULL)
        pq.finish(connection);
}

cpostgresql_result *cpostgresql_run(cpostgresql_connection *connection, const char *sql, int count,
                                    const char *const *values)
{
    return pq.execParams(connection, sql, count, NULL, values, NULL, NULL, 0);
}

int cpostgresql_status(const cpostgresql_result *result)
{
    switch (result == NULL ? -1 : pq.resultStatus(result)) {
    case PGRES_COMMAND_OK: return CPOSTGRESQL_DONE;
    case PGRES_TUPLES_OK: return CPOSTGRESQL_ROWS;
    case PGRES_COPY_IN: return CPOSTGRESQL_COPY_IN;
    default: return CPOSTGRESQL_FAILED;
    }
}

const char *cpostgresql_state(const cpostgresql_result *result)
{
    const char *state = result == NULL ? NULL : pq.resultErrorField(result, DIAG_SQLSTATE);
    return state == NULL ? "" : state;
}

int cpostgresql_row_count(const cpostgresql_result *result) { return pq.ntuples(result); }

int cpostgresql_column_count(const cpostgresql_result *result) { return pq.nfields(result); }

int cpostgresql_value_length(const cpostgresql_result *result, int row, int column)
{
    return pq.getlength(result, row, column);
}

const char *cpostgresql_value(const cpostgresql_result *result, int row, int column)
{
    return pq.getvalue(result, row, column);
}

void cpostgresql_free(cpostgresql_result *result)
{
    if (result != NULL)
        pq.clear(result);
}

bool cpostgresql_send(cpostgresql_connection *connection, const void *bytes, size_t count)
{
    return pq.putCopyData(connection, bytes, (int)count) == 1;
}

cpostgresql_result *cpostgresql_end_copy(cpostgresql_connection *connection)
{
    if (pq.putCopyEnd(connection, NULL) != 1)
        return NULL;
    void *first = pq.getResult(connection), *next;
    while ((next = pq.getResult(connection)) != NULL)
        pq.clear(next);
    return first;
}
