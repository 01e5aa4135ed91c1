import SystemIO

extension ContainerError: CustomStringConvertible {
    /// What happened, and to which entry, in one printable line.
    public var description: String {
        if case .io(let error) = code { return error.description }
        return entry.map { "\($0): \(code.reason)" } ?? code.reason
    }
}

extension ContainerError.Code {
    /// What happened, without the file's name: `wrong passphrase`.
    public var reason: String {
        switch self {
        case .notContainer: "not an encrypted archive"
        case .unsupportedVersion: "unsupported format version"
        case .unsupportedSuite: "unsupported cipher suite"
        case .malformedHeader: "the header is damaged"
        case .kdfRefused: "the header requests a key derivation that is too weak or too slow"
        case .wrongPassphrase: "wrong passphrase"
        case .slotDamaged: "the key slot of this passphrase is damaged"
        case .headerTampered: "the header was changed by someone without the passphrase"
        case .incomplete: "unfinished: the export was interrupted"
        case .truncated: "truncated: the end is missing"
        case .segmentMisplaced(let segment, let found):
            "segment \(found) is in place of segment \(segment)"
        case .segmentReplaced(let segment): "segment \(segment) was replaced by an older one"
        case .segmentDamaged(let segment): "segment \(segment) is damaged"
        case .chunkDamaged(let segment, let chunk): "chunk \(chunk) of segment \(segment) is damaged"
        case .segmentUnreadable(let segment): "the drive cannot read the start of segment \(segment)"
        case .segmentHardToRead(let segment): "the drive could read segment \(segment) only on retry"
        case .chunkUnreadable(let segment, let chunk):
            "the drive cannot read chunk \(chunk) of segment \(segment)"
        case .trailingData: "extra bytes after the end"
        case .badFooter: "the index is damaged"
        case .entryMismatch: "an entry does not match the index"
        case .noSuchEntry: "no such entry"
        case .invalidUse: "internal error: the format forbids this write"
        case .otherSession:
            "the unfinished export beside it has another source or other options"
        case .lastSlot: "this is the only passphrase; without it the archive could not be opened"
        case .noFreeSlot: "all eight key slots are in use"
        case .iterationsExceeded: "too many iterations in all key slots together"
        case .changeInterrupted: "a passphrase change was interrupted, and this is the old passphrase"
        case .headersDiffer: "its two headers are not both intact and identical"
        case .noSuchSlot: "no such key slot"
        case .passphraseInUse: "the new passphrase already opens the archive"
        case .cryptoFailed: "the crypto library failed"
        case .compressionFailed: "not enough memory for compression"
        case .io(let error): error.reason
        }
    }
}
