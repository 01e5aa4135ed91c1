// SECURITY.md, section 16: where the segments end.

import { explain, firstForeignSegment } from './diagnosis.js';
import { ArchiveError } from './errors.js';
import { Segments } from './segments.js';
import { FOOTER_SIZE } from './stream.js';
import { HEADER_SIZE } from './words.js';

/** The segments, ended where the last one opens, under the first keys with which it does. */
export async function findEnd(file, opened, hasSecondHeader) {
  const { size } = file;
  const candidates = new Set([size - HEADER_SIZE, size, Math.floor((size - 1) / HEADER_SIZE) * HEADER_SIZE]);
  for (const keys of opened) {
    for (const end of candidates) {
      const segments = await tryEnd(file, keys, end);
      if (segments) return segments;
    }
  }
  throw hasSecondHeader ? await diagnoseEnd(file, opened[0]) : await diagnoseUnfinished(file, opened[0]);
}

/** The segments if they end at `end`: the commitment of the last one and the tag of its last chunk match. */
async function tryEnd(file, keys, end) {
  if (end <= HEADER_SIZE) return null;
  const segments = new Segments(file, keys, end);
  if (segments.sizeInStream(segments.last) < FOOTER_SIZE) return null;
  const opened = await segments.tryContext(segments.last, await segments.ownContext(segments.last));
  if (!opened) return null;
  const chunk = segments.chunkCount(segments.last) - 1;
  try {
    await segments.openChunks(segments.last, chunk, chunk + 1, opened);
  } catch (error) {
    if (error.name === 'chunkDamaged') return null;
    throw error;
  }
  return segments;
}

/** Why no last segment opens although there is a second header. */
async function diagnoseEnd(file, keys) {
  const segments = new Segments(file, keys, file.size - HEADER_SIZE);
  const { last } = segments;
  if (segments.end <= HEADER_SIZE) return new ArchiveError('incomplete');
  const stranger = await firstForeignSegment(segments, 0, last);
  if (stranger >= 0 && (stranger < last || segments.streamLength >= 0)) return explain(segments, stranger);
  if (segments.streamLength < 0) return new ArchiveError('truncated');
  const count = segments.chunkCount(last);
  try {
    await segments.openChunks(last, 0, count, await segments.open(last));
  } catch (error) {
    if (error instanceof ArchiveError) return error;
    throw error;
  }
  return new ArchiveError('chunkDamaged', [last, count - 1]);
}

/** Why there is no second header: the archive was never finished, its last bytes are missing, or others follow. */
async function diagnoseUnfinished(file, keys) {
  if (file.size <= 2 * HEADER_SIZE) return new ArchiveError('incomplete');
  const segments = new Segments(file, keys, file.size);
  const { last } = segments;
  const stranger = await firstForeignSegment(segments, 0, last);
  const index = stranger < 0 ? last : stranger;
  const asLast = segments.context(index, true, await segments.salt(index - 1));
  if (!await segments.tryContext(index, asLast)) return new ArchiveError('incomplete');
  if (index < last) return new ArchiveError('trailingData');
  const start = Math.floor(segments.place(index) / HEADER_SIZE) + 1;
  let block = Math.floor(file.size / HEADER_SIZE);
  for (let tries = 0; block >= start && tries < 1024; block--, tries++) {
    if (await tryEnd(file, keys, block * HEADER_SIZE)) return new ArchiveError('trailingData');
  }
  return new ArchiveError('truncated');
}
