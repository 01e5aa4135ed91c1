// SECURITY.md, section 19: payload and bundles.

import { ArchiveError, need } from './errors.js';
import { decompressFrame, decompressFrames } from './frames.js';
import { sha256 } from './keys.js';
import { isEqual } from './words.js';
import { FrameError } from './zstd.js';

const LARGEST_BUNDLE = 2 ** 20;

/** The content of the one frame that an entry is. Throws `name` if it is none, or has more than `most` bytes. */
export function frameContent(data, most, name, detail) {
  return decompressing(name, detail, () => {
    const { content, end } = decompressFrame(data, 0, most);
    if (end !== data.length) throw new FrameError('something follows the frame');
    return content;
  });
}

/** The joined contents of the frames that an entry is. Throws `name` if it is none, or they have more than `most` bytes. */
export function framesContent(data, most, name, detail) {
  return decompressing(name, detail, () => decompressFrames(data, most, most));
}

function decompressing(name, detail, body) {
  try {
    return body();
  } catch (error) {
    if (error instanceof FrameError) throw new ArchiveError(name, [], `${detail}: ${error.message}`);
    throw error;
  }
}

/** Reads the data of entries out of the stream. */
export class Payload {
  constructor(segments) {
    this.segments = segments;
    /** The bundle that was read last, because its entries are wanted one after another. */
    this.bundle = null;
    this.content = null;
  }

  /** The bytes of an entry, which have been compared with its digest, or with that of its bundle. */
  async read(entry) {
    if (!entry.bundle) return this.readStored(entry);
    if (this.bundle !== entry.bundle) {
      this.bundle = null;
      const data = await this.readStored(entry.bundle);
      this.content = frameContent(data, LARGEST_BUNDLE, 'entryMismatch', entry.bundle.name);
      this.bundle = entry.bundle;
    }
    const end = entry.offset + entry.length;
    need(end <= this.content.length, 'entryMismatch', entry.name);
    return this.content.slice(entry.offset, end);
  }

  async readStored(entry) {
    const data = await this.segments.read(entry.offset, entry.offset + entry.length);
    need(isEqual(await sha256(data), entry.digest), 'entryMismatch', entry.name);
    return data;
  }

  forget() {
    this.bundle = null;
    this.content?.fill(0);
    this.content = null;
  }
}
