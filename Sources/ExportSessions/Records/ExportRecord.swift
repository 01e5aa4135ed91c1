import ByteSpans
public import SampleBatches
public import SystemIO
import VaultCrypto

/// The record of an export, by which it can be continued by name: its source, its target and its progress.
///
/// It does not contain types, counts by type and failures; they are in the export itself.
public struct ExportRecord: Sendable, Equatable {
    /// The phases of an export.
    public enum Phase: String, Sendable, CaseIterable {
        /// It is running, or its process ended without a chance to record that.
        case running
        /// It was stopped, or could not continue, and its output so far is kept.
        case paused
        /// It could not continue, and nothing of it is left.
        case failed
        /// It is complete.
        case completed
        /// It is complete except for what failed.
        case completedWithFailures
    }

    /// The session's name.
    public var identifier: BulkExportSessionIdentifier
    /// Whether the name was given by a user.
    public var isNamed = true
    /// The path of the source, absolute; `-` for standard input.
    public var source: BytePath
    /// The path of the archive or folder, absolute.
    public var target: BytePath
    /// Whether the target is an encrypted archive.
    public var isEncrypted: Bool
    /// The rule for putting samples into batches; once the source was opened, the one determined for its length.
    public var batching: BatchOptions
    /// Whether an existing target is replaced.
    public var isReplacing = false
    /// Whether everything that can be read of a damaged source is exported.
    public var acceptsDamage = false
    /// The phase of the export.
    public var phase = Phase.running
    /// The time when it was started, in seconds since 1970-01-01T00:00:00Z.
    public var created: Int
    /// The time when this record was written, in the same unit.
    public var updated: Int
    /// The facts that distinguish the source from others, as far as they were known without reading all of it.
    public var fingerprint = KeyedFingerprint()
    /// The identity of the finished export, see ``OutputIdentity``; nil while there is none.
    public var identity: String?
    /// The identity of the unfinished output, see ``UnfinishedOutput``.
    public var unfinishedIdentity: String?
    /// The paths of further containers, each of which contains what those before it lack.
    public var further: [BytePath] = []
    /// The path of the further container that is being made; nil if there is none.
    public var pending: BytePath?
    /// The description of the finished output, recorded before the output gets its name.
    public var promise: Promise?
    /// The number of samples, once it is known.
    public var samples: Int?
    /// The size of the target in bytes, once it is complete.
    public var size: Int?

    /// The description of a finished output, recorded just before the output gets its name.
    ///
    /// A process that is killed after that instant has no chance to record that the output was finished.
    public struct Promise: Sendable, Equatable {
        /// The identity of the finished output.
        public var identity: String
        /// The phase of the export once the output is finished.
        public var phase: Phase
        /// Number of samples.
        public var samples: Int
        /// Whether an existing target is replaced on request, and not because this run mends its own output.
        public var isReplacing: Bool

        /// Makes a promise.
        public init(identity: String, phase: Phase, samples: Int, isReplacing: Bool) {
            self.identity = identity
            self.phase = phase
            self.samples = samples
            self.isReplacing = isReplacing
        }
    }

    /// The path of the finished output with the most contents: the last further container, or the target.
    public var newest: BytePath { further.last ?? target }
    /// The path of the output that is being made: a further container, or the target.
    public var output: BytePath { pending ?? target }
    /// Whether there is nothing left that this export can do for now.
    public var isComplete: Bool { phase == .completed || phase == .completedWithFailures }

    /// Makes the record of an export that starts now.
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

    /// Returns the name of an export without a given name: derived from its target's path, so that the same command
    /// finds it.
    public static func automaticIdentifier(forTarget path: BytePath) -> BulkExportSessionIdentifier {
        let digest = (try? SHA256.digest(of: path.bytes.span)) ?? []
        return BulkExportSessionIdentifier("export-" + Hexadecimal.text(Array(digest.prefix(4))))
    }

    /// Returns the names of the options that differ from another record, and make it a different export.
    public func differences(from other: ExportRecord) -> [String] {
        var names: [String] = []
        if source != other.source { names.append("SOURCE") }
        if target != other.target { names.append("--output") }
        if isEncrypted != other.isEncrypted { names.append("--encrypt") }
        if !batching.mayBe(resolvedFrom: other.batching) { names.append("--batch") }
        if acceptsDamage != other.acceptsDamage { names.append("--accept-damaged") }
        return names
    }
}
