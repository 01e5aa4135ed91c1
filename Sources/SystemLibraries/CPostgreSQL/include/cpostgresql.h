// libpq, loaded when it is first used: the program starts without it, and runs where it is not installed.
//
// Every function but cpostgresql_load must be called only after that has returned true.

#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cpostgresql_connection cpostgresql_connection;
typedef struct cpostgresql_result cpostgresql_result;

/// What a result says.
enum {
    CPOSTGRESQL_DONE = 0,
    CPOSTGRESQL_ROWS = 1,
    CPOSTGRESQL_COPY_IN = 2,
    CPOSTGRESQL_FAILED = 3,
};

/// Loads libpq. Returns whether it is there.
bool cpostgresql_load(void);

/// Whether a connection string can be parsed.
bool cpostgresql_can_parse(const char *text);

/// Whether a connection string sets an option itself; false for one that cannot be parsed.
bool cpostgresql_has_option(const char *text, const char *option);

/// Returns the value of an option that a connection string, its service, the environment or libpq's default gives, to be
/// freed; NULL if there is none. Nothing is connected to.
char *cpostgresql_resolve(const char *text, const char *option);

/// Connects; an `sslmode` that is not NULL applies in place of that of the service and the environment, but not of that
/// in the connection string. Returns a connection to be closed, see cpostgresql_is_connected; NULL if out of memory.
cpostgresql_connection *cpostgresql_connect(const char *text, const char *sslmode);
bool cpostgresql_is_connected(cpostgresql_connection *connection);

/// Whether a connection failed because the server asked for a password or refused it.
bool cpostgresql_is_refused(cpostgresql_connection *connection);

/// The SQLSTATE with which a server refused a connection; an empty text if none did. Valid until the next call.
const char *cpostgresql_connection_state(cpostgresql_connection *connection);

/// The first line of the reason why a connection failed; valid until it is closed.
const char *cpostgresql_reason(cpostgresql_connection *connection);
void cpostgresql_close(cpostgresql_connection *connection);

/// Runs one statement with parameters in text form. The result must be freed.
cpostgresql_result *cpostgresql_run(cpostgresql_connection *connection, const char *sql, int count,
                                    const char *const *values);
int cpostgresql_status(const cpostgresql_result *result);

/// The five characters of SQLSTATE, or an empty text; the message is left out, because it may quote values.
const char *cpostgresql_state(const cpostgresql_result *result);
int cpostgresql_row_count(const cpostgresql_result *result);
int cpostgresql_column_count(const cpostgresql_result *result);
int cpostgresql_value_length(const cpostgresql_result *result, int row, int column);
const char *cpostgresql_value(const cpostgresql_result *result, int row, int column);
void cpostgresql_free(cpostgresql_result *result);

/// Sends data of a COPY that a statement has begun. Returns whether it was queued.
bool cpostgresql_send(cpostgresql_connection *connection, const void *bytes, size_t count);

/// Ends a COPY. Returns its result, which must be freed; NULL if the connection was lost.
cpostgresql_result *cpostgresql_end_copy(cpostgresql_connection *connection);

#endif
