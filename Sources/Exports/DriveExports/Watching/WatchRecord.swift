public import ArchiveManifest
import CivilTime
import HealthModel
import JSONText
public import RecordedExports
public import SystemIO

/// What was done with an export that arrived in a watched folder.
///
/// It contains paths, times, steps and keyed codes of its content and of where it went, but nothing of the content.
public struct WatchRecord: Sendable {
    /// The watched folder.
    public let inbox: BytePath
    /// The export.
    public let export: BytePath
    /// When a step was last run, in seconds since 1970.
    public private(set) var time: Int
    /// The steps that are done.
    public private(set) var done: [String] = []
    /// The steps that failed, each with the reason: `sync: not connected`.
    public private(set) var failed: [String] = []
    /// Whose export it is, by the codes of the places that know the person: an address may contain a password.
    private var people: [String: String] = [:]
    private let fingerprint: KeyedFingerprint

    /// Creates the record of an export with which nothing was done yet.
    ///
    /// - Throws: `VaultError` if the crypto module fails.
    public init(_ export: ArrivedExport, in inbox: BytePath, at time: Int) throws(VaultError) {
        self.inbox = inbox
        self.export = export.path
        self.time = time
        fingerprint = try KeyedFingerprint(Self.facts(export))
    }

    private static func facts(_ export: ArrivedExport) -> StoreFingerprint {
        StoreFingerprint(["content": export.content])
    }

    /// Returns whether an export has the content that the record is about.
    func isAbout(_ export: ArrivedExport) -> Bool {
        (try? fingerprint.compare(Self.facts(export))) == .same
    }

    /// Returns whose export it is, as a place knows the person; nil if it was not brought there.
    public func person(at place: String) -> String? {
        fingerprint.code(of: place).flatMap { people[$0] }
    }

    /// Records whose export it is, as a place knows the person.
    public mutating func identify(_ person: String, at place: String) {
        if let code = fingerprint.code(of: place) { people[code] = person }
    }

    /// Records that a step is done, or the reason why it is not.
    public mutating func finish(_ step: String, _ reason: String?, at time: Int) {
        self.time = time
        done.removeAll { $0 == step }
        failed.removeAll { $0.hasPrefix("\(step): ") }
        if let reason { failed.append("\(step): \(reason)") } else { done.append(step) }
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
            writer.key("people")
            writer.object { writer in
                for (place, person) in people.sorted(by: { $0.key < $1.key }) { writer.member(place, person) }
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
        var people: [String: String] = [:]
        do {
            try reader.object { reader, name in
                switch name {
                case "watched": version = try reader.integer()
                case "time": time = try reader.integer()
                case "inbox", "export": paths[name] = try reader.path()
                case "done", "failed":
                    try reader.array { reader in lists[name, default: []].append(try reader.string()) }
                case "people": try reader.object { reader, place in people[place] = try reader.string() }
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
        self.people = people
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

    /// Returns all records, the one that was changed last at the end.
    ///
    /// - Throws: `SystemError`.
    public func all() throws(SystemError) -> [WatchRecord] {
        try file.all().compactMap { WatchRecord(line: $0) }
    }

    /// Returns the record of the content of an export, or a new one.
    ///
    /// - Throws: `SystemError`, `VaultError`.
    public func record(of export: ArrivedExport, in inbox: BytePath) throws -> WatchRecord {
        try all().last { $0.inbox == inbox && $0.isAbout(export) }
            ?? WatchRecord(export, in: inbox, at: SystemClock.now())
    }

    /// Returns whether an export is the one that was brought to a place last.
    ///
    /// - Throws: `SystemError`.
    public func isLast(_ export: ArrivedExport, at place: String, in inbox: BytePath) throws -> Bool {
        try all().last { $0.inbox == inbox && $0.person(at: place) != nil }?.isAbout(export) ?? false
    }

    /// Saves a record in place of that of the same content.
    ///
    /// - Throws: `SystemError`.
    public func save(_ record: WatchRecord, of export: ArrivedExport) throws {
        try file.change { lines in
            lines.removeAll { line in
                guard let other = WatchRecord(line: line) else { return false }
                return other.inbox == record.inbox && other.isAbout(export)
            }
            lines.append(record.line)
            lines.removeFirst(max(0, lines.count - Self.most))
        }
    }
}
