// SECURITY.md, sections 10 and 24: opening an archive, and those that it continues.

import { findEnd } from './end.js';
import { entryContent, kindOf, plainFiles } from './entries.js';
import { ArchiveError, need } from './errors.js';
import { Header, readHeaders } from './headers.js';
import { readIndex } from './index.js';
import { JSONError, parseJSON } from './json.js';
import { cipherKey, decrypt, expand } from './keys.js';
import { Payload } from './payload.js';
import { passphraseBytes, unlock, unlockWithFileKey } from './slots.js';
import { HEADER_SIZE, fromHex, isEqual, join, utf8 } from './words.js';

const LONGEST_CHAIN = 64;
const USUAL_ITERATIONS = 600_000;

/** An archive whose headers, end, footer and index have been checked. What else is in it is checked as it is read. */
export class Archive {
  /** Opens an archive. `unlockHeaders` gets the usable headers and returns the keys of those that open. */
  static async open(file, unlockHeaders) {
    const archive = new Archive();
    archive.file = file;
    const headers = await readHeaders(file);
    need(file.size > HEADER_SIZE, 'incomplete');
    const opened = await unlockHeaders(headers.usable);
    archive.segments = await findEnd(file, opened, headers.second instanceof Header);
    archive.keys = archive.segments.keys;
    archive.identifier = archive.keys.header.identifier;
    archive.index = await readIndex(archive.segments);
    archive.payload = new Payload(archive.segments);
    archive.files = plainFiles(archive, archive.index.entries);
    archive.warnings = await warningsAbout(archive, headers);
    return archive;
  }

  static async withPassphrase(file, text, progress) {
    const passphrase = passphraseBytes(text);
    try {
      return await Archive.open(file, (headers) => unlock(headers, passphrase, progress));
    } finally {
      passphrase.fill(0);
    }
  }

  /** What an entry contributes to the plain folder, checked. */
  async content(entry) {
    return entryContent(entry, await this.payload.read(entry));
  }
}

async function warningsAbout(archive, { first, second }) {
  const warnings = [];
  const { keys, segments, file } = archive;
  const isGenuine = async (header) => header instanceof Header &&
    isEqual(header.preamble, keys.header.preamble) && keys.authenticates(header);
  const genuine = [];
  for (const header of [first, second]) if (await isGenuine(header)) genuine.push(header);
  if (!genuine.includes(first)) warnings.push('primaryHeaderDamaged');
  if (segments.end === file.size) warnings.push('spareHeaderMissing');
  else if (!genuine.includes(second) || segments.end !== file.size - HEADER_SIZE) warnings.push('spareHeaderDamaged');
  if (genuine.length === 2 && genuine[0].generation !== genuine[1].generation) warnings.push('headerGenerationsDiffer');
  if (genuine.some((header) => header.slots.some((slot) => slot.iterations < USUAL_ITERATIONS))) warnings.push('weakKdf');
  return warnings;
}

/** What `session.json` says of the archive that this one continues; null if it says nothing. */
async function readContinuation(archive) {
  const [entry] = archive.index.entries;
  if (!entry || kindOf(entry.name).kind !== 'session') return null;
  let session;
  try {
    session = parseJSON(await archive.payload.read(entry));
  } catch (error) {
    if (error instanceof JSONError) throw new ArchiveError('badContent', [], `session.json: ${error.message}`);
    throw error;
  }
  need(session instanceof Map, 'badContent', 'session.json');
  if (!session.has('continues')) return null;
  const continues = session.get('continues');
  need(continues instanceof Map, 'badContent', 'session.json');
  const vault = fromHex(continues.get('vault'), 64);
  const index = fromHex(continues.get('index'), 64);
  const encrypted = fromHex(continues.get('key'), 96);
  const name = continues.has('name') ? continues.get('name') : '';
  const supersedes = continues.has('supersedes') ? continues.get('supersedes') : [];
  need(vault && index && encrypted && typeof name === 'string' && Array.isArray(supersedes) && supersedes.every(
    (path) => typeof path === 'string' && path !== 'session.json' && path !== 'manifest.json'), 'badContent', 'session.json');
  const secret = await expand(archive.keys.fileKey, join(utf8('healthvault/v1 predecessor'), vault, index), 44);
  const fileKey = await decrypt(await cipherKey(secret.slice(0, 32)), secret.slice(32), encrypted);
  secret.fill(0);
  need(fileKey, 'badContent', 'the key of the archive that this one continues');
  return { vault, index, name, supersedes, fileKey };
}

/** Whether a file starts or ends with a header of this identifier. */
async function hasIdentifier(file, vault) {
  const first = await file.read(32, 32);
  const second = file.size >= HEADER_SIZE ? await file.read(file.size - HEADER_SIZE + 32, 32) : new Uint8Array(0);
  return isEqual(first, vault) || isEqual(second, vault);
}

/** The first of the chosen files that is the archive which another one continues. */
async function findPredecessor(files, link) {
  const hinted = link.name.replace(/\.001$/, '');
  const sorted = [...files].sort((one, other) => (other.name === hinted) - (one.name === hinted));
  let failure = null;
  let stranger = null;
  for (const file of sorted) {
    if (!await hasIdentifier(file, link.vault)) {
      if (file.name === hinted) stranger = new ArchiveError('otherPredecessor', [], file.name);
      continue;
    }
    let hasKey = false;
    try {
      const archive = await Archive.open(file, async (headers) => {
        const opened = await unlockWithFileKey(headers, link.fileKey);
        hasKey = opened.length > 0;
        need(hasKey, 'otherPredecessor', file.name);
        return opened;
      });
      need(isEqual(archive.identifier, link.vault) && isEqual(archive.index.digest, link.index), 'otherPredecessor', file.name);
      return { archive, next: await readContinuation(archive) };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      // One that has another key under another name is not the predecessor, and has no error.
      if (hasKey || error.name !== 'otherPredecessor' || file.name === hinted) failure ??= error;
    }
  }
  throw failure ?? stranger ?? new ArchiveError('predecessorMissing', [], link.name);
}

/**
 * Opens an archive and those that it continues, found among `files`. Returns the archives, the newest first, and the files
 * that count.
 */
export async function openChain(file, files, passphrase, progress) {
  let archive = await Archive.withPassphrase(file, passphrase, progress);
  let link = await readContinuation(archive);
  const archives = [archive];
  const counting = [...archive.files];
  const taken = new Set(archive.files.map(({ path }) => path));
  const superseded = new Set();
  while (link) {
    const { vault } = link;
    need(!archives.some(({ identifier }) => isEqual(identifier, vault)) && archives.length < LONGEST_CHAIN, 'endlessChain');
    link.supersedes.forEach((path) => superseded.add(path));
    const found = await findPredecessor(files.filter((other) => other !== file), link);
    link.fileKey.fill(0);
    ({ archive, next: link } = found);
    archives.push(archive);
    const here = archive.files.filter(({ kind, path }) => kind !== 'manifest' && !superseded.has(path));
    for (const { path } of here) need(!taken.has(path), 'badContent', `two archives have ${path}`);
    for (const plainFile of here) {
      taken.add(plainFile.path);
      counting.push(plainFile);
    }
  }
  return { archives, files: counting };
}
