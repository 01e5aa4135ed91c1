#pragma once

#include <stddef.h>
#include <stdint.h>

/// The number of bytes of the page that opens archives in a browser: `Sources/Readers/Browser/open.html`.
size_t healthvault_reader_page_size(void);

/// The byte of the page at an index below its size; 0 at any other.
uint8_t healthvault_reader_page_byte(size_t index);
