// What a chain of archives has: types with their batches, and files.

import { Batch } from '../format/batches.js';
import { counted, readManifest } from '../format/manifest.js';
import { titleOf } from './types.js';
import { Zone, secondsOf } from './zones.js';

/** Elements whose rows tell of the export and the person, and are no samples. */
const ABOUT = ['HealthData', 'ExportDate', 'Me'];

/** The rows of one element and type, in batches. */
class TypeGroup {
  constructor(element, type, folder) {
    Object.assign(this, { element, type, folder, batches: [], count: 0 });
    this.title = titleOf(element, type);
    this.first = undefined;
    this.last = undefined;
  }

  add(file, entry) {
    const first = secondsOf(entry.first);
    const last = secondsOf(entry.last);
    this.batches.push({ file, entry, first, last });
    this.count = entry.count === undefined ? undefined : this.count === undefined ? undefined : this.count + entry.count;
    if (first !== undefined) this.first = Math.min(first, this.first ?? first);
    if (last !== undefined) this.last = Math.max(last, this.last ?? last);
  }

  /** Spans in the order of the command, and the batches of each in theirs. */
  sort() {
    this.batches.sort((one, other) => compare(one.entry.span ?? one.file.path, other.entry.span ?? other.file.path) ||
      (one.entry.part ?? 0) - (other.entry.part ?? 0));
  }
}

function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What was read of the archives that were chosen together. */
export class Collection {
  /** `chain` is what `openChain` returns. Reads the manifest, which is the only content that opening needs. */
  static async of(chain) {
    const collection = new Collection();
    collection.archives = chain.archives;
    collection.files = chain.files.filter((file) => !file.isGone);
    collection.gone = chain.files.filter((file) => file.isGone);
    const manifest = collection.files.find((file) => file.kind === 'manifest');
    collection.hasManifest = manifest !== undefined;
    collection.manifest = manifest ? readManifest(await collection.content(manifest, manifest.entries[0])) : null;
    collection.zone = new Zone(collection.manifest?.zone ?? '');
    collection.group();
    return collection;
  }

  group() {
    const groups = new Map();
    for (const file of this.files) {
      if (file.kind !== 'batch') continue;
      const [entry] = file.entries;
      const folder = file.path.split('/').slice(1, -1).join('/');
      const key = entry.element === undefined ? folder : JSON.stringify([entry.element, entry.type ?? '']);
      if (!groups.has(key)) groups.set(key, new TypeGroup(entry.element ?? 'Record', entry.type ?? folder, folder));
      groups.get(key).add(file, entry);
    }
    const all = [...groups.values()];
    all.forEach((group) => group.sort());
    this.types = all.filter((group) => !ABOUT.includes(group.element))
      .sort((one, other) => compare(one.title.toLowerCase(), other.title.toLowerCase()) || compare(one.type, other.type));
    this.about = all.filter((group) => ABOUT.includes(group.element));
    this.sideFiles = this.files.filter((file) => file.kind !== 'batch' && file.kind !== 'manifest' && file.path !== 'prologue.xml');
  }

  /** The content of one entry of a file, which for a batch is its JSON. */
  content(file, entry) {
    return file.archive.content(entry);
  }

  async batch(file) {
    return new Batch(await this.content(file, file.entries[0]), file.isGone);
  }

  /** Lines that tell what the archives or the export lack. */
  get notes() {
    if (this.files.length === 1 && this.files[0].path === 'analytics.sqlite') {
      return ['this is no archive but a database of healthvault analytics: the file analytics.sqlite is one of SQLite'];
    }
    if (!this.hasManifest) return ['there is no manifest, so nothing shows whether something is missing'];
    if (!this.manifest) return ['the manifest cannot be read, so nothing shows whether something is missing'];
    return this.manifest.lacking;
  }

  /** What only earlier exports had: `1,480 samples and 2 files that only earlier exports had`. */
  get goneText() {
    const files = this.gone.filter((file) => file.kind !== 'batch').length;
    const batches = this.gone.length - files;
    const samples = this.manifest?.goneSamples;
    const rows = batches === 0 ? '' : samples === undefined ? counted(batches, 'batch', 'batches') : counted(samples, 'sample');
    return `${[rows, files > 0 && counted(files, 'file')].filter(Boolean).join(' and ')} that only earlier exports had`;
  }

  /** Zeroes what was decrypted last, and forgets the keys. */
  wipe() {
    for (const archive of this.archives) {
      archive.payload.forget();
      archive.segments.opened.clear();
    }
    Object.assign(this, { archives: [], files: [], gone: [], types: [], about: [], sideFiles: [], manifest: null });
  }
}
