// SECURITY.md, section 15, last paragraph: why a segment does not open. Its keys depend on its number, on whether it is
// the last, on its own salt and on the salt before it, so trying others shows what a foreign segment was sealed as.

import { ArchiveError } from './errors.js';
import { HEADER_SIZE, NO_SALT, hex, isEqual } from './words.js';

// How many places before and after a foreign segment are searched for its own place.
const REACH = 1024;

/** The first of the places whose segment was not sealed for it; -1 if there is none. */
export async function firstForeignSegment(segments, from, to) {
  for (let place = from; place <= to; place++) {
    if (!await segments.tryContext(place, await segments.ownContext(place))) return place;
  }
  return -1;
}

/** Why a segment whose salt is not known to be wrong does not open. */
export async function diagnoseUnopened(segments, index) {
  // The salt before the first segment that is not listed may itself be wrong.
  if (index < segments.salts.length) return new ArchiveError('segmentDamaged', [index]);
  const stranger = await firstForeignSegment(segments, segments.salts.length, index);
  return explain(segments, stranger < 0 ? index : stranger);
}

/** What is wrong with a segment whose salt is not the listed one. */
export async function diagnoseStranger(segments, index, salt) {
  const place = segments.salts.findIndex((listed) => isEqual(listed, salt));
  if (place >= 0) return new ArchiveError('segmentMisplaced', [index, place]);
  const befores = index === 0 ? [NO_SALT] : [segments.salts[index - 1], await segments.salt(index - 1)];
  for (const before of befores) {
    for (const isLast of [false, true]) {
      if (await segments.tryContext(index, segments.context(index, isLast, before))) {
        return new ArchiveError('segmentReplaced', [index]);
      }
    }
  }
  const error = await explain(segments, index);
  return error.name === 'segmentReplaced' ? new ArchiveError('segmentReplaced', [index]) : error;
}

/** What is wrong at a place, if every segment before it is in its own. */
export async function explain(segments, place) {
  const { last } = segments;
  if (await tagsMatch(segments, place)) return new ArchiveError('segmentDamaged', [place]);
  const number = await numberOfStranger(segments, place);
  if (number >= 0) return new ArchiveError('segmentMisplaced', [place, number]);
  if (await matches(segments, place, place, place !== last, await segments.salt(place - 1))) {
    return new ArchiveError(place === last ? 'truncated' : 'trailingData');
  }
  if (place < last) {
    if (place > 0 && await matches(segments, place + 1, place + 1, place + 1 === last, await segments.salt(place))) {
      // Its salt is genuine: two attempts at writing meet here, and the one that does not reach the end is the wrong one.
      const reachesEnd = await firstForeignSegment(segments, place + 1, last) < 0;
      return new ArchiveError('segmentReplaced', [reachesEnd ? place - 1 : place]);
    }
  } else if (segments.end % HEADER_SIZE !== 0) {
    return new ArchiveError('truncated');
  }
  return new ArchiveError('segmentDamaged', [place]);
}

async function matches(segments, place, number, isLast, saltBefore) {
  return await segments.tryContext(place, segments.context(number, isLast, saltBefore)) !== null;
}

/** Whether a tag of the segment matches although its commitment does not. */
async function tagsMatch(segments, place) {
  if (segments.sizeInStream(place) < 0) return false;
  const opened = await segments.tryContext(place, await segments.ownContext(place), { comparingCommitment: false });
  if (!opened) return false;
  for (const chunk of new Set([0, segments.chunkCount(place) - 1])) {
    try {
      await segments.openChunks(place, chunk, chunk + 1, opened);
      return true;
    } catch (error) {
      if (error.name !== 'chunkDamaged') throw error;
    }
  }
  return false;
}

/** The number that the segment at a place was sealed with, if one beside its own place is in the file; -1 otherwise. */
async function numberOfStranger(segments, place) {
  const { last } = segments;
  const own = await segments.salt(place);
  // Only the last segment can have the last one's size.
  const kinds = place === last ? [true, false] : [false];
  const low = Math.max(0, place - REACH);
  const high = Math.min(last, place + REACH);
  for (const isLast of kinds) {
    if (place > 0 && await matches(segments, place, 0, isLast, NO_SALT)) return 0;
  }
  for (let other = low; other <= high; other++) {
    const salt = await segments.salt(other);
    // It belongs after that segment or, if neighbours changed places, after its own predecessor.
    for (const number of new Set([other + 1, place + 1])) {
      if (number === place) continue;
      for (const isLast of kinds) if (await matches(segments, place, number, isLast, salt)) return number;
    }
    // It is a copy of that segment.
    if (other < last && other !== place && hex(salt) === hex(own) &&
      await matches(segments, other + 1, other + 1, other + 1 === last, own)) return other;
  }
  // The segment after it, sealed with its salt, shows its number.
  if (place === last) return -1;
  for (let next = low; next <= high + REACH; next++) {
    if (next === place + 1) continue;
    if (await matches(segments, place + 1, next, false, own)) return next - 1;
    if (place + 1 === last && await matches(segments, last, next, true, own)) return next - 1;
  }
  return -1;
}
