// SECURITY.md, section 13: headers.

import { ArchiveError, need } from './errors.js';
import { sha256 } from './keys.js';
import { HEADER_SIZE, isEqual, isZero, join, u32, u64 } from './words.js';

const MAGIC = Uint8Array.of(0x89, 0x48, 0x56, 0x4c, 0x54, 0x0d, 0x0a, 0x1a);
const LEAST_ITERATIONS = 100_000;
const MOST_ITERATIONS = 10_000_000;

/** A key slot that is in use. */
class KeySlot {
  constructor(bytes) {
    this.iterations = u32(bytes, 0);
    this.salt = bytes.slice(4, 36);
    this.commitment = bytes.slice(36, 68);
    this.nonce = bytes.slice(68, 80);
    this.encryptedKey = bytes.slice(80, 128);
    /** What the encryption binds: everything before the nonce. */
    this.bound = bytes.slice(0, 68);
  }
}

/** A usable header. Whether it is genuine shows only the file key. */
export class Header {
  /** Checks what can be checked without a key, in the order of the section. `digest` is that of `headerDigest`. */
  constructor(bytes, digest) {
    need(isEqual(bytes.subarray(0, 8), MAGIC), 'notContainer');
    need(bytes.length === HEADER_SIZE && !isZero(bytes.subarray(64)), 'incomplete');
    need(bytes[8] === 1, 'unsupportedVersion');
    need(bytes[9] === 1, 'unsupportedSuite');
    need(isEqual(digest, bytes.subarray(4000, 4032)), 'headerDamaged');
    for (const [from, to] of [[10, 12], [16, 32], [72, 128], [2204, 4000]]) {
      need(isZero(bytes.subarray(from, to)), 'malformedHeader');
    }
    this.segmentChunks = u32(bytes, 12);
    need(this.segmentChunks >= 1 && this.segmentChunks <= 65536, 'malformedHeader');
    this.slots = [];
    for (let at = 128; at < 1152; at += 128) {
      const slot = bytes.subarray(at, at + 128);
      if (u32(slot, 0) > 0) this.slots.push(new KeySlot(slot));
      else need(isZero(slot), 'malformedHeader');
    }
    for (const { iterations } of this.slots) {
      need(iterations >= LEAST_ITERATIONS && iterations <= MOST_ITERATIONS, 'kdfRefused');
    }
    need(this.slots.length > 0, 'malformedHeader');
    this.bytes = bytes;
    this.preamble = bytes.slice(0, 64);
    this.identifier = bytes.slice(32, 64);
    this.generation = u64(bytes, 64);
  }
}

/** The two headers of a file: each a usable header, or the error that it has. The second may be null. */
export async function readHeaders(file) {
  const first = await headerOrError(await file.read(0, HEADER_SIZE));
  const second = file.size >= 2 * HEADER_SIZE
    ? await headerOrError(await file.read(file.size - HEADER_SIZE, HEADER_SIZE)) : null;
  const usable = [first, second].filter((header) => header instanceof Header);
  if (usable.length === 0) throw first;
  return { first, second, usable };
}

/** The digest of a header: that of all its other bytes. */
const headerDigest = (bytes) => sha256(join(bytes.subarray(0, 4000), bytes.subarray(4032)));

async function headerOrError(bytes) {
  const digest = await headerDigest(bytes);
  try {
    return new Header(bytes, digest);
  } catch (error) {
    if (error instanceof ArchiveError) return error;
    throw error;
  }
}
