// Saving rows and files, byte for byte as `healthvault decrypt` writes them.

import { ArchiveError } from '../format/errors.js';
import { sha256 } from '../format/keys.js';
import { ndjson } from '../format/rows.js';
import { compareBytes, hex, utf8 } from '../format/words.js';
import { csv, csvHeader } from './csv.js';
import { rowFilter } from './selection.js';
import { SHA256 } from './sha256.js';
import { ZipWriter } from './zip.js';

/** The user stopped the saving. */
export class Stopped extends Error {}

/** One saving: counts progress, keeps what was lost, and can be stopped. */
export class Saving {
  constructor(collection, report = () => {}) {
    Object.assign(this, { collection, report, losses: [], done: 0, total: 0, isStopped: false });
  }

  stop() {
    this.isStopped = true;
  }

  /** Calls `step`; what cannot be read is a loss, after which saving goes on. */
  async losing(what, step) {
    if (this.isStopped) throw new Stopped();
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.losses.push({ what, error });
      return null;
    }
  }

  async advance(entry) {
    this.done += entry.length;
    await this.report(this.done, this.total);
  }

  /** The lines of one batch; null if it is lost. */
  async lines(format, group, { file, entry }, range) {
    const bytes = await this.losing(file.path, async () => {
      const batch = await this.collection.batch(file);
      const isWanted = range ? rowFilter(batch, range) : null;
      return format === 'csv' ? csv(batch, isWanted) : ndjson(batch, isWanted);
    });
    await this.advance(entry);
    return bytes;
  }

  /** Saves the rows of a type in a time: the files of the command, one after another. */
  async saveType(group, range, format, sink) {
    const batches = group.batches.filter((batch) => range.mayCover(group, batch));
    this.total = batches.reduce((sum, { entry }) => sum + entry.length, 0);
    const header = format === 'csv' ? csvHeader(group.element) : new Uint8Array(0);
    await sink.write(header);
    for (const batch of batches) {
      const bytes = await this.lines(format, group, batch, range);
      if (!bytes) continue;
      if (sink.needsPart(bytes.length)) {
        await sink.endPart();
        await sink.write(header);
      }
      await sink.write(bytes);
    }
  }

  /** Saves one file of the plain folder. */
  async saveFile(file, sink) {
    this.total = file.entries.reduce((sum, entry) => sum + entry.length, 0);
    for (const entry of file.entries) {
      const bytes = await this.losing(file.path, () => this.collection.content(file, entry));
      await this.advance(entry);
      if (!bytes) return;
      if (sink.needsPart(bytes.length)) await sink.endPart();
      await sink.write(bytes);
    }
  }

  /** Saves the plain folder as a zip, or with CSV the tables, the side files and the manifest. */
  saveEverything(format, sink) {
    const { files, about, types } = this.collection;
    return format === 'csv' ? this.saveFiles(files.filter(({ kind }) => kind !== 'batch' && kind !== 'prologue'), sink, [...about, ...types])
      : this.saveFiles(files, sink);
  }

  /** Saves files, and tables of types, as a zip with a list of their digests. */
  async saveFiles(files, sink, tables = []) {
    const { collection } = this;
    const entries = [...files.flatMap((file) => file.entries), ...tables.flatMap(({ batches }) => batches.map(({ entry }) => entry))];
    this.total = entries.reduce((sum, { length }) => sum + length, 0);
    const zip = new PartedZip(sink);
    const digests = new Map();
    const add = async (path, digest, parts) => {
      if (await zip.add(path, digested(parts, digest))) digests.set(path, hex(await digest.value()));
    };
    for (const group of tables) await add(`csv/${group.folder}.csv`, new FileDigest(2), this.tableParts(group));
    for (const file of files) await add(file.path, new FileDigest(file.entries.length), this.fileParts(file));
    if (this.losses.length > 0) {
      await zip.add('lost.txt', [utf8(this.losses.map(({ what, error }) => `${what}: ${error.message}\n`).join(''))]);
    } else {
      const lines = [...digests.keys()].sort(compareBytes).map((path) => `${digests.get(path)}  ${path}\n`);
      await zip.add('SHA256SUMS', [utf8(lines.join(''))]);
    }
    // What lies between the entries is checked too: that shows that the archive is complete.
    for (const archive of collection.archives) {
      await archive.segments.checkRest((error) => this.losses.push({ what: archive.file.name, error }));
    }
    await zip.finish();
  }

  async* tableParts(group) {
    yield csvHeader(group.element);
    for (const batch of group.batches) {
      const bytes = await this.lines('csv', group, batch, null);
      if (bytes) yield bytes;
    }
  }

  /** The parts of a file, the first of them before the file is begun: what is lost at once is not begun. */
  async* fileParts(file) {
    for (const entry of file.entries) {
      const bytes = await this.losing(file.path, async () => (
        file.kind === 'batch' ? ndjson(await this.collection.batch(file)) : this.collection.content(file, entry)));
      await this.advance(entry);
      if (!bytes) return;
      yield bytes;
    }
  }
}

/** SHA-256 of a file in parts; by WebCrypto, which is faster, if there is only one. */
class FileDigest {
  constructor(parts) {
    this.whole = null;
    this.inParts = parts === 1 ? null : new SHA256();
  }

  async update(bytes) {
    if (this.inParts) this.inParts.update(bytes);
    else this.whole = await sha256(bytes);
  }

  async value() {
    return this.inParts ? this.inParts.digest() : this.whole;
  }
}

/** Parts, each of which a digest has seen before it is used. */
async function* digested(parts, digest) {
  for await (const bytes of parts) {
    await digest.update(bytes);
    yield bytes;
  }
}

/** A zip, or several if the sink needs parts. */
class PartedZip {
  constructor(sink) {
    this.sink = sink;
    this.zip = new ZipWriter(sink);
  }

  /** Adds a file unless it has no parts. Returns whether it has. */
  async add(path, parts) {
    let isBegun = false;
    for await (const bytes of parts) {
      if (!isBegun) {
        if (this.sink.needsPart(bytes.length)) {
          await this.zip.finish();
          await this.sink.endPart();
        }
        await this.zip.begin(path);
        isBegun = true;
      }
      await this.zip.write(bytes);
    }
    if (isBegun) await this.zip.end();
    return isBegun;
  }

  finish() {
    return this.zip.finish();
  }
}
