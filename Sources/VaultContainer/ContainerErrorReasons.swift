import SystemIO

extension ContainerError: CustomStringConvertible {
    /// What happened, and to which entry, in a line that can be printed.
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
        case .unsupportedVersion: "of another format version"
        case .unsupportedSuite: "uses other algorithms"
        case .malformedHeader: "the header is damaged"
        case .kdfRefused: "the header asks for a key derivation that is too weak or too long"
        case .wrongPassphrase: "wrong passphrase"
        case .slotDamaged: "the key slot of this passphrase is damaged"
        case .headerTampered: "the header was changed by someone without the passphrase"
        case .incomplete: "never finished: the export was interrupted"
        case .truncated: "the end is missing"
        case .segmentMisplaced(let segment, let found):
            "segment \(found) stands at the place of segment \(segment)"
        case .segmentReplaced(let segment): "segment \(segment) was replaced by an older one"
        case .segmentDamaged(let segment): "segment \(segment) is damaged"
        case .chunkDamaged(let segment, let chunk): "chunk \(chunk) of segment \(segment) is damaged"
        case .segmentUnreadable(let segment): "the drive does not give back the start of segment \(segment)"
        case .segmentHardToRead(let segment): "the drive gave back segment \(segment) only when asked again"
        case .chunkUnreadable(let segment, let chunk):
            "the drive does not give back chunk \(chunk) of segment \(segment)"
        case .trailingData: "bytes follow its end"
        case .badFooter: "the index is damaged"
        case .entryMismatch: "an entry is not what the index says of it"
        case .noSuchEntry: "there is no such entry"
        case .invalidUse: "was to be written in a way that the format forbids"
        case .otherSession:
            "the unfinished export beside it was made of another source, or with other options"
        case .lastSlot: "this is the only passphrase; without it nobody could open the archive"
        case .noFreeSlot: "all key slots are taken: eight passphrases open it"
        case .iterationsExceeded: "with so many iterations a reader could not try all passphrases any more"
        case .changeInterrupted: "a change of the passphrases was interrupted, and this one is the old one"
        case .headersDiffer: "its two headers are not both whole and the same"
        case .noSuchSlot: "there is no such key slot"
        case .passphraseInUse: "the new passphrase opens the archive already"
        case .cryptoFailed: "the crypto library failed"
        case .compressionFailed: "there is not enough memory to compress with"
        case .io(let error): error.reason
        }
    }
}
