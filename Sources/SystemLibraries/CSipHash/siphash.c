#include "CSipHash.h"

#include <string.h>

_Static_assert(sizeof(ptrdiff_t) == sizeof(uint64_t), "lengths and words are as wide as each other");

// Eight words, one of each of eight messages. The compiler takes as many instructions for an operation as they need where the
// processor's registers are not as wide.
typedef uint64_t Lanes __attribute__((vector_size(64)));

typedef struct {
    Lanes v0, v1, v2, v3;
} State;

enum { lanes = 8 };

#define inlined static inline __attribute__((always_inline))

#define ROTATED(x, count) ((x) << (count) | (x) >> (64 - (count)))

// The round of SipHash (Aumasson and Bernstein, 2012), of one message or of eight.
#define ROUND(s)                        \
    do {                                \
        (s)->v0 += (s)->v1;             \
        (s)->v2 += (s)->v3;             \
        (s)->v1 = ROTATED((s)->v1, 13); \
        (s)->v3 = ROTATED((s)->v3, 16); \
        (s)->v1 ^= (s)->v0;             \
        (s)->v3 ^= (s)->v2;             \
        (s)->v0 = ROTATED((s)->v0, 32); \
        (s)->v2 += (s)->v1;             \
        (s)->v0 += (s)->v3;             \
        (s)->v1 = ROTATED((s)->v1, 17); \
        (s)->v3 = ROTATED((s)->v3, 21); \
        (s)->v1 ^= (s)->v2;             \
        (s)->v3 ^= (s)->v0;             \
        (s)->v2 = ROTATED((s)->v2, 32); \
    } while (0)

#define COMPRESS(s, word)  \
    do {                   \
        (s)->v3 ^= (word); \
        ROUND(s);          \
        ROUND(s);          \
        (s)->v0 ^= (word); \
    } while (0)

// Leaves the two halves of the hash in `low` and `high`.
#define FINISH(s, low, high)                              \
    do {                                                  \
        (s)->v2 ^= 0xee;                                  \
        for (int round = 0; round < 4; round++) ROUND(s); \
        (low) = (s)->v0 ^ (s)->v1 ^ (s)->v2 ^ (s)->v3;    \
        (s)->v1 ^= 0xdd;                                  \
        for (int round = 0; round < 4; round++) ROUND(s); \
        (high) = (s)->v0 ^ (s)->v1 ^ (s)->v2 ^ (s)->v3;   \
    } while (0)

inlined void add(healthvault_sip_hash *sum, uint64_t low, uint64_t high) {
    sum->high += high + (uint64_t)__builtin_add_overflow(sum->low, low, &sum->low);
}

inlined void add_one(const uint64_t *words, size_t count, ptrdiff_t length, const healthvault_sip_state *start,
                     healthvault_sip_hash *sum) {
    healthvault_sip_state state = *start;
    uint64_t low, high;
    for (ptrdiff_t word = 0; word <= length; word++) COMPRESS(&state, words[(size_t)word * count]);
    FINISH(&state, low, high);
    add(sum, low, high);
}

// Of messages that have ended the state stays what it was while the longer ones go on.
inlined void add_eight(const uint64_t *words, size_t count, const ptrdiff_t *lengths, const healthvault_sip_state *states,
                       const ptrdiff_t *places, healthvault_sip_hash *sum) {
    const healthvault_sip_state *first = &states[places[0]];
    State state = {(Lanes){} + first->v0, (Lanes){} + first->v1, (Lanes){} + first->v2, (Lanes){} + first->v3};
    ptrdiff_t least = lengths[0], most = lengths[0];
    for (int lane = 1; lane < lanes; lane++) {
        least = lengths[lane] < least ? lengths[lane] : least;
        most = lengths[lane] > most ? lengths[lane] : most;
        if (places[lane] == places[0]) continue;
        const healthvault_sip_state *start = &states[places[lane]];
        state.v0[lane] = start->v0;
        state.v1[lane] = start->v1;
        state.v2[lane] = start->v2;
        state.v3[lane] = start->v3;
    }
    Lanes word, ends;
    memcpy(&ends, lengths, sizeof ends);
    for (ptrdiff_t number = 0; number <= least; number++) {
        memcpy(&word, words + (size_t)number * count, sizeof word);
        COMPRESS(&state, word);
    }
    for (ptrdiff_t number = least + 1; number <= most; number++) {
        State before = state;
        memcpy(&word, words + (size_t)number * count, sizeof word);
        COMPRESS(&state, word);
        Lanes goes_on = (Lanes)(ends >= (uint64_t)number);
        state.v0 = (state.v0 & goes_on) | (before.v0 & ~goes_on);
        state.v1 = (state.v1 & goes_on) | (before.v1 & ~goes_on);
        state.v2 = (state.v2 & goes_on) | (before.v2 & ~goes_on);
        state.v3 = (state.v3 & goes_on) | (before.v3 & ~goes_on);
    }
    Lanes low, high;
    FINISH(&state, low, high);
    for (int lane = 0; lane < lanes; lane++) add(sum, low[lane], high[lane]);
}

inlined void add_all(const uint64_t *words, size_t count, const ptrdiff_t *lengths, const healthvault_sip_state *states,
                     const ptrdiff_t *places, healthvault_sip_hash *sum) {
    size_t place = 0;
    for (; place + lanes <= count; place += lanes) {
        add_eight(words + place, count, lengths + place, states, places + place, sum);
    }
    for (; place < count; place++) add_one(words + place, count, lengths[place], &states[places[place]], sum);
}

static void add_baseline(const uint64_t *words, size_t count, const ptrdiff_t *lengths, const healthvault_sip_state *states,
                         const ptrdiff_t *places, healthvault_sip_hash *sum) {
    add_all(words, count, lengths, states, places, sum);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void add_avx2(const uint64_t *words, size_t count, const ptrdiff_t *lengths,
                                                     const healthvault_sip_state *states, const ptrdiff_t *places,
                                                     healthvault_sip_hash *sum) {
    add_all(words, count, lengths, states, places, sum);
}

__attribute__((target("avx512f"))) static void add_avx512(
    const uint64_t *words, size_t count, const ptrdiff_t *lengths, const healthvault_sip_state *states, const ptrdiff_t *places,
    healthvault_sip_hash *sum) {
    add_all(words, count, lengths, states, places, sum);
}

healthvault_sip_variant healthvault_sip_widest(void) {
    if (__builtin_cpu_supports("avx512f")) return healthvault_sip_avx512;
    if (__builtin_cpu_supports("avx2")) return healthvault_sip_avx2;
    return healthvault_sip_baseline;
}

#else

#define add_avx2 add_baseline
#define add_avx512 add_baseline

healthvault_sip_variant healthvault_sip_widest(void) { return healthvault_sip_baseline; }

#endif

healthvault_sip_hash healthvault_sip_sum(const uint64_t *words, size_t count, const ptrdiff_t *lengths,
                                         const healthvault_sip_state *states, const ptrdiff_t *places,
                                         healthvault_sip_variant variant) {
    healthvault_sip_hash sum = {0, 0};
    switch (variant) {
    case healthvault_sip_avx512: add_avx512(words, count, lengths, states, places, &sum); break;
    case healthvault_sip_avx2: add_avx2(words, count, lengths, states, places, &sum); break;
    case healthvault_sip_baseline: add_baseline(words, count, lengths, states, places, &sum); break;
    }
    return sum;
}
