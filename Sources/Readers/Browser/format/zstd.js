// Zstandard frames, as RFC 8878 specifies them. Section numbers are those of the RFC.
//
// The format of archives asks for frames that state the length of their content and use no dictionary. Everything else
// in a frame is supported: all kinds of blocks, literals, tables, and the checksum.

/** A frame that breaks the rules of RFC 8878, or one that the format of archives does not allow. */
export class FrameError extends Error {}

function check(condition, reason) {
  if (!condition) throw new FrameError(reason);
}

const CUT_OFF = 'something is cut off';
const TOO_LONG = 'the content is longer than stated';
const RESERVED = 'a reserved bit is set';
const FRAME_START = 0xfd2fb528;
const LARGEST_BLOCK = 1 << 17;
/** As libzstd has it. The window takes no memory here: there is room for the whole content. */
const MOST_WINDOW_LOG = 31;
// So many bytes may be read, though not used, behind the end of the input.
export const MARGIN = 8;
/** Where the literals of a block are while it is decompressed. */
const LITERALS = new Uint8Array(LARGEST_BLOCK + MARGIN);

// 3.1.1. Zstandard frames

/** The frame at a place, decompressed; its content may have `most` bytes. Behind the source there is a margin. */
export class Frame {
  constructor(source, at, most) {
    this.source = source;
    this.end = source.length - MARGIN;
    this.at = at;
    check(this.end - at >= 5 && this.number(4) === FRAME_START, 'no frame');
    this.readHeader(most);
    this.output = new Uint8Array(this.contentSize);
    this.produced = 0;
    // The tables and offsets that the next block may use again.
    this.huffman = null;
    this.tables = { literals: null, offsets: null, matches: null };
    this.recentOffsets = [1, 4, 8];
    this.literals = LITERALS;
    this.decompress();
  }

  /** Reads a little-endian number of up to six bytes. */
  number(count) {
    check(this.at + count <= this.end, CUT_OFF);
    let value = 0;
    for (let i = count - 1; i >= 0; i--) value = value * 256 + this.source[this.at + i];
    this.at += count;
    return value;
  }

  // 3.1.1.1. Frame header
  readHeader(most) {
    const descriptor = this.number(1);
    const contentSizeFlag = descriptor >> 6;
    const isSingleSegment = (descriptor & 32) !== 0;
    check((descriptor & 8) === 0, RESERVED);
    this.hasChecksum = (descriptor & 4) !== 0;
    let windowSize = 0;
    if (!isSingleSegment) {
      const window = this.number(1);
      check(10 + (window >> 3) <= MOST_WINDOW_LOG, 'the window is too large');
      const base = 2 ** (10 + (window >> 3));
      windowSize = base + (base / 8) * (window & 7);
    }
    const dictionary = this.number([0, 1, 2, 4][descriptor & 3]);
    check(dictionary === 0, 'the frame needs a dictionary');
    check(contentSizeFlag > 0 || isSingleSegment, 'the frame does not state the length of its content');
    switch (contentSizeFlag) {
      case 0: this.contentSize = this.number(1); break;
      case 1: this.contentSize = this.number(2) + 256; break;
      case 2: this.contentSize = this.number(4); break;
      default: this.contentSize = this.number(4) + this.number(4) * 2 ** 32;
    }
    check(this.contentSize <= most, 'the content is too long');
    if (isSingleSegment) windowSize = this.contentSize;
    this.largestBlock = Math.min(windowSize, LARGEST_BLOCK);
  }

  // 3.1.1.2. Blocks
  decompress() {
    let isLast = false;
    while (!isLast) {
      const header = this.number(3);
      isLast = (header & 1) !== 0;
      const size = header >> 3;
      check(size <= this.largestBlock, 'a block is too long');
      switch ((header >> 1) & 3) {
        case 0: // Raw_Block
          check(this.at + size <= this.end, CUT_OFF);
          this.requireRoom(size);
          this.output.set(this.source.subarray(this.at, this.at + size), this.produced);
          this.at += size;
          this.produced += size;
          break;
        case 1: // RLE_Block
          this.requireRoom(size);
          this.output.fill(this.number(1), this.produced, this.produced + size);
          this.produced += size;
          break;
        case 2: // Compressed_Block
          check(this.at + size <= this.end, CUT_OFF);
          this.decompressBlock(this.at + size);
          break;
        default: throw new FrameError('a block has the reserved type');
      }
    }
    check(this.produced === this.contentSize, 'the content has another length than stated');
    if (this.hasChecksum) {
      check(this.number(4) === Number(xxh64(this.output) & 0xffffffffn), 'the checksum does not match');
    }
  }

