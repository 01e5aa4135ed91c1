// SECURITY.md, section 17: stream and footer.

import { need } from './errors.js';
import { fromHex, isEqual, u64, utf8 } from './words.js';

export const FOOTER_SIZE = 64;

/** Reads the footer, the last bytes of the stream. */
export async function readFooter(segments) {
  const total = segments.streamLength;
  const bytes = await segments.read(total - FOOTER_SIZE, total);
  const payloadLength = u64(bytes, 8);
  const indexLength = u64(bytes, 16);
  need(isEqual(bytes.subarray(0, 8), utf8('HVFOOT01')) && u64(bytes, 24) === total &&
    payloadLength + indexLength + FOOTER_SIZE <= total, 'badFooter');
  return { payloadLength, indexLength, indexDigest: bytes.slice(32, 64) };
}

/** The salts that the index lists, as bytes. */
export function listedSalts(salts, payloadLength, capacity) {
  need(Array.isArray(salts) && salts.length === Math.floor(payloadLength / capacity) + 1, 'badFooter');
  return salts.map((digits) => {
    const salt = fromHex(digits, 48);
    need(salt, 'badFooter');
    return salt;
  });
}
