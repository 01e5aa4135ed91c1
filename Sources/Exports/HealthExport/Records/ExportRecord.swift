import ByteText
public import SampleBatches
public import SystemIO
import VaultCrypto

/// The record that lets an export be continued by name: its source, target and progress.
///
/// It does not contain types, counts by type or failures; these are in the export itself.
public struct ExportRecord: Sendable, Equatable {
    /// The phases of an export.
    public enum Phase: String, Sendable, CaseIterable {
        /// The export is running, or its process ended before it could record that.
        case running
        /// The export was stopped or could not continue, and its output so far is kept.
        case paused
        /// The export could not continue, and none of its output is left.
        case failed
        /// The export is complete.
        case completed
        /// The export is complete except for the parts that failed.
        case completedWithFailures
    }

    /// The session's name.
    public var identifier: BulkExportSessionIdentifier
    /// Whether the user chose the name.
    public var isNamed = true
    /// The absolute path of the source; `-` for standard input.
    public var source: BytePath
    /// The absolute path of the archive or folder.
    public var target: BytePath
    /// Whether the target is an encrypted archive.
    public var isEncrypted: Bool
    /// The rule for grouping samples into batches; resolved for the source's length once the source has been opened.
    public var batching: BatchOptions
    /// The name of the destination that the target is at; nil if it is at none.
    public var destination: String?
    /// The number of verified full exports to keep at the destination; nil for all.
    public var kept: Int?
    /// Whether an existing target is replaced.
    public var isReplacing = false
    /// Whether the readable parts of a damaged source are exported.
    public var acceptsDamage = false
    /// The phase of the export.
    public var phase = Phase.running
    /// The time when the export was started, in seconds since 1970-01-01T00:00:00Z.
    public var created: Int
    /// The time when this record was last written, in seconds since 1970-01-01T00:00:00Z.
    public var updated: Int
    /// The facts that distinguish the source from others, as far as they are known without reading all of it.
    public var fingerprint = KeyedFingerprint()
    /// The identity of the finished export (see ``OutputIdentity``); nil until there is one.
    public var identity: String?
    /// The identity of the unfinished output (see ``UnfinishedOutput``); nil if there is none.
    public var unfinishedIdentity: String?
    /// The paths of further containers, each of which adds contents that the previous ones lack.
    public var further: [BytePath] = []
    /// The path of the further container that is being written; nil if there is none.
    public var pending: BytePath?
    /// The description of the finished output, recorded before the output gets its final name.
    public var promise: Promise?
    /// The number of samples, once it is known.
    public var samples: Int?
    /// The size of the target in bytes, once it is complete.
    public var size: Int?

    /// The description of a finished output, recorded just before the output gets its final name.
    ///
    /// A process killed right after the rename cannot record that it finished the output.
    public struct Promise: Sendable, Equatable {
        /// The identity of the finished output.
        public var identity: String
        /// The phase of the export once the output is finished.
        public var phase: Phase
        /// The number of samples.
        public var samples: Int
        /// Whether an existing target is replaced on request, rather than because this run repairs its own output.
        public var isReplacing: Bool
    }

    /// The path of the most complete finished output: the last further container, or the target.
    public var newest: BytePath { further.last ?? target }
    /// The path of the output that is being written: a further container, or the target.
    public var output: BytePath { pending ?? target }
    /// Whether the export has nothing left to do for now.
    public var isComplete: Bool { phase == .completed || phase == .completedWithFailures }

    /// Creates the record of an export that is starting.
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

    /// Returns the name of an export that the user did not name.
    ///
    /// It is derived from the target's path, so that the same command finds the export again.
    public static func automaticIdentifier(forTarget path: BytePath) -> BulkExportSessionIdentifier {
        let digest = (try? SHA256.digest(of: path.bytes.span)) ?? []
        return BulkExportSessionIdentifier("export-" + Hexadecimal.text(Array(digest.prefix(4))))
    }

    /// Returns the names of the options that differ from another record and make this a different export.
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

extension ExportRecord: FileRecord {
    package static let blank = ExportRecord(
        identifier: BulkExportSessionIdentifier(""), source: "", target: "", isEncrypted: false, created: 0)

    package static let fields: RecordFields<ExportRecord> = [
        .version("export"),
        .field(\.identifier, "id", .mapped(.text, { BulkExportSessionIdentifier($0) }, \.text)),
        .field(\.isNamed, "named", .flag), .field(\.source, "source", .path),
        .field(\.target, "target", .path), .field(\.isEncrypted, "encrypted", .flag),
        .field(\.batching, "batching", .batching), .field(\.destination, "destination", .text),
        .field(\.kept, "keep", .count), .field(\.isReplacing, "replacing", .flag),
        .field(\.acceptsDamage, "acceptDamaged", .flag), .field(\.phase, "phase", .name),
        .field(\.created, "created", .time), .field(\.updated, "updated", .time),
        .field(\.fingerprint, "fingerprint", .fingerprint), .field(\.identity, "identity", .text),
        .field(\.unfinishedIdentity, "unfinished", .text),
        .field(\.further, "further", .list(of: .path), unless: []), .field(\.pending, "pending", .path),
        .field(\.promise, "promised", .object), .field(\.samples, "samples", .count),
        .field(\.size, "size", .count),
    ]
}

extension ExportRecord.Promise: FileRecord {
    package static let blank = Self(identity: "", phase: .failed, samples: 0, isReplacing: false)

    package static let fields: RecordFields<Self> = [
        .field(\.identity, "identity", .text), .field(\.phase, "phase", .name),
        .field(\.samples, "samples", .count), .field(\.isReplacing, "replacing", .flag),
    ]
}

extension RecordValue<BatchOptions> {
    /// The options in words.
    package static let batching = mapped(.text, { BatchOptions(parsing: $0) }, { $0.description })
}
