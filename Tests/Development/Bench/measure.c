// measure RESULT COMMAND [ARGUMENT...]: runs a command, and writes into the file RESULT what it took: seconds on the
// clock, in user mode and in the kernel, and its peak of resident memory in bytes. Ends like the command.
//
// This is no script because a process starts with the peak of the one that started it, and a script's is large.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: measure RESULT COMMAND [ARGUMENT...]\n");
        return 2;
    }
    double start = now();
    pid_t child;
    int problem = posix_spawnp(&child, arguments[2], NULL, NULL, arguments + 2, environ);
    if (problem) {
        fprintf(stderr, "measure: %s: %s\n", arguments[2], strerror(problem));
        return 127;
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            perror("measure: wait4");
            return 1;
        }
    }
    double end = now();

    FILE *result = fopen(arguments[1], "w");
    if (!result) {
        perror(arguments[1]);
        return 1;
    }
    fprintf(result, "%.9f %.6f %.6f %lld\n", end - start, seconds(usage.ru_utime), seconds(usage.ru_stime),
            (long long)usage.ru_maxrss * 1024);
    if (fclose(result)) {
        perror(arguments[1]);
        return 1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
