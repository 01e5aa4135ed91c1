// What was chosen together with a chain and is no part of it: whether it is newer.

import { openChain } from '../format/chains.js';
import { ArchiveError } from '../format/errors.js';
import { isEqual } from '../format/words.js';
import { Collection } from './collection.js';

/** The iterations that all of them may cost, as many as one archive may. */
const MOST_ITERATIONS_BESIDE = 20_000_000;

/** A line for each of the files that is no part of the collection's chain. */
export async function linesBeside(collection, files, passphrase, progress) {
  const used = new Set(collection.archives.map(({ file }) => file));
  const lines = [];
  let left = MOST_ITERATIONS_BESIDE;
  for (const file of files) {
    if (used.has(file)) continue;
    let other = null;
    try {
      if (left <= 0) throw new ArchiveError('kdfRefused');
      other = await Collection.of(await openChain(file, files, passphrase, async (step) => {
        left -= step.iterations;
        await progress(step);
      }));
      lines.push(`${file.name}: ${relation(other, collection)}`);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      lines.push(`${file.name}: not shown, and not compared: ${error.message}. It may be newer`);
    } finally {
      other?.wipe();
    }
  }
  return lines;
}

/** How another chain relates to the one that is shown. */
function relation(other, shown) {
  const [newest] = shown.archives;
  const place = other.archives.findIndex(({ identifier }) => isEqual(identifier, newest.identifier));
  if (place > 0) return 'continues this archive and is newer: open that one';
  if (place === 0) return `a copy of ${newest.file.name}`;
  const isOlder = shown.archives.some(({ identifier }) => isEqual(identifier, other.archives[0].identifier));
  const [theirs, mine] = [other, shown].map(({ manifest }) => instant(manifest?.exportDate));
  if (theirs > mine && !isOlder) return `has a newer export, of ${other.manifest.exportDate}: open that one`;
  return isOlder || theirs <= mine ? 'not newer, so it is not shown' : 'not shown; whether it is newer is not known';
}

/** When an export was made, from the text that the Health app wrote. */
function instant(text) {
  const parts = /^([0-9-]{10}) ([0-9:]{8}) ([+-][0-9]{2})([0-9]{2})$/.exec(text ?? '');
  return parts ? Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4]}`) : NaN;
}
