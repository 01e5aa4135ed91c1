// SECURITY.md, section 15: segments.

import { diagnoseStranger, diagnoseUnopened } from './diagnosis.js';
import { ArchiveError, need } from './errors.js';
import { cipherKey, decrypt, expand } from './keys.js';
import { CHUNK_SIZE, HEADER_SIZE, NO_SALT, SALT_SIZE, SEALED_SIZE, isEqual, join, u64Bytes, utf8 } from './words.js';

const LABEL = utf8('c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0');
const HEAD_SIZE = 56;
// So many chunks are decrypted together.
const CHUNKS_AT_ONCE = 64;

/** The segments of an archive under one header's keys, if they end at `end`. */
export class Segments {
  constructor(file, keys, end) {
    this.file = file;
    this.keys = keys;
    this.end = end;
    const { segmentChunks } = keys.header;
    this.capacity = segmentChunks * CHUNK_SIZE;
    this.full = segmentChunks * SEALED_SIZE + 72;
    this.count = Math.max(1, Math.ceil((end - HEADER_SIZE) / this.full));
    /** The salts that the index lists; none until it has been read. */
    this.salts = [];
    this.opened = new Map();
    /** For each chunk of the stream, whether its tag has matched. */
    this.checked = new Map();
  }

  get last() {
    return this.count - 1;
  }

  place(index) {
    return HEADER_SIZE + index * this.full;
  }

  sizeInFile(index) {
    return Math.min(this.full, this.end - this.place(index));
  }

  /** How many bytes of the stream a segment has; -1 if no segment has its size. */
  sizeInStream(index) {
    const size = this.sizeInFile(index) - HEAD_SIZE;
    const rest = size % SEALED_SIZE;
    return size < 16 || rest < 16 ? -1 : Math.floor(size / SEALED_SIZE) * CHUNK_SIZE + rest - 16;
  }

  chunkCount(index) {
    return Math.floor(this.sizeInStream(index) / CHUNK_SIZE) + 1;
  }

  /** The length of the stream; -1 if none ends here. */
  get streamLength() {
    const last = this.sizeInStream(this.last);
    return last < 0 ? -1 : this.last * this.capacity + last;
  }

  /** The salt of a segment as it is in the file. */
  async salt(index) {
    return index < 0 ? NO_SALT : this.file.read(this.place(index), SALT_SIZE);
  }

  context(number, isLast, saltBefore) {
    return join(this.keys.header.preamble, u64Bytes(number), Uint8Array.of(isLast ? 1 : 0), saltBefore);
  }

  /** The context of the segment that belongs to a place. The salt before it comes from the index, once that is known. */
  async ownContext(index) {
    const before = index >= 1 && index <= this.salts.length ? this.salts[index - 1] : await this.salt(index - 1);
    return this.context(index, index === this.last, before);
  }

  /** The keys of the segment at a place if it was sealed with this context; null if its commitment does not match. */
  async tryContext(index, context, { comparingCommitment = true } = {}) {
    const head = await this.file.read(this.place(index), HEAD_SIZE);
    if (head.length < HEAD_SIZE) return null;
    const secret = await expand(this.keys.segmentKey, join(LABEL, head.subarray(0, SALT_SIZE), context), 76);
    if (comparingCommitment && !isEqual(secret.subarray(44), head.subarray(SALT_SIZE))) return null;
    const opened = { key: await cipherKey(secret.slice(0, 32)), base: secret.slice(32, 44) };
    secret.fill(0, 0, 32);
    return opened;
  }

  /** The keys of a segment, once its salt and its commitment have been checked. */
  async open(index) {
    if (this.opened.has(index)) return this.opened.get(index);
    if (index < this.salts.length) {
      const found = await this.salt(index);
      if (!isEqual(found, this.salts[index])) throw await diagnoseStranger(this, index, found);
    }
    const opened = await this.tryContext(index, await this.ownContext(index));
    if (!opened) throw await diagnoseUnopened(this, index);
    if (this.opened.size >= 16) this.opened.delete(this.opened.keys().next().value);
    this.opened.set(index, opened);
    return opened;
  }

  /** The plaintext of chunks of a segment. Nothing is given out unless all of their tags match. */
  async openChunks(index, first, end, opened) {
    const parts = [];
    const start = this.place(index) + HEAD_SIZE;
    for (let from = first; from < end; from += CHUNKS_AT_ONCE) {
      const to = Math.min(end, from + CHUNKS_AT_ONCE);
      const stop = Math.min(start + to * SEALED_SIZE, this.place(index) + this.sizeInFile(index));
      const at = start + from * SEALED_SIZE;
      const sealed = await this.file.read(at, stop - at);
      const group = [];
      for (let chunk = from; chunk < to; chunk++) {
        const offset = (chunk - from) * SEALED_SIZE;
        group.push(decrypt(opened.key, nonce(opened.base, chunk), sealed.subarray(offset, offset + SEALED_SIZE)));
      }
      (await Promise.all(group)).forEach((plaintext, i) => {
        if (!plaintext) throw new ArchiveError('chunkDamaged', [index, from + i]);
        parts.push(plaintext);
        this.markChecked(index, from + i);
      });
    }
    return join(...parts);
  }

  markChecked(index, chunk) {
    if (!this.checked.has(index)) this.checked.set(index, new Set());
    this.checked.get(index).add(chunk);
  }

  /** The stream from `start` up to `end`. */
  async read(start, end) {
    const parts = [];
    for (let at = start; at < end;) {
      const index = Math.floor(at / this.capacity);
      const origin = index * this.capacity;
      const size = this.sizeInStream(index);
      const stop = Math.min(end, origin + size);
      need(at < stop, 'badFooter');
      const opened = await this.open(index);
      // The end of a segment is authentic only with its last chunk, which may be empty.
      const endChunk = stop === origin + size ? this.chunkCount(index) : Math.floor((stop - origin - 1) / CHUNK_SIZE) + 1;
      const firstChunk = Math.floor((at - origin) / CHUNK_SIZE);
      const plaintext = await this.openChunks(index, firstChunk, endChunk, opened);
      const skip = at - origin - firstChunk * CHUNK_SIZE;
      parts.push(plaintext.subarray(skip, skip + stop - at));
      at = stop;
    }
    return parts.length === 1 ? parts[0] : join(...parts);
  }

  /** Checks the tags of all chunks that have not been read yet. Calls `report` with each error, and goes on. */
  async checkRest(report) {
    for (let index = 0; index < this.count; index++) {
      const checked = this.checked.get(index) ?? new Set();
      const count = this.chunkCount(index);
      if (checked.size === count) continue;
      try {
        const opened = await this.open(index);
        for (let chunk = 0; chunk < count; chunk++) {
          let stop = chunk;
          while (stop < count && !checked.has(stop)) stop++;
          if (stop > chunk) await this.openChunks(index, chunk, stop, opened);
          chunk = stop;
        }
      } catch (error) {
        report(error);
      }
    }
  }
}

/** `base XOR chunk` */
function nonce(base, chunk) {
  const bytes = base.slice();
  for (let at = 11; chunk > 0; at--, chunk = Math.floor(chunk / 256)) bytes[at] ^= chunk % 256;
  return bytes;
}
