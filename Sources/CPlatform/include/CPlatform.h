// What Swift's Glibc overlay hides: variadic calls, calls behind _GNU_SOURCE, and macros.

#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Rename that refuses to replace an existing target where the file system can promise that (RENAME_NOREPLACE);
/// elsewhere a plain rename after a check. Both names are in the open folder. Returns 0, or an errno.
int platform_rename_exclusively(int folder, const char *from, const char *to);

/// From now on the first SIGINT or SIGTERM writes the text to standard error and is remembered; a second one ends the
/// process with 128 and the signal's number.
void platform_pause_on_interruption(const char *text);

/// The number of the signal that was remembered, or 0.
int platform_interruption(void);

/// Lets two names in an open folder change places in one step. Returns 0, or an errno: EINVAL where the file system cannot.
int platform_rename_exchanging(int folder, const char *from, const char *to);

/// The process had the descriptor when it was started, before it opened anything itself; numbers from 4096 on are not
/// looked at.
bool platform_was_open_at_start(int fd);

/// Flushes the file system that holds `fd`. Returns 0, or an errno.
int platform_sync_filesystem(int fd);

/// The magic number of the file system that holds `fd` (statfs.f_type), or 0.
int64_t platform_filesystem_type(int fd);

/// Columns of the terminal at `fd`, or 0.
int platform_terminal_columns(int fd);

/// Forbids core dumps and reading this process's memory by others. Returns 0, or an errno.
int platform_forbid_core_dumps(void);

/// The local time's offset from UTC in seconds at the instant `seconds`.
long platform_local_offset(int64_t seconds);

/// Tells the kernel to drop the cached pages of `fd`, so that the next read comes from the drive.
void platform_drop_cache(int fd);

/// Runs `command` with /bin/sh, its standard output on a pipe. Returns the read end, or -errno; `pid` gets the child.
int platform_spawn_shell(const char *command, int *pid);

/// Peak resident set size of this process, in KiB.
int64_t platform_peak_memory_kib(void);

/// Lets all threads share one heap: several keep several times the memory that is in use.
void platform_share_heap(void);

/// Until `platform_forget_terminal`, a signal that ends or stops the process first gives the terminal at `fd` back as it
/// is now; when a stopped process goes on, the terminal is silent again and `prompt` is shown once more.
void platform_guard_terminal(int fd, const char *prompt);

/// The terminal is as it was; signals are the process's own again.
void platform_forget_terminal(void);

#endif
