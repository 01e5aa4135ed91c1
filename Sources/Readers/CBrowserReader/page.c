#include "CBrowserReader.h"

// #embed is of C23, and Clang knows it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The page, its style, and its modules in the order in which `ReaderPage` names them; behind each is a 0.
static const uint8_t parts[] = {
#embed "../Browser/page/page.html" suffix(, 0, )
#embed "../Browser/page/page.css" suffix(, 0, )
#embed "../Browser/format/errors.js" suffix(, 0, )
#embed "../Browser/format/words.js" suffix(, 0, )
#embed "../Browser/format/diagnosis.js" suffix(, 0, )
#embed "../Browser/format/keys.js" suffix(, 0, )
#embed "../Browser/format/segments.js" suffix(, 0, )
#embed "../Browser/format/stream.js" suffix(, 0, )
#embed "../Browser/format/end.js" suffix(, 0, )
#embed "../Browser/format/zstd.js" suffix(, 0, )
#embed "../Browser/format/frames.js" suffix(, 0, )
#embed "../Browser/format/json.js" suffix(, 0, )
#embed "../Browser/format/index.js" suffix(, 0, )
#embed "../Browser/format/payload.js" suffix(, 0, )
#embed "../Browser/format/entries.js" suffix(, 0, )
#embed "../Browser/format/headers.js" suffix(, 0, )
#embed "../Browser/format/slots.js" suffix(, 0, )
#embed "../Browser/format/chains.js" suffix(, 0, )
#embed "../Browser/format/volumes.js" suffix(, 0, )
#embed "../Browser/format/batches.js" suffix(, 0, )
#embed "../Browser/format/manifest.js" suffix(, 0, )
#embed "../Browser/collection/types.js" suffix(, 0, )
#embed "../Browser/format/rows.js" suffix(, 0, )
#embed "../Browser/collection/zones.js" suffix(, 0, )
#embed "../Browser/collection/collection.js" suffix(, 0, )
#embed "../Browser/collection/beside.js" suffix(, 0, )
#embed "../Browser/page/dom.js" suffix(, 0, )
#embed "../Browser/page/choosing.js" suffix(, 0, )
#embed "../Browser/collection/csv.js" suffix(, 0, )
#embed "../Browser/collection/selection.js" suffix(, 0, )
#embed "../Browser/collection/sha256.js" suffix(, 0, )
#embed "../Browser/collection/zip.js" suffix(, 0, )
#embed "../Browser/collection/saving.js" suffix(, 0, )
#embed "../Browser/collection/sinks.js" suffix(, 0, )
#embed "../Browser/page/savingview.js" suffix(, 0, )
#embed "../Browser/page/contents.js" suffix(, 0, )
#embed "../Browser/collection/totals.js" suffix(, 0, )
#embed "../Browser/page/chart.js" suffix(, 0, )
#embed "../Browser/page/samples.js" suffix(, 0, )
#embed "../Browser/page/session.js" suffix(, 0, )
#embed "../Browser/page/main.js" suffix(, 0, )
};

size_t healthvault_reader_size(void) { return sizeof parts; }

// Byte by byte, so that Swift needs no pointer: the page is short, and joined once.
uint8_t healthvault_reader_byte(size_t index) { return index < sizeof parts ? parts[index] : 0; }
