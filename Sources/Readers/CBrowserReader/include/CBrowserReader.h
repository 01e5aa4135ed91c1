#pragma once

#include <stddef.h>
#include <stdint.h>

/// The number of bytes of all parts of the page that opens archives in a browser: those of `Sources/Readers/Browser`.
size_t healthvault_reader_size(void);

/// The byte of the parts at an index below their size; 0 at any other.
uint8_t healthvault_reader_byte(size_t index);
