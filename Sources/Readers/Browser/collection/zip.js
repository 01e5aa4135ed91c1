// Zip files (APPNOTE.TXT 6.3.10) of files that are stored as they are, as streams: the sizes are put in afterwards.

import { utf8 } from '../format/words.js';

const LARGEST_32 = 0xffffffff;
const HAS_UTF8_NAME = 1 << 11;
const FIRST_DAY = (1 << 5) | 1; // 1980-01-01

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32 of bytes that follow those whose CRC-32 is `before`. */
export function crc32(bytes, before = 0) {
  let sum = ~before;
  for (let i = 0; i < bytes.length; i++) sum = (sum >>> 8) ^ CRC_TABLE[(sum ^ bytes[i]) & 0xff];
  return ~sum >>> 0;
}

/** Little-endian numbers, each given as its length and value. */
function numbers(...pairs) {
  const bytes = new Uint8Array(pairs.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (let [length, value] of pairs) {
    for (; length > 0; length--, value = Math.floor(value / 256)) bytes[at++] = value % 256;
  }
  return bytes;
}

export class ZipWriter {
  constructor(sink) {
    Object.assign(this, { sink, entries: [], current: null });
  }

  /** Begins a file, whose bytes follow with `write`. */
  async begin(path) {
    this.current = { name: utf8(path), offset: this.sink.length, size: 0, crc: 0 };
    await this.sink.write(this.localHeader(this.current));
    await this.sink.write(this.current.name);
  }

  async write(bytes) {
    this.current.crc = crc32(bytes, this.current.crc);
    this.current.size += bytes.length;
    if (this.current.size >= LARGEST_32) throw new RangeError('a file is too large for a zip');
    await this.sink.write(bytes);
  }

  async end() {
    await this.sink.replace(this.current.offset, this.localHeader(this.current));
    this.entries.push(this.current);
    this.current = null;
  }

  localHeader({ name, size, crc }) {
    return numbers([4, 0x04034b50], [2, 20], [2, HAS_UTF8_NAME], [2, 0], [2, 0], [2, FIRST_DAY], [4, crc], [4, size], [4, size],
      [2, name.length], [2, 0]);
  }

  /** Writes the central directory. */
  async finish() {
    const start = this.sink.length;
    for (const { name, offset, size, crc } of this.entries) {
      const isFar = offset >= LARGEST_32;
      await this.sink.write(numbers([4, 0x02014b50], [2, 0x0300 | 45], [2, isFar ? 45 : 20], [2, HAS_UTF8_NAME], [2, 0], [2, 0],
        [2, FIRST_DAY], [4, crc], [4, size], [4, size], [2, name.length], [2, isFar ? 12 : 0], [2, 0], [2, 0], [2, 0],
        [4, 0o100600 * 65536], [4, isFar ? LARGEST_32 : offset]));
      await this.sink.write(name);
      if (isFar) await this.sink.write(numbers([2, 1], [2, 8], [8, offset]));
    }
    const end = this.sink.length;
    const count = this.entries.length;
    if (end >= LARGEST_32 || count >= 0xffff) {
      await this.sink.write(numbers([4, 0x06064b50], [8, 44], [2, 0x0300 | 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count],
        [8, end - start], [8, start]));
      await this.sink.write(numbers([4, 0x07064b50], [4, 0], [8, end], [4, 1]));
    }
    await this.sink.write(numbers([4, 0x06054b50], [2, 0], [2, 0], [2, Math.min(count, 0xffff)], [2, Math.min(count, 0xffff)],
      [4, Math.min(end - start, LARGEST_32)], [4, Math.min(start, LARGEST_32)], [2, 0]));
    this.entries = [];
  }
}
