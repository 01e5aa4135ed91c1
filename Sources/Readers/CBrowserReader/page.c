#include "CBrowserReader.h"

// #embed is of C23, and Clang knows it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t page[] = {
#embed "../Browser/open.html"
};

size_t healthvault_reader_page_size(void) { return sizeof page; }

// Byte by byte, so that Swift needs no pointer: the page is short, and written once.
uint8_t healthvault_reader_page_byte(size_t index) { return index < sizeof page ? page[index] : 0; }
