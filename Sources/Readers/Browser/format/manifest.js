// SECURITY.md, section 23: the manifest.

import { JSONError, integer, parseJSON } from './json.js';

/** What the manifest says, as far as a reader needs it; null if it does not have the form of section 23. */
export function readManifest(bytes) {
  let manifest;
  try {
    manifest = parseJSON(bytes);
  } catch (error) {
    if (error instanceof JSONError) return null;
    throw error;
  }
  if (!(manifest instanceof Map) || integer(manifest.get('manifest')) !== 1) return null;
  const lists = {};
  for (const name of ['files', 'failedBatches', 'batches', 'sources']) {
    const list = manifest.get(name) ?? [];
    if (!Array.isArray(list) || list.length > 2 ** 20) return null;
    if (name !== 'sources' && !list.every((item) => item instanceof Map)) return null;
    lists[name] = list;
  }
  const damaged = lists.files.filter((file) => file.get('damaged') === true);
  if (!damaged.every((file) => typeof file.get('name') === 'string')) return null;
  if (!lists.files.every((file) => [undefined, true, false].includes(file.get('damaged')))) return null;
  const failed = lists.failedBatches;
  if (!failed.every((batch) => integer(batch.get('count')) >= 0 && integer(batch.get('part')) >= 0 &&
    ['element', 'type', 'span'].every((name) => typeof batch.get(name) === 'string'))) return null;
  const source = manifest.get('source') ?? new Map();
  const skipped = source instanceof Map ? source.get('skipped') ?? [] : null;
  if (!Array.isArray(skipped) || !skipped.every((part) => part instanceof Map && integer(part.get('length')) >= 0)) return null;
  const cut = source.get('truncated') === true;
  return {
    samples: integer(manifest.get('samples')),
    zone: textIn(source, 'zone'),
    exportDate: textIn(source, 'exportDate'),
    first: textIn(manifest, 'first'),
    last: textIn(manifest, 'last'),
    sources: lists.sources.filter((name) => typeof name === 'string'),
    batches: lists.batches,
    goneSamples: manifest.get('gone') instanceof Map ? integer(manifest.get('gone').get('samples')) : undefined,
    lacking: lackingLines(cut, skipped, damaged, failed),
  };
}

function textIn(object, name) {
  const value = object instanceof Map ? object.get(name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** A line for each thing that the export lacks. */
function lackingLines(cut, skipped, damaged, failed) {
  const lines = cut ? ['the source was truncated, or could not be read to its end; what followed is missing'] : [];
  const bytes = skipped.reduce((sum, part) => sum + integer(part.get('length')), 0);
  if (bytes > 0) lines.push(`${counted(bytes, 'byte')} of the document could not be read and were skipped`);
  lines.push(...damaged.map((file) => `${file.get('name')} was damaged in the source; only part of it is here`));
  if (failed.length > 0) {
    const samples = failed.reduce((sum, batch) => sum + integer(batch.get('count')), 0);
    lines.push(`${counted(failed.length, 'batch', 'batches')} with ${counted(samples, 'sample')} could not be written`);
  }
  for (const batch of failed) {
    lines.push(`not written: ${['element', 'type', 'span'].map((name) => batch.get(name)).join(', ')}, part ${integer(batch.get('part'))}`);
  }
  if (lines.length > 0 && !cut && bytes === 0) lines.push('a later archive beside it may contain what is missing; if so, use that one');
  return lines;
}

/** `1 sample`, `2,480 samples` */
export function counted(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;
}
