public import HealthModel
import JSONText
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
    public var source: String
    /// The path of the archive or folder, absolute.
    public var target: String
    /// The target is an encrypted archive.
    public var isEncrypted: Bool
    /// How samples are put into batches.
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
    public var fingerprint = StoreFingerprint()
    /// What tells the finished export from others, see ``OutputIdentity``; nil while there is none.
    public var identity: String?
    /// What tells the unfinished output from others, see ``UnfinishedOutput``.
    public var unfinishedIdentity: String?
    /// Number of samples, once that is known.
    public var samples: Int?
    /// Bytes of the target, once it is complete.
    public var size: Int?

    /// A record of an export that begins now.
    public init(
        identifier: BulkExportSessionIdentifier, source: String, target: String, isEncrypted: Bool,
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
    public static func automaticIdentifier(forTarget path: String) -> BulkExportSessionIdentifier {
        let digest = (try? SHA256.digest(of: Array(path.utf8).span)) ?? []
        return BulkExportSessionIdentifier("export-" + Hexadecimal.text(Array(digest.prefix(4))))
    }

    /// The names of the options in which another record differs, so that it is not the same export.
    public func differences(from other: ExportRecord) -> [String] {
        var names: [String] = []
        if !source.utf8.elementsEqual(other.source.utf8) { names.append("SOURCE") }
        if !target.utf8.elementsEqual(other.target.utf8) { names.append("--output") }
        if isEncrypted != other.isEncrypted { names.append("--encrypt") }
        if batching != other.batching { names.append("--batch") }
        if acceptsTruncated != other.acceptsTruncated { names.append("--accept-truncated") }
        return names
    }

    /// The record in a line.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("export", 1)
            writer.member("id", identifier.text)
            writer.member("named", isNamed)
            writer.member("source", source)
            writer.member("target", target)
            writer.member("encrypted", isEncrypted)
            writer.member("batching", batching.description)
            writer.member("replacing", isReplacing)
            writer.member("acceptTruncated", acceptsTruncated)
            writer.member("phase", phase.rawValue)
            writer.member("created", created)
            writer.member("updated", updated)
            writer.key("fingerprint")
            writer.object { writer in
                for (name, fact) in fingerprint.facts.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, fact)
                }
            }
            if let identity { writer.member("identity", identity) }
            if let unfinishedIdentity { writer.member("unfinished", unfinishedIdentity) }
            if let samples { writer.member("samples", samples) }
            if let size { writer.member("size", size) }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The last whole line of a file; nil where there is none that this version knows.
    init?(lastLineOf bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        let isWhole = bytes.last == UInt8(ascii: "\n")
        for line in (isWhole ? lines[...] : lines.dropLast()).reversed() {
            guard let record = ExportRecord(line: Array(line)) else { continue }
            self = record
            return
        }
        return nil
    }

    private init?(line: [UInt8]) {
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var flags: [String: Bool] = [:]
        var facts: [String: String] = [:]
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch try reader.kind() {
                case .number: numbers[name] = try reader.integer()
                case .bool: flags[name] = try reader.bool()
                case .object:
                    try reader.object { reader, fact in facts[fact] = try reader.string() }
                default: texts[name] = try reader.string()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["export"] == 1, let id = texts["id"], let source = texts["source"],
            let target = texts["target"], let isEncrypted = flags["encrypted"],
            let batching = texts["batching"].flatMap({ BatchOptions(parsing: $0) }),
            let phase = texts["phase"].flatMap({ Phase(rawValue: $0) }), let created = numbers["created"]
        else { return nil }
        self.init(
            identifier: BulkExportSessionIdentifier(id), source: source, target: target,
            isEncrypted: isEncrypted, batching: batching, created: created)
        isNamed = flags["named"] ?? true
        isReplacing = flags["replacing"] ?? false
        acceptsTruncated = flags["acceptTruncated"] ?? false
        self.phase = phase
        updated = numbers["updated"] ?? created
        fingerprint = StoreFingerprint(facts)
        identity = texts["identity"]
        unfinishedIdentity = texts["unfinished"]
        samples = numbers["samples"]
        size = numbers["size"]
    }
}
