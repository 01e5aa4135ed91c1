import ByteSpans
public import SampleBatches
public import SystemIO
import VaultCrypto

/// What the program keeps of an export, so that it can be continued by its name: where from, where to, and how far.
///
/// Types, counts by type and failures are not in it; they are in the export itself.
public struct ExportRecord: Sendable, Equatable {
    /// How far an export is.
    public enum Phase: String, Sendable, CaseIterable {
        /// It runs, or its process was ended without a chance to say so.
        case running
        /// It was stopped, or could not go on, and what it has done is kept.
        case paused
        /// It could not go on, and nothing is left of it.
        case failed
        /// It is complete.
        case completed
        /// It is complete but for what failed.
        case completedWithFailures
    }

    /// The session's name.
    public var identifier: BulkExportSessionIdentifier
    /// It has this name because somebody gave it one.
    public var isNamed = true
    /// The path of the source, absolute; `-` for standard input.
    public var source: BytePath
    /// The path of the archive or folder, absolute.
    public var target: BytePath
    /// The target is an encrypted archive.
    public var isEncrypted: Bool
    /// How samples are put into batches; once the source was opened, settled for its length.
    public var batching: BatchOptions
    /// An existing target is replaced.
    public var isReplacing = false
    /// What a cut-off source still holds is exported.
    public var acceptsTruncated = false
    /// How far it is.
    public var phase = Phase.running
    /// When it was begun, in seconds since 1970-01-01T00:00:00Z.
    public var created: Int
    /// When this was written.
    public var updated: Int
    /// What tells the source from others, as far as it was known without reading it through.
    public var fingerprint = KeyedFingerprint()
    /// What tells the finished export from others, see ``OutputIdentity``; nil while there is none.
    public var identity: String?
    /// What tells the unfinished output from others, see ``UnfinishedOutput``.
    public var unfinishedIdentity: String?
    /// The paths of further containers, each of which holds what those before it lack.
    public var further: [BytePath] = []
    /// The path of the further container that is being made, nil where none is.
    public var pending: BytePath?
    /// What the output is going to be, written down before it gets its name.
    public var promise: Promise?
    /// Number of samples, once that is known.
    public var samples: Int?
    /// Bytes of the target, once it is complete.
    public var size: Int?

    /// What an export says of itself just before its output gets its name.
    ///
    /// A process that is killed behind that instant has no chance to note that it was done.
    public struct Promise: Sendable, Equatable {
        /// What will tell the finished output from others.
        public var identity: String
        /// How far the export will be.
        public var phase: Phase
        /// Number of samples.
        public var samples: Int
        /// An existing target is replaced because that was asked for, and not because this run mends what it has made.
        public var isReplacing: Bool

        /// Makes one.
        public init(identity: String, phase: Phase, samples: Int, isReplacing: Bool) {
            self.identity = identity
            self.phase = phase
            self.samples = samples
            self.isReplacing = isReplacing
        }
    }

    /// The path of the finished output that holds most: the last further container, or the target.
    public var newest: BytePath { further.last ?? target }
    /// The path of what is being made: a further container, or the target.
    public var output: BytePath { pending ?? target }
    /// All is done that this export can do for now.
    public var isComplete: Bool { phase == .completed || phase == .completedWithFailures }

    /// A record of an export that begins now.
    public init(
        identifier: BulkExportSessionIdentifier, source: BytePath, target: BytePath, isEncrypted: Bool,
        batching: BatchOptions = .automatic, created: Int
    ) {
        self.identifier = identifier
        self.source = source
        self.target = target
        self.isEncrypted = isEncrypted
        self.batching = batching
        self.created = created
        updated = created
    }

    /// The name of an export that was given none: made of its target's path, so that the same command finds it again.
    public static func automaticIdentifier(forTarget path: BytePath) -> BulkExportSessionIdentifier {
        let digest = (try? SHA256.digest(of: path.bytes.span)) ?? []
        return BulkExportSessionIdentifier("export-" + Hexadecimal.text(Array(digest.prefix(4))))
    }

    /// The names of the options in which another record differs, so that it is not the same export.
    public func differences(from other: ExportRecord) -> [String] {
        var names: [String] = []
        if source != other.source { names.append("SOURCE") }
        if target != other.target { names.append("--output") }
        if isEncrypted != other.isEncrypted { names.append("--encrypt") }
        if !batching.mayBe(settledFrom: other.batching) { names.append("--batch") }
        if acceptsTruncated != other.acceptsTruncated { names.append("--accept-truncated") }
        return names
    }
}