  requireRoom(size) {
    check(this.produced + size <= this.contentSize, TOO_LONG);
  }

  // 3.1.1.3. Compressed blocks
  decompressBlock(end) {
    const literalCount = this.readLiterals(end);
    this.executeSequences(end, literalCount);
    this.at = end;
  }

  // 3.1.1.3.1. Literals section
  readLiterals(end) {
    check(this.at < end, CUT_OFF);
    const { source } = this;
    const first = source[this.at];
    const type = first & 3;
    const sizeFormat = (first >> 2) & 3;
    if (type < 2) { // Raw_Literals_Block, RLE_Literals_Block
      const bytes = [1, 2, 1, 3][sizeFormat];
      check(this.at + bytes <= end, CUT_OFF);
      const size = Math.floor(this.number(bytes) / (bytes === 1 ? 8 : 16));
      check(size <= this.largestBlock, 'there are too many literals');
      const stored = type === 0 ? size : 1;
      check(this.at + stored <= end, CUT_OFF);
      if (type === 0) this.literals.set(source.subarray(this.at, this.at + size));
      else this.literals.fill(source[this.at], 0, size);
      this.at += stored;
      return size;
    }
    // Compressed_Literals_Block, Treeless_Literals_Block
    const streams = sizeFormat === 0 ? 1 : 4;
    const sizeBits = [10, 10, 14, 18][sizeFormat];
    check(this.at + (4 + 2 * sizeBits) / 8 <= end, CUT_OFF);
    const header = this.number((4 + 2 * sizeBits + 7) >> 3);
    const size = Math.floor(header / 16) % 2 ** sizeBits;
    const compressed = Math.floor(header / 2 ** (4 + sizeBits)) % 2 ** sizeBits;
    const stop = this.at + compressed;
    check(size <= this.largestBlock && stop <= end, 'there are too many literals');
    check(streams === 1 || size >= 6, 'too few literals for four streams');
    if (type === 2) this.huffman = this.readHuffmanTree(stop);
    check(this.huffman, 'literals use a tree of no block before');
    if (streams === 1) {
      this.decodeLiterals(this.at, stop, 0, size);
    } else {
      // 3.1.1.3.1.6. Jump table
      check(this.at + 6 <= stop, CUT_OFF);
      const part = (size + 3) >> 2;
      const ends = [0, 1, 2].map(() => this.number(2));
      let start = this.at;
      for (let i = 0; i < 3; i++) {
        check(start + ends[i] <= stop, 'a jump table leads outside');
        this.decodeLiterals(start, start + ends[i], i * part, (i + 1) * part);
        start += ends[i];
      }
      check(3 * part <= size, 'too few literals for four streams');
      this.decodeLiterals(start, stop, 3 * part, size);
    }
    this.at = stop;
    return size;
  }

  // 4.2.2. Huffman-coded streams
  decodeLiterals(start, end, from, to) {
    const { source, literals } = this;
    const { cells, maxBits } = this.huffman;
    const mask = (1 << maxBits) - 1;
    const shift = 22 - maxBits;
    const bottom = start * 8;
    let bit = lastBit(source, start, end);
    let at = from;
    // Two codes have at most 22 bits, which one load of 32 has wherever it starts in a byte. A code that is cut off at
    // the start of the stream is completed with other bits, and refused below.
    while (at + 1 < to) {
      const low = bit - 22;
      const byte = low >> 3;
      const word = (source[byte] | (source[byte + 1] << 8) | (source[byte + 2] << 16) | (source[byte + 3] << 24)) >>> (low & 7);
      const one = cells[(word >>> shift) & mask];
      const two = cells[(word >>> (shift - (one >> 8))) & mask];
      literals[at] = one;
      literals[at + 1] = two;
      at += 2;
      bit -= (one >> 8) + (two >> 8);
      if (bit < bottom) throw new FrameError(CUT_OFF);
    }
    if (at < to) {
      const cell = cells[peek(source, bit - maxBits) & mask];
      literals[at] = cell;
      bit -= cell >> 8;
    }
    check(bit === bottom, 'a stream of literals has another length than stated');
  }

