// SQLite, and what Swift does not import of it: variadic calls, casts to pointers, and mutable globals.

#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// Switches an option of a connection on or off: sqlite3_db_config is variadic.
static inline int csqlite_configure(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

/// Binds a copy of a text in UTF-8. A null pointer would bind NULL, so an empty text needs another one.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(
        statement, index, text ? (const char *)text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of a blob. A null pointer would bind NULL, so an empty blob needs another one.
static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(statement, index, blob ? blob : "", count, SQLITE_TRANSIENT);
}

/// Makes SQLite the owner of a path, from sqlite3_malloc64, of the folder for temporary files.
///
/// The mutex is the one under which SQLite itself reads and sets the variable (SQLITE_MUTEX_STATIC_TEMPDIR).
static inline void csqlite_set_temporary_folder(char *path) {
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1);
    sqlite3_mutex_enter(mutex);
    sqlite3_free(sqlite3_temp_directory);
    sqlite3_temp_directory = path;
    sqlite3_mutex_leave(mutex);
}

#endif
