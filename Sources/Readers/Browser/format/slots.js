// SECURITY.md, section 14: from the passphrase to the file key.

import { ArchiveError, need } from './errors.js';
import { cipherKey, decrypt, expand, hmac, hmacKey, pbkdf2 } from './keys.js';
import { hex, isEqual, join, utf8 } from './words.js';

const MOST_ITERATIONS_IN_ALL = 20_000_000;

/** A text that no passphrase can be. */
export class PassphraseError extends Error {}

/** A passphrase of the form of generated ones, whose case, hyphens and spaces get lost on paper, as it was generated. */
function asGenerated(text) {
  const letters = text.replace(/[- ]/g, '');
  return /^[a-zA-Z2-7]{25}$/.test(letters) ? letters.toLowerCase().match(/.{5}/g).join('-') : text;
}

/** The passphrase bytes: the two mappings of RFC 8265 OpaqueString, and the form of generated passphrases. */
export function passphraseBytes(text) {
  if (text === '') throw new PassphraseError('the passphrase is empty');
  if (/\p{Cc}/u.test(text)) throw new PassphraseError('the passphrase has a control character');
  if (/\p{Surrogate}/u.test(text)) throw new PassphraseError('the passphrase has half a character');
  return utf8(asGenerated(text.replace(/\p{Zs}/gu, ' ').normalize('NFC')));
}

/** The keys of an archive that its file key gives. The file key itself is not kept: `fileKey` only expands. */
class ArchiveKeys {
  static async from(fileKeyBytes, header) {
    const keys = new ArchiveKeys();
    keys.fileKey = await hmacKey(fileKeyBytes);
    keys.header = header;
    const headerKey = await expand(keys.fileKey, utf8('healthvault/v1 header'), 64);
    keys.headerKey = await hmacKey(headerKey);
    const segmentKey = await expand(keys.fileKey, utf8('healthvault/v1 segment'), 32);
    keys.segmentKey = await hmacKey(segmentKey);
    headerKey.fill(0);
    segmentKey.fill(0);
    return keys;
  }

  /** Whether the HMAC of a header matches. */
  async authenticates(header) {
    return isEqual(await hmac(this.headerKey, header.bytes.subarray(0, 4000)), header.bytes.subarray(4032));
  }
}

/** The different pairs of salt and iterations in headers. */
function derivations(headers) {
  const pairs = new Map();
  for (const header of headers) {
    for (const slot of header.slots) pairs.set(`${slot.iterations} ${hex(slot.salt)}`, slot);
  }
  return pairs;
}

/**
 * Opens the usable headers with a passphrase. Returns the keys of each that opens, of one at least.
 *
 * `progress` is called before each derivation, with the iterations that it takes, and those done so far.
 */
export async function unlock(headers, passphrase, progress = () => {}) {
  const inAll = [...derivations(headers).values()].reduce((sum, slot) => sum + slot.iterations, 0);
  need(inAll <= MOST_ITERATIONS_IN_ALL, 'kdfRefused');
  const derived = new Map();
  const opened = [];
  let failure = new ArchiveError('wrongPassphrase');
  let done = 0;
  for (const header of headers) {
    for (const slot of header.slots) {
      const pair = `${slot.iterations} ${hex(slot.salt)}`;
      if (!derived.has(pair)) {
        await progress({ iterations: slot.iterations, done, inAll });
        derived.set(pair, await pbkdf2(passphrase, slot.salt, slot.iterations));
        done += slot.iterations;
      }
      const secret = derived.get(pair);
      if (!isEqual(secret.subarray(32), slot.commitment)) continue;
      // The first key slot whose commitment matches decides about its header.
      const key = await cipherKey(secret.slice(0, 32));
      const fileKey = await decrypt(key, slot.nonce, slot.encryptedKey, join(header.preamble, slot.bound));
      if (fileKey) {
        const keys = await ArchiveKeys.from(fileKey, header);
        fileKey.fill(0);
        if (await keys.authenticates(header)) opened.push(keys);
        else failure = new ArchiveError('headerTampered');
      } else {
        failure = new ArchiveError('slotDamaged');
      }
      break;
    }
  }
  for (const secret of derived.values()) secret.fill(0);
  if (opened.length === 0) throw failure;
  checkGenerations(opened);
  return opened;
}

/** Opens the usable headers with the file key that the archive which continues this one has (section 24). Returns an
    empty list if none opens. */
export async function unlockWithFileKey(headers, fileKey) {
  const opened = [];
  for (const header of headers) {
    const keys = await ArchiveKeys.from(fileKey, header);
    if (await keys.authenticates(header)) opened.push(keys);
  }
  checkGenerations(opened);
  return opened;
}

function checkGenerations(opened) {
  if (opened.length < 2) return;
  const [one, other] = opened.map((keys) => keys.header);
  const isOneGeneration = isEqual(one.bytes.subarray(0, 72), other.bytes.subarray(0, 72));
  need(!isOneGeneration || isEqual(one.bytes, other.bytes), 'headerTampered');
}
