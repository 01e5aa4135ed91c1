#define _GNU_SOURCE

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int platform_rename_exclusively(int folder, const char *from, const char *to) {
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
    // FAT, exFAT and FUSE do not support RENAME_NOREPLACE.
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
    if (faccessat(folder, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
    return renameat(folder, from, folder, to) == 0 ? 0 : errno;
}

int platform_rename_exchanging(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

static struct pollfd descriptors_at_start[4096];
static nfds_t descriptors_asked;

// Runs before main, and so before this program opens anything. One call of poll checks all descriptors.
__attribute__((constructor)) static void record_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    nfds_t most = sizeof descriptors_at_start / sizeof *descriptors_at_start;
    nfds_t count = limit.rlim_cur < most ? (nfds_t)limit.rlim_cur : most;
    for (nfds_t i = 0; i < count; i++) descriptors_at_start[i].fd = (int)i;
    if (poll(descriptors_at_start, count, 0) >= 0) descriptors_asked = count;
}

bool platform_was_open_at_start(int fd) {
    if (fd < 0 || (nfds_t)fd >= descriptors_asked) return false;
    return (descriptors_at_start[fd].revents & POLLNVAL) == 0;
}

int platform_sync_filesystem(int fd) { return syncfs(fd) == 0 ? 0 : errno; }

int64_t platform_filesystem_type(int fd) {
    struct statfs info;
    return fstatfs(fd, &info) == 0 ? (int64_t)info.f_type : 0;
}

int platform_terminal_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int platform_forbid_core_dumps(void) {
    // Swift's backtracer would print registers, and what they point to, on standard error.
    const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

long platform_local_offset(int64_t seconds) {
    time_t instant = (time_t)seconds;
    struct tm parts;
    return localtime_r(&instant, &parts) ? parts.tm_gmtoff : 0;
}

void platform_drop_cache(int fd) { (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); }

int platform_spawn_shell(const char *command, int *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    // This process ignores these signals; a command that writes into a closed pipe must end.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    pid_t child = 0;
    int failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        return -failure;
    }
    *pid = (int)child;
    return ends[0];
}

int64_t platform_peak_memory_kib(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss : 0;
}

int platform_open_zeros(int64_t size) {
    int file = memfd_create("zeros", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, size) != 0) {
        int number = errno;
        (void)close(file);
        errno = number;
        return -1;
    }
    return file;
}

void platform_share_heap(void) {
    (void)mallopt(M_ARENA_MAX, 1);
    // The columns and texts of a batch are freed for the next batch's: each page from the system costs a fault. What is larger
    // goes back at once, because gaps between large blocks would add to the peak; so does what is free at the end of the heap
    // beyond 16 MiB. Unless told, the library keeps twice its largest block so far.
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

void platform_return_free_memory(void) { (void)malloc_trim(0); }

// The paths in them may be long.
static char interruption_text[1 << 14];
static char second_text[1 << 14];
static volatile sig_atomic_t interruption;

static void handle_interruption(int number) {
    // write and _exit may be called in a signal handler (POSIX, signal-safety).
    // Closing a terminal sends SIGHUP more than once, which is not a second request.
    if (interruption != 0 && number == SIGHUP) return;
    bool is_first = interruption == 0;
    // Before anybody who reads the text can act on it: another thread may handle the next signal.
    if (is_first) interruption = number;
    const char *text = is_first ? interruption_text : second_text;
    int kept = errno;
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
    if (!is_first) _exit(128 + number);
    errno = kept;
}

void platform_catch_interruption(const char *first, const char *second) {
    strncpy(interruption_text, first, sizeof interruption_text - 1);
    strncpy(second_text, second, sizeof second_text - 1);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        struct sigaction former;
        // Signals that the process was started to ignore stay ignored.
        if (sigaction(signals[i], NULL, &former) == 0 && former.sa_handler == SIG_IGN) continue;
        struct sigaction action = {.sa_handler = handle_interruption};
        (void)sigaction(signals[i], &action, NULL);
    }
}

int platform_interruption(void) { return interruption; }

static char terminal_prompt[256];
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static struct sigaction former_actions[4];
static struct sigaction former_stop;
static struct termios former_terminal;
static int guarded_terminal = -1;

static void restore_terminal_and_raise(int number) {
    // write, tcsetattr and raise may be called in a signal handler (POSIX, signal-safety).
    ssize_t ignored = write(guarded_terminal, "\n", 1);
    (void)ignored;
    (void)tcsetattr(guarded_terminal, TCSANOW, &former_terminal);
    signal(number, SIG_DFL);
    raise(number);
}

static void restore_terminal_and_stop(int number) {
    // Everything called here may be called in a signal handler (POSIX, signal-safety).
    int kept = errno;
    struct termios silent;
    int is_known = tcgetattr(guarded_terminal, &silent) == 0;
    (void)tcsetattr(guarded_terminal, TCSANOW, &former_terminal);
    struct sigaction ours, standard = {.sa_handler = SIG_DFL};
    (void)sigaction(number, &standard, &ours);
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, number);
    raise(number);
    (void)pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
    // The process stops here, and continues here.
    (void)sigaction(number, &ours, NULL);
    while (is_known && tcsetattr(guarded_terminal, TCSAFLUSH, &silent) != 0 && errno == EINTR) {}
    ssize_t ignored = write(guarded_terminal, terminal_prompt, strlen(terminal_prompt));
    (void)ignored;
    errno = kept;
}

void platform_guard_terminal(int fd, const char *prompt) {
    if (tcgetattr(fd, &former_terminal) != 0) return;
    guarded_terminal = fd;
    strncpy(terminal_prompt, prompt, sizeof terminal_prompt - 1);
    struct sigaction stopping = {.sa_handler = restore_terminal_and_stop};
    (void)sigaction(SIGTSTP, &stopping, &former_stop);
    if (former_stop.sa_handler == SIG_IGN) (void)sigaction(SIGTSTP, &former_stop, NULL);
    struct sigaction action = {.sa_handler = restore_terminal_and_raise};
    for (int i = 0; i < 4; i++) {
        (void)sigaction(ending_signals[i], &action, &former_actions[i]);
        // Signals that the process was started to ignore stay ignored.
        if (former_actions[i].sa_handler == SIG_IGN) (void)sigaction(ending_signals[i], &former_actions[i], NULL);
    }
}

void platform_unguard_terminal(void) {
    if (guarded_terminal < 0) return;
    for (int i = 0; i < 4; i++) (void)sigaction(ending_signals[i], &former_actions[i], NULL);
    (void)sigaction(SIGTSTP, &former_stop, NULL);
    guarded_terminal = -1;
}

int platform_watch_folder(const char *path)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0)
        return -errno;
    const unsigned events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_ONLYDIR;
    if (inotify_add_watch(fd, path, events) < 0) {
        int number = errno;
        close(fd);
        return -number;
    }
    return fd;
}

void platform_wait_for_change(int fd, int milliseconds)
{
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    if (poll(&waiting, 1, milliseconds) <= 0)
        return;
    char events[4096];
    while (read(fd, events, sizeof events) > 0)
        continue;
}
