// What Swift's Glibc overlay hides: variadic calls, calls behind _GNU_SOURCE, and macros.

#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Renames a file unless the target exists, atomically where the file system can do that (RENAME_NOREPLACE),
/// elsewhere after a check. Both names are in the open folder. Returns 0, or an errno.
int platform_rename_exclusively(int folder, const char *from, const char *to);

/// Makes the first SIGINT, SIGTERM or SIGHUP write a text to standard error and be remembered; a second one, except
/// SIGHUP, writes another text and ends the process with 128 plus the signal's number. Signals that the process was
/// started to ignore stay ignored.
void platform_catch_interruption(const char *first, const char *second);

/// Returns the number of the remembered signal, or 0.
int platform_interruption(void);

/// Exchanges two names in an open folder in one step. Returns 0, or an errno: EINVAL if the file system cannot do
/// that.
int platform_rename_exchanging(int folder, const char *from, const char *to);

/// Whether the process was started with the descriptor, before it opened anything itself; false for numbers from
/// 4096 on.
bool platform_was_open_at_start(int fd);

/// Flushes the file system that holds `fd`. Returns 0, or an errno.
int platform_sync_filesystem(int fd);

/// The magic number of the file system that holds `fd` (statfs.f_type), or 0.
int64_t platform_filesystem_type(int fd);

/// Columns of the terminal at `fd`, or 0.
int platform_terminal_columns(int fd);

/// Forbids core dumps, and reading of this process's memory by others. Returns 0, or an errno.
int platform_forbid_core_dumps(void);

/// The local time's offset from UTC in seconds at the instant `seconds`.
long platform_local_offset(int64_t seconds);

/// Tells the kernel to drop the cached pages of `fd`, so that the next read comes from the drive.
void platform_drop_cache(int fd);

/// Starts `command` with /bin/sh and its standard output on a pipe. Returns the read end, or -errno; sets `pid` to
/// the child.
int platform_spawn_shell(const char *command, int *pid);

/// Starts to watch a folder for files that arrive, are written or renamed. Returns a descriptor, or -errno.
int platform_watch_folder(const char *path);

/// Waits until something happens in the folder of a descriptor of `platform_watch_folder`, at most so long, and forgets
/// what has happened.
void platform_wait_for_change(int fd, int milliseconds);

/// Peak resident set size of this process, in KiB.
int64_t platform_peak_memory_kib(void);

/// Opens a file without a name that has so many zeros, which take no memory. Returns -1 and sets errno on failure.
int platform_open_zeros(int64_t size);

/// Makes all threads share one heap: several heaps take several times the memory that is in use.
void platform_share_heap(void);

/// Gives free memory of the heap back to the system, wherever in the heap it is.
void platform_return_free_memory(void);

/// Guards the terminal at `fd` until `platform_unguard_terminal`: a signal that ends or stops the process first
/// restores the terminal's current settings; when a stopped process continues, echo is off again and `prompt` is
/// shown once more.
void platform_guard_terminal(int fd, const char *prompt);

/// Restores the signal handlers that `platform_guard_terminal` replaced. The caller restores the terminal's
/// settings.
void platform_unguard_terminal(void);

#endif
