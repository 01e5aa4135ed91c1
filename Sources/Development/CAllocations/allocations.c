#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// The allocator of glibc under the names that stay when its own are replaced.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long count;

static void add(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

long healthvault_allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

void *malloc(size_t size) {
    add();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    add();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    add();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    add();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    add();
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}
