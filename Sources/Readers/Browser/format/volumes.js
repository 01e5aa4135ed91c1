// SECURITY.md, section 12: the file and its volumes.

import { ArchiveError } from './errors.js';

/** One archive file, or the volumes of a split one, read by slices. */
export class ArchiveFile {
  /** `blobs` are the volumes in their order. */
  constructor(name, blobs) {
    this.name = name;
    this.blobs = blobs;
    this.size = blobs.reduce((sum, blob) => sum + blob.size, 0);
    /** How many slices and bytes have been read so far. */
    this.reads = { slices: 0, bytes: 0 };
  }

  /** Reads up to `length` bytes; fewer at the end of the file. */
  async read(at, length) {
    const parts = [];
    let start = 0;
    for (const blob of this.blobs) {
      const from = Math.max(0, at - start);
      const to = Math.min(blob.size, at + length - start);
      if (from < to) parts.push(blob.slice(from, to));
      start += blob.size;
    }
    try {
      const buffers = await Promise.all(parts.map((part) => part.arrayBuffer()));
      this.reads.slices += parts.length;
      const bytes = buffers.length === 1 ? new Uint8Array(buffers[0]) : new Uint8Array(await new Blob(buffers).arrayBuffer());
      this.reads.bytes += bytes.length;
      return bytes;
    } catch {
      throw new ArchiveError('unreadable', [], this.name);
    }
  }
}

/** Joins volumes among files that were chosen together. Returns the archives, sorted by name, and the names of volumes
    that are missing before others. `following` of an archive is a volume that may be missing behind the last. */
export function joinVolumes(files) {
  const volumes = new Map();
  const archives = [];
  const broken = [];
  for (const file of files) {
    const numbered = /^(.+)\.([0-9]{3})$/.exec(file.name);
    if (numbered && numbered[2] !== '000') {
      if (!volumes.has(numbered[1])) volumes.set(numbered[1], []);
      volumes.get(numbered[1])[Number(numbered[2]) - 1] = file;
    } else {
      archives.push(new ArchiveFile(file.name, [file]));
    }
  }
  for (const [name, parts] of volumes) {
    const volume = (number) => `${name}.${String(number).padStart(3, '0')}`;
    const missing = Array.from(parts, (part, i) => (part ? '' : volume(i + 1))).filter(Boolean);
    broken.push(...missing);
    if (missing.length > 0) continue;
    const archive = new ArchiveFile(name, parts);
    // The last one of all is hardly ever as long as the first.
    if (parts.at(-1).size === parts[0].size) archive.following = volume(parts.length + 1);
    archives.push(archive);
  }
  archives.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { archives, missing: broken };
}