  // 4.2.1. Huffman tree description
  readHuffmanTree(stop) {
    check(this.at < stop, CUT_OFF);
    const header = this.number(1);
    const weights = [];
    if (header >= 128) {
      // 4.2.1.1. Weights of four bits each
      const count = header - 127;
      check(this.at + ((count + 1) >> 1) <= stop, CUT_OFF);
      for (let i = 0; i < count; i++) {
        const pair = this.source[this.at + (i >> 1)];
        weights.push(i & 1 ? pair & 15 : pair >> 4);
      }
      this.at += (count + 1) >> 1;
    } else {
      // 4.2.1.2. Weights compressed with FSE
      const end = this.at + header;
      check(end <= stop, CUT_OFF);
      const table = this.readTable(end, 6, 255);
      this.decodeWeights(table, end, weights);
      this.at = end;
    }
    return huffmanTable(weights);
  }

  /** Decodes weights with two states that take turns, until the stream has no bits left for the next state. */
  decodeWeights(table, end, weights) {
    const { source } = this;
    const bottom = this.at * 8;
    let bit = lastBit(source, this.at, end);
    const read = (count) => {
      bit -= count;
      if (bit >= bottom) return peek(source, bit) & ((1 << count) - 1);
      // Bits before the start of the stream are zero.
      const there = Math.max(0, count - (bottom - bit));
      return (peek(source, bottom) & ((1 << there) - 1)) << (count - there);
    };
    const states = [read(table.accuracy), read(table.accuracy)];
    check(bit >= bottom, CUT_OFF);
    for (let turn = 0; ; turn = 1 - turn) {
      const state = states[turn];
      weights.push(table.symbols[state]);
      check(weights.length < 255, 'a Huffman tree has too many symbols');
      states[turn] = table.bases[state] + read(table.bits[state]);
      if (bit < bottom) {
        weights.push(table.symbols[states[1 - turn]]);
        return;
      }
    }
  }

