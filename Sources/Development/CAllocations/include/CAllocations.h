#pragma once

/// Number of allocations that the program has made so far, on all threads.
///
/// The allocator of the C library is replaced by one that counts and passes on, in programs that link this only.
long healthvault_allocation_count(void);
