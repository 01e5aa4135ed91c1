#pragma once

#include <stddef.h>
#include <stdint.h>

/// The four words of a SipHash between two words of a message.
typedef struct {
    uint64_t v0, v1, v2, v3;
} healthvault_sip_state;

/// The two halves of a hash, or of a sum of hashes.
typedef struct {
    uint64_t low, high;
} healthvault_sip_hash;

/// How messages are hashed side by side: with the instructions that all processors have, or with wider ones.
typedef enum {
    healthvault_sip_baseline,
    healthvault_sip_avx2,
    healthvault_sip_avx512,
} healthvault_sip_variant;

/// Returns the widest variant that this processor has.
healthvault_sip_variant healthvault_sip_widest(void);

/// Adds up the SipHash-2-4-128 of messages, modulo 2^128.
///
/// The first words of all messages come first, then the second ones, and so on. The last word of a message has its length in
/// the highest byte.
///
/// @param lengths For each message, the number of its words before the last one.
/// @param states What messages start with.
/// @param places For each message, the place of its state.
healthvault_sip_hash healthvault_sip_sum(const uint64_t *words, size_t count, const ptrdiff_t *lengths,
                                         const healthvault_sip_state *states, const ptrdiff_t *places,
                                         healthvault_sip_variant variant);