  // 3.1.1.3.2. Sequences section
  executeSequences(end, literalCount) {
    const { source, output, literals, contentSize } = this;
    const count = this.readSequenceCount(end);
    if (count === 0) {
      check(this.at === end, 'something follows the literals of a block');
      this.requireRoom(literalCount);
      output.set(literals.subarray(0, literalCount), this.produced);
      this.produced += literalCount;
      return;
    }
    check(this.at < end, CUT_OFF);
    const modes = this.number(1);
    check((modes & 3) === 0, RESERVED);
    const { tables } = this;
    tables.literals = this.readSequenceTable(modes >> 6, end, LITERAL_LENGTHS, tables.literals);
    tables.offsets = this.readSequenceTable((modes >> 4) & 3, end, OFFSETS, tables.offsets);
    tables.matches = this.readSequenceTable((modes >> 2) & 3, end, MATCH_LENGTHS, tables.matches);
    const { symbols: literalCodes, bits: literalBits, bases: literalBases } = tables.literals;
    const { symbols: offsetCodes, bits: offsetBits, bases: offsetBases } = tables.offsets;
    const { symbols: matchCodes, bits: matchBits, bases: matchBases } = tables.matches;

    // 3.1.1.3.2.1.2. Decoding sequences
    const bottom = this.at * 8;
    let bit = lastBit(source, this.at, end);
    let literalState = peek(source, (bit -= tables.literals.accuracy)) & ((1 << tables.literals.accuracy) - 1);
    let offsetState = peek(source, (bit -= tables.offsets.accuracy)) & ((1 << tables.offsets.accuracy) - 1);
    let matchState = peek(source, (bit -= tables.matches.accuracy)) & ((1 << tables.matches.accuracy) - 1);
    check(bit >= bottom, CUT_OFF);
    let [recent1, recent2, recent3] = this.recentOffsets;
    const blockStart = this.produced;
    const blockEnd = Math.min(contentSize, blockStart + LARGEST_BLOCK);
    let produced = blockStart;
    let literal = 0;

    for (let remaining = count; remaining > 0; remaining--) {
      const offsetCode = offsetCodes[offsetState];
      const matchCode = matchCodes[matchState];
      const literalCode = literalCodes[literalState];
      let offset;
      if (offsetCode > 24) {
        if (offsetCode > 30) throw new FrameError('an offset is too large');
        const high = offsetCode - 24;
        bit -= high;
        offset = (1 << offsetCode) | ((peek(source, bit) & ((1 << high) - 1)) << 24);
        bit -= 24;
        offset |= peek(source, bit) & 0xffffff;
      } else {
        bit -= offsetCode;
        offset = (1 << offsetCode) | (peek(source, bit) & ((1 << offsetCode) - 1));
      }
      let matchLength = MATCH_LENGTHS.baselines[matchCode];
      let extra = MATCH_LENGTHS.extraBits[matchCode];
      if (extra > 0) {
        bit -= extra;
        matchLength += peek(source, bit) & ((1 << extra) - 1);
      }
      let literalLength = LITERAL_LENGTHS.baselines[literalCode];
      extra = LITERAL_LENGTHS.extraBits[literalCode];
      if (extra > 0) {
        bit -= extra;
        literalLength += peek(source, bit) & ((1 << extra) - 1);
      }
      if (remaining > 1) {
        extra = literalBits[literalState];
        bit -= extra;
        literalState = literalBases[literalState] + (peek(source, bit) & ((1 << extra) - 1));
        extra = matchBits[matchState];
        bit -= extra;
        matchState = matchBases[matchState] + (peek(source, bit) & ((1 << extra) - 1));
        extra = offsetBits[offsetState];
        bit -= extra;
        offsetState = offsetBases[offsetState] + (peek(source, bit) & ((1 << extra) - 1));
      }
      if (bit < bottom) throw new FrameError(CUT_OFF);

      // 3.1.1.5. Repeat offsets
      if (offset > 3) {
        offset -= 3;
        recent3 = recent2;
        recent2 = recent1;
        recent1 = offset;
      } else {
        const which = literalLength === 0 ? offset + 1 : offset;
        if (which === 1) {
          offset = recent1;
        } else {
          offset = which === 2 ? recent2 : which === 3 ? recent3 : recent1 - 1;
          if (offset === 0) throw new FrameError('an offset is zero');
          if (which !== 2) recent3 = recent2;
          recent2 = recent1;
          recent1 = offset;
        }
      }

      // 3.1.1.4. Sequence execution
      if (literal + literalLength > literalCount) throw new FrameError('a sequence needs more literals than there are');
      if (produced + literalLength + matchLength > blockEnd) throw new FrameError(TOO_LONG);
      if (literalLength > 32) {
        output.set(literals.subarray(literal, literal + literalLength), produced);
        produced += literalLength;
        literal += literalLength;
      } else {
        for (let i = literalLength; i > 0; i--) output[produced++] = literals[literal++];
      }
      let from = produced - offset;
      if (from < 0) throw new FrameError('an offset leads before the content');
      if (offset >= matchLength && matchLength > 32) {
        output.copyWithin(produced, from, from + matchLength);
        produced += matchLength;
      } else {
        for (let i = matchLength; i > 0; i--) output[produced++] = output[from++];
      }
    }
    check(bit === bottom, 'a sequences section is too long');
    const rest = literalCount - literal;
    check(produced + rest <= blockEnd, TOO_LONG);
    output.set(literals.subarray(literal, literalCount), produced);
    this.produced = produced + rest;
    this.recentOffsets = [recent1, recent2, recent3];
  }

