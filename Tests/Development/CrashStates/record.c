// Loaded before the C library (LD_PRELOAD), writes down each call that changes a file, with its data: those of healthvault, and
// those of the libraries that write for it, such as SQLite.
//
// The environment variable CRASH_LOG names the log. A record is a line and, for `write`, the data. Files and folders are
// numbers of inodes, names are in hexadecimal digits. With CRASH_EXFAT, what exFAT cannot do fails as it does there.
//
// Nothing writes through mmap: the test compares what the record makes of the files with what the command made of them.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// A call and its record are one step for the other threads.
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;
static int is_exfat;

// The name of a file and the folder that has it.
struct place {
    unsigned long folder;
    char name[2 * 256 + 1];
};

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CRASH_LOG");
    is_exfat = getenv("CRASH_EXFAT") != NULL;
    if (path == NULL) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    // The program looks which descriptors it was started with, the low ones.
    log_file = fcntl(file, F_DUPFD_CLOEXEC, 900);
    syscall(SYS_close, file);
    if (log_file < 0) abort();
}

static void note(const void *data, size_t size, const char *format, ...) {
    if (log_file < 0) return;
    int number = errno;
    char line[2048];
    va_list parts;
    va_start(parts, format);
    int length = vsnprintf(line, sizeof line, format, parts);
    va_end(parts);
    struct iovec pieces[] = {{line, (size_t)length}, {(void *)(uintptr_t)data, size}};
    if (length >= (int)sizeof line || syscall(SYS_writev, log_file, pieces, 2) != length + (long)size) abort();
    errno = number;
}

static unsigned long inode(int folder, const char *path, int flags, mode_t *mode) {
    struct stat status = {0};
    int number = errno;
    unsigned long found = fstatat(folder, path, &status, flags) == 0 ? status.st_ino : 0;
    errno = number;
    if (mode != NULL) *mode = status.st_mode;
    return found;
}

static unsigned long open_inode(int file, mode_t *mode) { return inode(file, "", AT_EMPTY_PATH, mode); }

static struct place place(int folder, const char *path) {
    struct place found = {0};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char parent[4096] = ".";
    if (slash == path) strcpy(parent, "/");
    else if (slash) snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    found.folder = inode(folder, parent, 0, NULL);
    for (size_t index = 0; name[index] && index < 256; index++)
        sprintf(found.name + 2 * index, "%02x", (unsigned char)name[index]);
    return found;
}

static int opening(int folder, const char *path, int flags, mode_t mode) {
    int is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
    if (is_exfat && is_nameless) { errno = EOPNOTSUPP; return -1; }
    // Others may wait for the other end of a pipe.
    if (!is_nameless && !(flags & (O_CREAT | O_TRUNC))) return (int)syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&order);
    unsigned long before = is_nameless ? 0 : inode(folder, path, 0, NULL);
    int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (file >= 0) {
        unsigned long opened = open_inode(file, NULL);
        struct place at = place(folder, path);
        if (is_nameless) note(NULL, 0, "nameless %lu\n", opened);
        else if (before == 0) note(NULL, 0, "create %lu %s %lu\n", at.folder, at.name, opened);
        else if (flags & O_TRUNC) note(NULL, 0, "truncate %lu 0\n", opened);
    }
    pthread_mutex_unlock(&order);
    return file;
}

static mode_t permissions(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

#define OPENING(NAME, FOLDER, ...) \
    int NAME(__VA_ARGS__, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = permissions(flags, more); \
        va_end(more); \
        return opening(FOLDER, path, flags, mode); \
    }
OPENING(open, AT_FDCWD, const char *path)
OPENING(open64, AT_FDCWD, const char *path)
OPENING(openat, folder, int folder, const char *path)
OPENING(openat64, folder, int folder, const char *path)

static ssize_t writing(int file, const void *data, size_t size, off_t offset, int is_placed) {
    mode_t mode;
    unsigned long written = open_inode(file, &mode);
    if (!S_ISREG(mode)) return syscall(SYS_write, file, data, size);
    pthread_mutex_lock(&order);
    ssize_t count = is_placed ? syscall(SYS_pwrite64, file, data, size, offset) : syscall(SYS_write, file, data, size);
    // Where it went is known afterwards, also if the file is one to append to.
    if (count > 0) {
        if (!is_placed) offset = syscall(SYS_lseek, file, 0, SEEK_CUR) - count;
        note(data, (size_t)count, "write %lu %ld %zd\n", written, (long)offset, count);
    }
    pthread_mutex_unlock(&order);
    return count;
}

ssize_t write(int file, const void *data, size_t size) { return writing(file, data, size, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return writing(file, data, size, offset, 1); }
ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) { return writing(file, data, size, offset, 1); }

// A call whose record is the same text whenever it succeeds.
#define RECORDED(CALL, ...) \
    pthread_mutex_lock(&order); \
    int result = (int)(CALL); \
    if (result == 0) note(NULL, 0, __VA_ARGS__); \
    pthread_mutex_unlock(&order); \
    return result;

int ftruncate(int file, off_t size) {
    RECORDED(syscall(SYS_ftruncate, file, size), "truncate %lu %ld\n", open_inode(file, NULL), (long)size)
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int fsync(int file) { RECORDED(syscall(SYS_fsync, file), "sync %lu\n", open_inode(file, NULL)) }
int fdatasync(int file) { RECORDED(syscall(SYS_fdatasync, file), "sync %lu\n", open_inode(file, NULL)) }
int syncfs(int file) { RECORDED(syscall(SYS_syncfs, file), "sync 0\n") }

int mkdirat(int folder, const char *path, mode_t mode) {
    struct place at = place(folder, path);
    RECORDED(syscall(SYS_mkdirat, folder, path, mode), "mkdir %lu %s %lu\n", at.folder, at.name,
             inode(folder, path, AT_SYMLINK_NOFOLLOW, NULL))
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int linkat(int from, const char *path, int to, const char *other, int flags) {
    if (is_exfat) { errno = EPERM; return -1; }
    struct place at = place(to, other);
    RECORDED(syscall(SYS_linkat, from, path, to, other, flags), "link %lu %s %lu\n", at.folder, at.name,
             inode(to, other, AT_SYMLINK_NOFOLLOW, NULL))
}

int unlinkat(int folder, const char *path, int flags) {
    struct place at = place(folder, path);
    RECORDED(syscall(SYS_unlinkat, folder, path, flags), "unlink %lu %s\n", at.folder, at.name)
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int renameat2(int from, const char *path, int to, const char *other, unsigned flags) {
    int is_exchange = (flags & RENAME_EXCHANGE) != 0;
    if (is_exfat && is_exchange) { errno = EINVAL; return -1; }
    struct place old = place(from, path), new = place(to, other);
    RECORDED(syscall(SYS_renameat2, from, path, to, other, flags), "%s %lu %s %lu %s\n", is_exchange ? "exchange" : "rename",
             old.folder, old.name, new.folder, new.name)
}
int renameat(int from, const char *path, int to, const char *other) { return renameat2(from, path, to, other, 0); }
int rename(const char *path, const char *other) { return renameat2(AT_FDCWD, path, AT_FDCWD, other, 0); }
