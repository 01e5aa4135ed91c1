// SECURITY.md, section 11: errors and warnings. They have the names and the words of the command.

const REASONS = {
  notContainer: 'not an encrypted archive',
  unsupportedVersion: 'unsupported format version',
  unsupportedSuite: 'unsupported cipher suite',
  kdfRefused: 'the header requests a key derivation that is too weak or too slow',
  wrongPassphrase: 'wrong passphrase',
  headerDamaged: 'the header is damaged: its writing was interrupted, or the drive has changed it',
  malformedHeader: 'the header breaks the rules of the format',
  slotDamaged: 'the key slot of this passphrase is damaged',
  headerTampered: 'the header was changed by someone without the passphrase',
  incomplete: 'unfinished: the export was interrupted',
  truncated: 'cut off: the end is missing',
  trailingData: 'extra bytes after the end',
  segmentDamaged: (segment) => `segment ${segment} is damaged`,
  segmentMisplaced: (segment, found) => `segment ${found} is in place of segment ${segment}`,
  segmentReplaced: (segment) => `segment ${segment} was replaced by an older one`,
  chunkDamaged: (segment, chunk) => `chunk ${chunk} of segment ${segment} is damaged`,
  badFooter: 'the index is damaged',
  entryMismatch: 'an entry does not match the index',
  badContent: 'the content breaks the rules of the format',
  predecessorMissing: 'the archive that this one continues was not chosen',
  otherPredecessor: 'a different archive has the place of the one that this one continues',
  endlessChain: 'the archive continues itself, or more than 63 others',
  noManifest: 'there is no manifest, so nothing shows whether something is missing',
  volumeMissing: 'a volume is missing',
  unreadable: 'the file cannot be read',
};

/** Why an archive, or a part of it, cannot be read. */
export class ArchiveError extends Error {
  /** `name` is one of section 11. `places` are the numbers in brackets there, `detail` says which entry or what rule. */
  constructor(name, places = [], detail = '') {
    const reason = REASONS[name];
    const words = typeof reason === 'function' ? reason(...places) : reason;
    super(detail ? `${words} (${detail})` : words);
    this.name = name;
    this.places = places;
  }

  /** The error as section 28 and the test kit write it: `chunkDamaged(0,1)`. */
  get code() {
    return this.places.length > 0 ? `${this.name}(${this.places.join(',')})` : this.name;
  }
}

/** Throws the error unless the condition holds. */
export function need(condition, name, detail) {
  if (!condition) throw new ArchiveError(name, [], detail);
}

export const WARNINGS = {
  primaryHeaderDamaged: 'the first header is damaged, or belongs to another archive',
  spareHeaderDamaged: 'the second header is damaged, or belongs to another archive',
  spareHeaderMissing: 'the second header is missing',
  headerGenerationsDiffer: 'a change of the passphrase was interrupted; repeat it with healthvault',
  weakKdf: 'a key slot has fewer than 600,000 iterations',
};
