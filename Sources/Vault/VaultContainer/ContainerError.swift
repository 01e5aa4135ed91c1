public import ByteText
public import SystemIO

/// Why a container cannot be read or written.
public struct ContainerError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure, named as in the description of the format.
    public enum Code: Sendable, Equatable {
        /// The file does not start (nor end) like a container.
        case notContainer
        /// The container's version is not 1.
        case unsupportedVersion
        /// The container's suite of algorithms is not 1.
        case unsupportedSuite
        /// A header does not have its own digest: its writing was interrupted, or bytes of it have changed since.
        case headerDamaged
        /// A header breaks the format's rules.
        case malformedHeader
        /// The header demands too few iterations to be safe, or too many to be genuine.
        case kdfRefused
        /// No key slot belongs to the passphrase.
        case wrongPassphrase
        /// A key slot belongs to the passphrase, but its content is damaged.
        case slotDamaged
        /// The header's authentication code does not match.
        case headerTampered
        /// The container was never finished.
        case incomplete
        /// The end of the container is missing.
        case truncated
        /// A segment is in the place of another one.
        case segmentMisplaced(segment: Int, found: Int)
        /// A segment was replaced by one of an earlier attempt at writing.
        case segmentReplaced(segment: Int)
        /// A segment's first 56 bytes are damaged.
        case segmentDamaged(segment: Int)
        /// A chunk of 16 KiB is damaged.
        case chunkDamaged(segment: Int, chunk: Int)
        /// The drive cannot read a segment's first 56 bytes.
        case segmentUnreadable(segment: Int)
        /// The drive read all of a segment, but not at the first attempt.
        case segmentHardToRead(segment: Int)
        /// The drive cannot read a chunk of 16 KiB.
        case chunkUnreadable(segment: Int, chunk: Int)
        /// Bytes follow the end of the container.
        case trailingData
        /// The footer, the index or the padding breaks the format's rules.
        case badFooter
        /// An entry does not match its description in the index.
        case entryMismatch
        /// There is no entry with that name.
        case noSuchEntry
        /// The writer was used in a way that the format forbids.
        case invalidUse
        /// The added entries differ from those of the unfinished container being resumed.
        case otherSession
        /// Without the slot, no passphrase would open the container.
        case lastSlot
        /// All eight slots are in use.
        case noFreeSlot
        /// With the new slot, trying all slots would cost a reader more iterations than it may spend.
        case iterationsExceeded
        /// A change of the passphrases was interrupted, and must be repeated first.
        case changeInterrupted
        /// The two headers are not both intact and identical.
        case headersDiffer
        /// There is no key slot with that number.
        case noSuchSlot
        /// The new passphrase already opens the container.
        case passphraseInUse
        /// The file is not a key ring.
        case notKeyRing
        /// The key ring was changed, or its end is missing.
        case keyRingDamaged
        /// The key is not that of the key ring.
        case wrongRingKey
        /// The file of a ring's key does not have exactly 32 bytes.
        case ringKeyMalformed
        /// Other users have permissions for the file of a ring's key.
        case ringKeyExposed
        /// The key would lie in the same folder as its ring.
        case keyBesideRing
        /// The key ring does not have the container's key.
        case notInKeyRing
        /// The key ring has as many keys as it can.
        case keyRingFull
        /// No passphrase was given for the container.
        case passphraseMissing
        /// The crypto module failed.
        case cryptoFailed
        /// There was not enough memory to compress.
        case compressionFailed
        /// The system refused to read or write.
        case io(SystemError)
    }

    /// What went wrong.
    public let code: Code
    /// The name of the affected entry, if any.
    public let entry: BytePath?

    /// Creates an error.
    public init(_ code: Code, entry: BytePath? = nil) {
        self.code = code
        self.entry = entry
    }
}

extension ContainerError {
    /// Whether the drive failed, as it does on a bad sector; the rest may still be readable.
    var isDeviceFailure: Bool {
        if case .io(let error) = code { error.isDeviceFailure } else { false }
    }

    /// Whether the tag of a chunk is wrong.
    var isChunkDamage: Bool {
        if case .chunkDamaged = code { true } else { false }
    }
}

/// A defect that does not prevent reading.
public enum ContainerWarning: String, Sendable, Equatable, CaseIterable {
    /// The header at the start is unusable; the one at the end was used.
    case primaryHeaderDamaged
    /// The header at the end is unusable.
    case spareHeaderDamaged
    /// There is no header at the end.
    case spareHeaderMissing
    /// The headers are of different generations: a change of passphrase was interrupted.
    case headerGenerationsDiffer
    /// A slot has fewer iterations than a writer accepts.
    case weakKdf
}

extension ContainerError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .notContainer, .unsupportedVersion, .unsupportedSuite, .kdfRefused, .notKeyRing: .unsupported
        case .headerDamaged, .malformedHeader, .slotDamaged, .headerTampered, .incomplete, .truncated,
            .segmentMisplaced, .segmentReplaced, .segmentDamaged, .chunkDamaged, .segmentUnreadable,
            .segmentHardToRead, .chunkUnreadable, .trailingData, .badFooter, .entryMismatch, .headersDiffer,
            .keyRingDamaged:
            .damaged
        case .wrongPassphrase, .wrongRingKey, .notInKeyRing, .passphraseMissing: .wrongPassphrase
        case .noSuchEntry, .noSuchSlot: .notFound
        case .invalidUse, .noFreeSlot, .iterationsExceeded, .changeInterrupted, .keyRingFull, .cryptoFailed,
            .compressionFailed:
            .failed
        case .otherSession: .targetExists
        case .lastSlot, .passphraseInUse, .ringKeyMalformed, .ringKeyExposed, .keyBesideRing: .usage
        case .io(let error): error.kind
        }
    }

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
        case .headerDamaged: "the header is damaged: its writing was interrupted, or the drive has changed it"
        case .malformedHeader: "the header breaks the rules of the format"
        case .kdfRefused: "the header requests a key derivation that is too weak or too slow"
        case .wrongPassphrase: "wrong passphrase"
        case .slotDamaged: "the key slot of this passphrase is damaged"
        case .headerTampered: "the header was changed by someone without the passphrase"
        case .incomplete: "unfinished: the export was interrupted"
        case .truncated: "cut off: the end is missing"
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
        case .notKeyRing: "not a key ring"
        case .keyRingDamaged: "the key ring is damaged, or was tampered with"
        case .wrongRingKey: "the key is not that of this key ring"
        case .ringKeyMalformed: "not a key file of healthvault, which has exactly 32 bytes"
        case .ringKeyExposed: "other users have permissions for this key"
        case .keyBesideRing: "the key would lie in the same folder as its key ring"
        case .notInKeyRing: "the key ring does not have the key of this archive"
        case .keyRingFull: "a key ring cannot have more keys"
        case .passphraseMissing: "no passphrase was given for this archive"
        case .cryptoFailed: "the crypto library failed"
        case .compressionFailed: "not enough memory for compression"
        case .io(let error): error.reason
        }
    }
}
