public import HealthArchive
import HealthExport
import HealthModel
public import SystemIO

/// What was done with an export that arrived in a watched folder.
///
/// It contains paths, times, steps and keyed codes of its content and of where it went, but nothing of the content.
public struct WatchRecord: Sendable, Equatable {
    /// The watched folder.
    public private(set) var inbox: BytePath
    /// The export.
    public private(set) var export: BytePath
    /// When a step was last run, in seconds since 1970.
    public private(set) var time: Int
    /// The steps that are done.
    public private(set) var done: [String] = []
    /// The steps that failed, each with the reason: `sync: not connected`.
    public private(set) var failed: [String] = []
    /// Codes of whose export it is, by those of the places that know the person: an address may contain a password.
    fileprivate var people: [String: String] = [:]
    private var fingerprint: KeyedFingerprint

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

    /// Returns whether it is the export of one of some people, as a place knows them.
    public func isOf(_ people: Set<String>, at place: String) -> Bool {
        guard let person = fingerprint.code(of: place).flatMap({ self.people[$0] }) else { return false }
        return people.contains { fingerprint.code(of: $0) == person }
    }

    /// Records whose export it is, as a place knows the person.
    public mutating func identify(_ person: String, at place: String) {
        if let code = fingerprint.code(of: place) { people[code] = fingerprint.code(of: person) }
    }

    /// Records that another export was brought to a place since.
    fileprivate mutating func leave(_ place: String) {
        if let code = fingerprint.code(of: place) { people[code] = nil }
    }

    /// Records that a step is done, or the reason why it is not.
    public mutating func finish(_ step: String, _ reason: String?, at time: Int) {
        self.time = time
        done.removeAll { $0 == step }
        failed.removeAll { $0.hasPrefix("\(step): ") }
        if let reason { failed.append("\(step): \(reason)") } else { done.append(step) }
    }

    private init() {
        (inbox, export, time, fingerprint) = ("", "", 0, KeyedFingerprint())
    }
}

extension WatchRecord: FileRecord {
    package static let blank = WatchRecord()

    package static let fields: RecordFields<WatchRecord> = [
        .version("watched"), .field(\.inbox, "inbox", .path), .field(\.export, "export", .path),
        .field(\.time, "time", .time), .field(\.done, "done", .list(of: .text)),
        .field(\.failed, "failed", .list(of: .text)), .field(\.people, "people", .texts),
        .field(\.fingerprint, "fingerprint", .fingerprint),
    ]
}

/// The records of watched folders, in the state folder.
public struct WatchRecords: Sendable {
    private let file: RecordFile<WatchRecord>
    /// The number of exports that are remembered.
    private static let most = 1000

    /// Creates the collection in a state folder.
    public init(_ folder: StateFolder) { file = RecordFile(folder.path, "watched") }

    /// Returns all records, the one that was changed last at the end.
    ///
    /// - Throws: `SystemError`.
    public func all() throws -> [WatchRecord] { try file.all() }

    /// Returns the record of the last export of each folder, sorted by the path of the folder.
    ///
    /// - Throws: `SystemError`.
    public func newest() throws -> [WatchRecord] {
        let newest = Dictionary(try all().map { ($0.inbox, $0) }) { _, later in later }
        return newest.values.sorted { $0.inbox < $1.inbox }
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
        try record(of: export, in: inbox).isOf([""], at: place)
    }

    /// Saves a record in place of that of the same content.
    ///
    /// - Parameter place: A place that does not tell people apart, to which the export was brought as the last one; nil for
    ///   none.
    /// - Throws: `SystemError`.
    public func save(
        _ record: WatchRecord, of export: ArrivedExport, lastAt place: String? = nil
    ) throws {
        try file.change { lines in
            lines = lines.compactMap { line in
                guard var other = line.record, other.inbox == record.inbox else { return line }
                if let place { other.leave(place) }
                return other.isAbout(export) ? nil : place == nil ? line : RecordFile.Line(other)
            }
            lines.append(RecordFile.Line(record))
            lines.removeFirst(max(0, lines.count - Self.most))
        }
    }
}
