// Makes a program answer the same each time: the clock stands still at SAME_CLOCK, and what is drawn by chance follows from
// N and from the arguments. Clocks that measure how long something takes go on.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t now;
static uint64_t seed;
// How often so many bytes were drawn. What is drawn in other lengths meanwhile, on other threads, changes nothing.
static unsigned draws[256];

// SplitMix64.
static uint64_t mixed(uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

// Two programs that one command starts draw other numbers, too. Paths and addresses that are other ones in each run do not count.
__attribute__((constructor)) static void start(int count, char **arguments) {
    const char *clock = getenv("SAME_CLOCK"), *number = getenv("N");
    now = clock ? atoll(clock) : 0;
    seed = number ? strtoull(number, NULL, 10) : 0;
    for (int place = 1; place < count; place++) {
        if (arguments[place][0] == '/' || strstr(arguments[place], "://")) continue;
        for (const char *letter = arguments[place]; *letter; letter++) seed = mixed(seed ^ (unsigned char)*letter);
        seed = mixed(seed);
    }
}

time_t time(time_t *place) {
    if (place) *place = now;
    return now;
}

int gettimeofday(struct timeval *restrict place, void *restrict zone) {
    (void)zone;
    *place = (struct timeval){now, 0};
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *place) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return (int)syscall(SYS_clock_gettime, clock, place);
    *place = (struct timespec){now, 0};
    return 0;
}

int RAND_bytes(unsigned char *bytes, int count) {
    unsigned draw = __atomic_fetch_add(&draws[count & 255], 1, __ATOMIC_RELAXED);
    uint64_t state = mixed(mixed(seed) ^ mixed((uint64_t)draw << 32 | (unsigned)count));
    for (int place = 0; place < count; place++) {
        if (place % 8 == 0) state = mixed(state);
        bytes[place] = (unsigned char)(state >> place % 8 * 8);
    }
    return 1;
}

int RAND_priv_bytes(unsigned char *bytes, int count) { return RAND_bytes(bytes, count); }

// Swift draws its numbers so, its other calls are made as they are. All numbers are the same one, whatever is drawn before. It is
// odd, which no range of a whole number of bits rejects.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    register long d __asm__("r10") = va_arg(list, long);
    register long e __asm__("r8") = va_arg(list, long);
    register long f __asm__("r9") = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom) {
        for (long place = 0; place < b; place++)
            ((unsigned char *)a)[place] = (unsigned char)((mixed(seed) | 1) >> place % 8 * 8);
        return b;
    }
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