  // 3.1.1.3.2.1. Sequences section header
  readSequenceCount(end) {
    check(this.at < end, CUT_OFF);
    const first = this.number(1);
    if (first < 128) return first;
    check(this.at + (first < 255 ? 1 : 2) <= end, CUT_OFF);
    return first < 255 ? ((first - 128) << 8) + this.number(1) : this.number(2) + 0x7f00;
  }

  readSequenceTable(mode, end, kind, previous) {
    switch (mode) {
      case 0: return kind.predefined; // Predefined_Mode
      case 1: { // RLE_Mode
        check(this.at < end, CUT_OFF);
        const symbol = this.number(1);
        check(symbol <= kind.largestSymbol, 'a table has an unknown symbol');
        return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
      }
      case 2: return this.readTable(end, kind.largestAccuracy, kind.largestSymbol); // FSE_Compressed_Mode
      default: // Repeat_Mode
        check(previous, 'a table of no block before is used');
        return previous;
    }
  }

  // 4.1.1. FSE table description
  readTable(end, largestAccuracy, largestSymbol) {
    const { source } = this;
    check(this.at < end, CUT_OFF);
    let bit = this.at * 8;
    const accuracy = (peek(source, bit) & 15) + 5;
    bit += 4;
    check(accuracy <= largestAccuracy, 'a table is too large');
    let remaining = (1 << accuracy) + 1;
    const probabilities = [];
    while (remaining > 1 && probabilities.length <= largestSymbol) {
      // A value of 0 to `remaining`; the smaller ones need a bit less.
      const bits = 32 - Math.clz32(remaining);
      const lower = (1 << bits) - 1 - remaining;
      const value = peek(source, bit) & ((1 << bits) - 1);
      let probability = value & ((1 << (bits - 1)) - 1);
      if (probability < lower) {
        bit += bits - 1;
      } else {
        probability = value >= 1 << (bits - 1) ? value - lower : value;
        bit += bits;
      }
      probability -= 1; // -1 is "less than 1"
      remaining -= Math.abs(probability);
      check(remaining >= 1, 'a table has too large a sum');
      probabilities.push(probability);
      if (probability === 0) {
        let repeat;
        do {
          repeat = peek(source, bit) & 3;
          bit += 2;
          for (let i = 0; i < repeat; i++) probabilities.push(0);
          check(bit <= end * 8, CUT_OFF);
        } while (repeat === 3);
      }
      check(bit <= end * 8, CUT_OFF);
    }
    check(remaining === 1 && probabilities.length <= largestSymbol + 1, 'a table has a wrong sum');
    this.at = (bit + 7) >> 3;
    return fseTable(probabilities, accuracy);
  }
}

/** The 25 bits from a bit on. Callers mask those that they need. */
function peek(source, bit) {
  const byte = bit >> 3;
  return (source[byte] | (source[byte + 1] << 8) | (source[byte + 2] << 16) | (source[byte + 3] << 24)) >>> (bit & 7);
}

/** The place behind the last bit of a stream that is read backwards: that of the highest bit that is set. */
function lastBit(source, start, end) {
  check(start < end && source[end - 1] !== 0, 'a stream has no end');
  return end * 8 - 8 + (31 - Math.clz32(source[end - 1]));
}

// 4.1. FSE: from probabilities to a table of states

