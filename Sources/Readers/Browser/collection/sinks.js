// Where saved bytes go: to a file that the browser writes, or to downloads.

/** The most bytes of a download; a larger result becomes several. */
const LARGEST_PART = 256_000_000;

/** Whether the browser can write to a file that the user chooses. */
export function canChooseFile() {
  return typeof window === 'object' && typeof window.showSaveFilePicker === 'function';
}

/** A file that the user chose. Its content appears when it is closed, and never if it is aborted. */
export class ChosenFile {
  static async choose(name) {
    const handle = await window.showSaveFilePicker({ suggestedName: name });
    return new ChosenFile(handle.name, await handle.createWritable());
  }

  constructor(name, writable) {
    Object.assign(this, { name, writable, length: 0, isSplit: false });
  }

  /** How much has been saved. */
  get size() {
    return this.length;
  }

  /** Whether what comes next, which may not be divided, belongs to a new part. */
  needsPart() {
    return false;
  }

  async write(bytes) {
    await this.writable.write(bytes);
    this.length += bytes.length;
  }

  /** Replaces bytes that have been written. */
  async replace(position, bytes) {
    await this.writable.write({ type: 'write', position, data: bytes });
    await this.writable.seek(this.length);
  }

  close() {
    return this.writable.close();
  }

  abort() {
    return this.writable.abort();
  }
}

/** Downloads of at most 256 MB, numbered if there is more than one. */
export class Downloads {
  /** `download(name, blob)` hands a file to the browser, `downloadPart` one of several. */
  constructor(name, download, downloadPart, largest = LARGEST_PART) {
    Object.assign(this, { name, download, downloadPart, largest, parts: [], places: new Map(), length: 0, count: 0, size: 0 });
  }

  needsPart(next) {
    return this.length > 0 && this.length + next > this.largest;
  }

  async write(bytes) {
    this.places.set(this.length, this.parts.length);
    this.parts.push(bytes.slice());
    this.length += bytes.length;
  }

  /** Replaces bytes that were written at once, which begin at `position`. */
  async replace(position, bytes) {
    this.parts[this.places.get(position)] = bytes;
  }

  /** Ends a part, of which there is another one. */
  async endPart() {
    this.count++;
    const blob = await this.takeBlob();
    await this.downloadPart(this.numbered(), blob);
  }

  /** What has been written since the last part. A browser that has no room for it says so only when it is read. */
  async takeBlob() {
    const blob = new Blob(this.parts);
    this.size += blob.size;
    await this.abort();
    if (blob.size > 0) await blob.slice(-1).arrayBuffer();
    return blob;
  }

  async close() {
    if (this.count > 0) await this.endPart();
    else await this.download(this.name, await this.takeBlob());
  }

  async abort() {
    this.parts = [];
    this.places.clear();
    this.length = 0;
  }

  numbered() {
    const dot = this.name.lastIndexOf('.');
    return `${this.name.slice(0, dot)}-${this.count}${this.name.slice(dot)}`;
  }
}
