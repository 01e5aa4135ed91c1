public import ArchiveManifest
import CivilTime
public import HealthModel
import JSONText
public import RecordedExports
public import SystemIO

/// What was done with an export that arrived in a watched folder.
///
/// It contains paths, times, steps and a keyed fingerprint, but nothing of the export's content.
public struct WatchRecord: Sendable {
    /// The watched folder.
    public let inbox: BytePath
    /// The export.
    public let export: BytePath
    /// When a step was last run, in seconds since 1970.
    public var time: Int
    /// The steps that are done.
    public var done: [String] = []
    /// The steps that failed, each with the reason: `sync: not connected`.
    public var failed: [String] = []
    /// What the steps that are done were done with, such as the targets, as codes: an address may contain a password.
    private var means: [String: String] = [:]
    private let fingerprint: KeyedFingerprint

    /// Creates the record of an export with which nothing was done yet.
    ///
    /// - Throws: `VaultError` if the crypto module fails.
    public init(_ export: ArrivedExport, in inbox: BytePath, at time: Int) throws(VaultError) {
        self.inbox = inbox
        self.export = export.path
        self.time = time
        fingerprint = try KeyedFingerprint(export.fingerprint)
    }

    /// Returns whether an export has the content that the record is about.
    public func isAbout(_ fingerprint: StoreFingerprint) -> Bool {
        (try? self.fingerprint.compare(fingerprint)) == .same
    }

    /// Returns whether a step is done with the same means.
    public func isDone(_ step: String, with means: String) -> Bool {
        guard done.contains(step) else { return false }
        return self.means[step].map { $0 == fingerprint.code(of: means) } ?? true
    }

    /// Records that a step is done with some means.
    public mutating func finish(_ step: String, with means: String) {
        failed.removeAll { $0.hasPrefix("\(step): ") }
        if !done.contains(step) { done.append(step) }
        self.means[step] = fingerprint.code(of: means)
    }

    /// Records that a step failed, with the reason.
    public mutating func fail(_ step: String, _ reason: String) {
        failed.removeAll { $0.hasPrefix("\(step): ") }
        failed.append("\(step): \(reason)")
    }

    /// The record as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("watched", 1)
            writer.member("inbox", inbox)
            writer.member("export", export)
            writer.member("time", time)
            writer.member("done", done)
            writer.member("failed", failed)
            writer.key("means")
            writer.object { writer in
                for (step, code) in means.sorted(by: { $0.key < $1.key }) { writer.member(step, code) }
            }
            fingerprint.write(&writer)
        }
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    init?(line: [UInt8]) {
        var reader = JSONReader(line)
        var (version, time): (Int?, Int?)
        var paths: [String: BytePath] = [:]
        var lists: [String: [String]] = [:]
        var facts: [String: String] = [:]
        var means: [String: String] = [:]
        do {
            try reader.object { reader, name in
                switch name {
                case "watched": version = try reader.integer()
                case "time": time = try reader.integer()
                case "inbox", "export": paths[name] = try reader.path()
                case "done", "failed":
                    try reader.array { reader in lists[name, default: []].append(try reader.string()) }
                case "means": try reader.object { reader, step in means[step] = try reader.string() }
                case KeyedFingerprint.member:
                    try reader.object { reader, name in facts[name] = try reader.string() }
                default: _ = try reader.skip()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard version == 1, let time, Timestamp.writableSeconds.contains(time), let inbox = paths["inbox"],
            let export = paths["export"], let fingerprint = KeyedFingerprint(facts)
        else { return nil }
        self.inbox = inbox
        self.export = export
        self.time = time
        self.fingerprint = fingerprint
        self.means = means
        done = lists["done"] ?? []
        failed = lists["failed"] ?? []
    }
}

/// The records of watched folders, in the state folder.
public struct WatchRecords: Sendable {
    private let file: RecordLines
    /// The number of exports that are remembered.
    private static let most = 200

    /// Creates the collection in a state folder.
    public init(_ folder: StateFolder) { file = RecordLines(folder.path, "watched") }

    /// Returns all records, oldest first.
    ///
    /// - Throws: `SystemError`.
    public func all() throws(SystemError) -> [WatchRecord] {
        try file.all().compactMap { WatchRecord(line: $0) }
    }

    /// Returns the record of the content of an export, or a new one.
    ///
    /// - Throws: `SystemError`, `VaultError`.
    public func record(of export: ArrivedExport, in inbox: BytePath) throws -> WatchRecord {
        try all().last { $0.inbox == inbox && $0.isAbout(export.fingerprint) }
            ?? WatchRecord(export, in: inbox, at: SystemClock.now())
    }

    /// Saves a record in place of that of the same content.
    ///
    /// - Throws: `SystemError`.
    public func save(_ record: WatchRecord, of export: ArrivedExport) throws {
        try file.change { lines in
            lines.removeAll { line in
                guard let other = WatchRecord(line: line) else { return false }
                return other.inbox == record.inbox && other.isAbout(export.fingerprint)
            }
            lines.append(record.line)
            lines.removeFirst(max(0, lines.count - Self.most))
        }
    }
}
