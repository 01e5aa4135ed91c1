// SECURITY.md, section 9: words and conventions. Numbers are unsigned and big-endian, `||` joins bytes.

export const HEADER_SIZE = 4096;
export const CHUNK_SIZE = 16384;
export const SEALED_SIZE = CHUNK_SIZE + 16;
export const SALT_SIZE = 24;
/** What stands for the salt of the segment before the first one. */
export const NO_SALT = new Uint8Array(SALT_SIZE);

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a text in UTF-8. A lone surrogate becomes U+FFFD. */
export function utf8(text) {
  return encoder.encode(text);
}

/** The text of bytes in UTF-8. Throws a TypeError if they are not. */
export function fromUTF8(bytes) {
  return strictDecoder.decode(bytes);
}

/** `parts[0] || parts[1] || ...` */
export function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The number in four bytes. */
export function u32(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}

/** The number in eight bytes. One of 2^53 or more is rounded, and larger than any length that a file has. */
export function u64(bytes, at) {
  return u32(bytes, at) * 2 ** 32 + u32(bytes, at + 4);
}

/** A number as eight bytes. */
export function u64Bytes(number) {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(number / 2 ** 32));
  view.setUint32(4, number % 2 ** 32);
  return bytes;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of so many lower-case hexadecimal digits; null for anything else. */
export function fromHex(text, digits) {
  if (typeof text !== 'string' || text.length !== digits || !/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from({ length: digits / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function isZero(bytes) {
  return bytes.every((byte) => byte === 0);
}

/** Whether two sequences of bytes are the same, in a time that does not depend on where they differ. */
export function isEqual(one, other) {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i++) difference |= one[i] ^ other[i];
  return difference === 0;
}

/** Orders texts without lone surrogates by their bytes in UTF-8, which is the order of their code points. */
export function compareBytes(one, other) {
  const [a, b] = [utf8(one), utf8(other)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
