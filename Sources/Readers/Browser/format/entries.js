// SECURITY.md, sections 20 and 25: entries, and the plain folder.

import { need } from './errors.js';
import { isSafePath } from './index.js';
import { frameContent, framesContent } from './payload.js';

const MIB = 2 ** 20;
const LARGEST_BATCH = 48 * MIB;
const LARGEST_PIECE = 983_040;

/** What an entry is, which its name alone determines. Names are compared without their case being changed. */
export function kindOf(name) {
  if (name === 'session.json') return { kind: 'session', path: null };
  if (name === 'manifest.json.zst') return { kind: 'manifest', path: 'manifest.json' };
  if (name === 'prologue.xml.zst') return { kind: 'prologue', path: 'prologue.xml' };
  const batch = /^(records\/[^]*?)(\.gone(?:\.part(?:[2-9]|[1-9][0-9]+))?)?\.json(\.zst)?$/.exec(name);
  if (batch) {
    return {
      kind: 'batch', path: `${batch[1]}${batch[2] ?? ''}.ndjson`, isGone: batch[2] !== undefined, isFrame: batch[3] !== undefined,
    };
  }
  const piece = /^((?:gone\/)?files\/[^]*)\.zst\.([0-9]{4}|[1-9][0-9]{4,})$/.exec(name);
  if (piece) return { kind: 'piece', path: piece[1], number: Number(piece[2]), isGone: name.startsWith('gone/') };
  return { kind: 'file', path: name, isGone: name.startsWith('gone/') };
}

/** A file of the plain folder, and the entries that it is made of: several if they are pieces. */
class PlainFile {
  constructor(archive, path, kind, isGone) {
    Object.assign(this, { archive, path, kind, isGone, entries: [] });
  }
}

/** The files that the entries of one archive become. Checks the rules about pieces, and those of section 25. */
export function plainFiles(archive, entries) {
  const files = [];
  const paths = new Map();
  let current = null;
  for (const entry of entries) {
    const { kind, path, number, isGone = false } = kindOf(entry.name);
    const isNext = kind === 'piece' && current?.kind === 'piece' && current.path === path;
    if (kind === 'piece') need(number === (isNext ? current.entries.length : 0), 'entryMismatch', entry.name);
    if (kind === 'session') {
      current = null;
      continue;
    }
    if (!isNext) {
      need(isSafePath(path) && !paths.has(path), 'entryMismatch', entry.name);
      current = new PlainFile(archive, path, kind, isGone);
      paths.set(path, current);
      files.push(current);
    }
    current.entries.push(entry);
  }
  for (const path of paths.keys()) {
    const parts = path.split('/');
    need(!['SHA256SUMS', '.healthvault-unfinished'].includes(parts[0]), 'entryMismatch', path);
    for (let i = 1; i < parts.length; i++) need(!paths.has(parts.slice(0, i).join('/')), 'entryMismatch', path);
  }
  return files;
}

/** What an entry contributes to its file, before a batch becomes lines. */
export function entryContent(entry, data) {
  const { kind, isFrame } = kindOf(entry.name);
  switch (kind) {
    case 'manifest': return frameContent(data, Math.min(64 * MIB, 65536 + 100 * data.length), 'badContent', entry.name);
    case 'prologue': return frameContent(data, MIB, 'badContent', entry.name);
    case 'piece': return frameContent(data, LARGEST_PIECE, 'badContent', entry.name);
    case 'batch':
      if (isFrame) return framesContent(data, LARGEST_BATCH, 'badContent', entry.name);
      need(data.length <= LARGEST_BATCH, 'badContent', entry.name);
      return data;
    default: return data;
  }
}
