// SECURITY.md, section 18: the index.

import { need, ArchiveError } from './errors.js';
import { decompressFrames } from './frames.js';
import { JSONError, Numeral, hasLoneSurrogate, integer, parseJSON } from './json.js';
import { sha256 } from './keys.js';
import { listedSalts, readFooter } from './stream.js';
import { fromHex, isEqual, utf8 } from './words.js';
import { FrameError } from './zstd.js';

const LARGEST_ENTRY = 2 ** 26;
const LARGEST_FRAME = 2 ** 20;
const BUNDLE_NAME = /^bundles\/[0-9]{4,}\.tar\.zst$/;
/** The members that the format knows; an object may have 16 others. */
const COUNTED_APART = new Set(['name', 'offset', 'length', 'sha256', 'members']);

/** An entry of the payload, or one in a bundle. */
export class Entry {
  constructor(object, bundle = null) {
    this.name = object.get('name');
    this.offset = integer(object.get('offset'));
    this.length = integer(object.get('length'));
    this.bundle = bundle;
    this.digest = bundle ? null : fromHex(object.get('sha256'), 64);
    /** What the index says of a batch; undefined where it says nothing. */
    this.element = stringOf(object.get('element'));
    this.type = stringOf(object.get('type'));
    this.span = stringOf(object.get('span'));
    this.part = integer(object.get('part'));
    this.count = integer(object.get('count'));
    this.first = stringOf(object.get('first'));
    this.last = stringOf(object.get('last'));
  }
}

function stringOf(value) {
  return typeof value === 'string' ? value : undefined;
}

/** Reads footer and index. Returns the logical entries, and the salts, which the segments then use. */
export async function readIndex(segments) {
  const { payloadLength, indexLength, indexDigest } = await readFooter(segments);
  const frames = await segments.read(payloadLength, payloadLength + indexLength);
  need(isEqual(await sha256(frames), indexDigest), 'badFooter');
  let index;
  try {
    const most = Math.min(2 ** 28, 65536 + 100 * frames.length);
    index = parseJSON(decompressFrames(frames, LARGEST_FRAME, most));
  } catch (error) {
    if (error instanceof FrameError || error instanceof JSONError) throw new ArchiveError('badFooter', [], error.message);
    throw error;
  }
  need(index instanceof Map && integer(index.get('version')) === 1, 'badFooter');
  checkSurrogates(index);
  for (const name of ['tool', 'created']) need(!index.has(name) || typeof index.get(name) === 'string', 'badFooter');
  need(Array.isArray(index.get('entries')), 'badFooter');
  segments.salts = listedSalts(index.get('salts'), payloadLength, segments.capacity);
  return {
    tool: index.get('tool') ?? '',
    created: index.get('created') ?? '',
    digest: indexDigest,
    payloadLength,
    entries: logicalEntries(index.get('entries'), payloadLength),
  };
}

/** No string has half a character, not even a byte of section 9. */
function checkSurrogates(value) {
  if (typeof value === 'string') {
    need(!hasLoneSurrogate(value), 'badFooter');
  } else if (Array.isArray(value)) {
    value.forEach(checkSurrogates);
  } else if (value instanceof Map) {
    for (const [name, member] of value) {
      checkSurrogates(name);
      checkSurrogates(member);
    }
  }
}

/** The entries, with the bundled ones in the place of their bundle. */
function logicalEntries(objects, payloadLength) {
  const names = new Set();
  const entries = [];
  let bundles = 0;
  let end = 0;
  for (const object of objects) {
    need(object instanceof Map, 'badFooter');
    const entry = checked(object, null, names, end, payloadLength);
    end = entry.offset + entry.length;
    need(entry.digest, 'entryMismatch', entry.name);
    const members = object.get('members');
    if (!object.has('members')) {
      need(!BUNDLE_NAME.test(entry.name), 'entryMismatch', entry.name);
      entries.push(entry);
      continue;
    }
    need(entry.name === `bundles/${String(bundles).padStart(4, '0')}.tar.zst` && Array.isArray(members) &&
      members.length > 0 && entry.length <= LARGEST_FRAME + 16384, 'entryMismatch', entry.name);
    bundles++;
    let innerEnd = 0;
    for (const inner of members) {
      need(inner instanceof Map, 'entryMismatch', entry.name);
      const bundled = checked(inner, entry, names, innerEnd, LARGEST_FRAME - 1024);
      innerEnd = bundled.offset + bundled.length;
      need(!inner.has('sha256') && !inner.has('members') && !BUNDLE_NAME.test(bundled.name), 'entryMismatch', bundled.name);
      entries.push(bundled);
    }
  }
  return entries;
}

function checked(object, bundle, names, end, room) {
  const entry = new Entry(object, bundle);
  const name = typeof entry.name === 'string' ? entry.name : '';
  need(isSafePath(name), 'entryMismatch', name);
  need(!names.has(name), 'entryMismatch', name);
  names.add(name);
  need(entry.offset >= end + 512 && entry.length >= 0 && entry.length <= LARGEST_ENTRY &&
    entry.offset + entry.length <= room, 'entryMismatch', name);
  let properties = 0;
  for (const [member, value] of object) {
    if (!COUNTED_APART.has(member) && (typeof value === 'string' || (value instanceof Numeral && isSpelledAsInteger(value)))) {
      properties++;
    }
  }
  need(properties <= 16, 'entryMismatch', name);
  return entry;
}

function isSpelledAsInteger(value) {
  return /^-?[0-9]+$/.test(value.text);
}

/** A relative path that leads to something below its folder. */
export function isSafePath(path) {
  const parts = path.split('/');
  return utf8(path).length <= 1024 && !/[\x00-\x1f\\]/.test(path) && parts.length <= 32 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
}