function fseTable(probabilities, accuracy) {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  const next = new Uint16Array(probabilities.length);
  let high = size;
  probabilities.forEach((probability, symbol) => {
    if (probability === -1) symbols[--high] = symbol;
    next[symbol] = Math.abs(probability);
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let position = 0;
  probabilities.forEach((probability, symbol) => {
    for (let i = 0; i < probability; i++) {
      symbols[position] = symbol;
      do position = (position + step) & (size - 1); while (position >= high);
    }
  });
  for (let state = 0; state < size; state++) {
    const number = next[symbols[state]]++;
    bits[state] = accuracy - (31 - Math.clz32(number));
    bases[state] = (number << bits[state]) - size;
  }
  return { accuracy, symbols, bits, bases };
}

// 4.2.1. Huffman: from weights to a table of codes. A cell is the symbol and, above it, the number of bits.

function huffmanTable(weights) {
  let sum = 0;
  for (const weight of weights) {
    check(weight <= 11, 'a weight of a Huffman tree is too large');
    if (weight > 0) sum += 1 << (weight - 1);
  }
  check(sum > 0, 'a Huffman tree has no symbols');
  const maxBits = 32 - Math.clz32(sum);
  const left = (1 << maxBits) - sum;
  check(maxBits <= 11 && (left & (left - 1)) === 0, 'a Huffman tree is not complete');
  const all = [...weights, 32 - Math.clz32(left)];
  check(all.filter((weight) => weight === 1).length >= 2 &&
    all.filter((weight) => weight === 1).length % 2 === 0, 'a Huffman tree is not complete');
  const cells = new Uint16Array(1 << maxBits);
  let at = 0;
  for (let weight = 1; weight <= maxBits; weight++) {
    for (let symbol = 0; symbol < all.length; symbol++) {
      if (all[symbol] !== weight) continue;
      const count = 1 << (weight - 1);
      cells.fill(symbol | ((maxBits + 1 - weight) << 8), at, at + count);
      at += count;
    }
  }
  return { cells, maxBits };
}

// 3.1.1.3.2.1.1. Codes of sequences: literal lengths, match lengths and offsets

/** Baselines of codes: so many that stand for themselves, from `first` on, and then one for each number of extra bits. */
function codes(first, plain, extraBits) {
  const all = [...new Array(plain).fill(0), ...extraBits];
  const baselines = [];
  let next = first;
  for (const bits of all) {
    baselines.push(next);
    next += 2 ** bits;
  }
  return { baselines: Int32Array.from(baselines), extraBits: Uint8Array.from(all) };
}

const LITERAL_LENGTHS = {
  ...codes(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  largestSymbol: 35,
  largestAccuracy: 9,
  // 3.1.1.3.2.2.1.
  predefined: fseTable([4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
    -1, -1, -1, -1], 6),
};
const MATCH_LENGTHS = {
  ...codes(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
  largestSymbol: 52,
  largestAccuracy: 9,
  // 3.1.1.3.2.2.2.
  predefined: fseTable([1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1], 6),
};
const OFFSETS = {
  largestSymbol: 31,
  largestAccuracy: 8,
  // 3.1.1.3.2.2.3.
  predefined: fseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5),
};

// 3.1.1. The checksum is the low half of XXH64 of the content, with a seed of 0. No writer of archives makes one.

const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;

function xxh64(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const wrap = (value) => BigInt.asUintN(64, value);
  const rotate = (value, by) => wrap((value << by) | (value >> (64n - by)));
  const round = (sum, lane) => wrap(rotate(wrap(sum + lane * PRIME_2), 31n) * PRIME_1);
  let at = 0;
  let hash;
  if (data.length >= 32) {
    const sums = [wrap(PRIME_1 + PRIME_2), PRIME_2, 0n, wrap(-PRIME_1)];
    for (; at + 32 <= data.length; at += 32) {
      for (let i = 0; i < 4; i++) sums[i] = round(sums[i], view.getBigUint64(at + 8 * i, true));
    }
    hash = wrap(rotate(sums[0], 1n) + rotate(sums[1], 7n) + rotate(sums[2], 12n) + rotate(sums[3], 18n));
    for (const sum of sums) hash = wrap((hash ^ round(0n, sum)) * PRIME_1 + PRIME_4);
  } else {
    hash = PRIME_5;
  }
  hash = wrap(hash + BigInt(data.length));
  for (; at + 8 <= data.length; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME_1 + PRIME_4);
  }
  if (at + 4 <= data.length) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * PRIME_1), 23n) * PRIME_2 + PRIME_3);
    at += 4;
  }
  for (; at < data.length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(data[at]) * PRIME_5), 11n) * PRIME_1);
  hash = wrap((hash ^ (hash >> 33n)) * PRIME_2);
  hash = wrap((hash ^ (hash >> 29n)) * PRIME_3);
  return hash ^ (hash >> 32n);
}
