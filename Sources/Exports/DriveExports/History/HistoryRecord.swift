public import HealthModel
public import SystemIO

/// The record of an export to a destination.
///
/// It contains totals, but no content of the export.
public struct HistoryRecord: Sendable, Hashable {
    /// How an export ended.
    public enum Result: String, Sendable, CaseIterable {
        /// It is complete and was verified.
        case done
        /// It is complete except for what failed or was damaged in the source, and was verified.
        case incomplete
        /// The destination already had everything, and nothing was written.
        case nothingNew
        /// It was written, but is not yet verified.
        case unverified
        /// It could not be made, or what was written is not intact.
        case failed
    }

    /// Its place in the order of all records, from 1; 0 until it is added to the history.
    ///
    /// It does not depend on the clock.
    public internal(set) var sequence = 0
    /// The time when it began, in seconds since 1970, by the clock of the computer.
    public var began: Int
    /// How long it took, in seconds.
    public var seconds: Double
    /// The name of the destination.
    public var destination: String
    /// Whether a schedule requested it.
    public var isScheduled = false
    /// `encrypted`, or the names of the formats with commas.
    public var format: String
    /// The units of values in tables and databases; nil for those of the source, or if there are no tables.
    public var units: MeasurementSystem?
    /// How it ended.
    public var result: Result
    /// Why it failed, without any content of the export; nil if it did not.
    public var reason: String?
    /// The path of the archive or folder; nil if none was written.
    public var path: BytePath?
    /// The identity of the archive or folder, see `OutputIdentity`.
    public var identity: String?
    /// The identity of the archive that it continues; nil if it continues none.
    public var continues: String?
    /// The time of the export that was written, by the phone, in seconds since 1970; nil if the export does not have it.
    public var exported: Int?
    /// The number of samples in the whole export.
    public var samples = 0
    /// The number of bytes that were written.
    public var size = 0
    /// Whether it contains only a requested part of its source.
    public var isPart = false
    /// Whether the file has since been removed to make room for newer ones.
    public var isPruned = false

    /// Creates a record.
    public init(began: Int, seconds: Double = 0, destination: String, format: String, result: Result) {
        self.began = began
        self.seconds = seconds
        self.destination = destination
        self.format = format
        self.result = result
    }

    /// Whether it is an archive and not a folder.
    public var isEncrypted: Bool { format == Self.encrypted }
    /// The format of encrypted archives.
    public static let encrypted = "encrypted"

    /// Whether something was written and found intact.
    public var isVerified: Bool { result == .done || result == .incomplete }

    /// Whether something was written and has not been pruned.
    public var hasOutput: Bool { path != nil && identity != nil && !isPruned }
}

extension HistoryRecord: FileRecord {
    package static let blank = HistoryRecord(began: 0, destination: "", format: "", result: .failed)

    package static let fields: RecordFields<HistoryRecord> = [
        .version("run"), .field(\.sequence, "sequence", .number(1...1 << 50)),
        .field(\.began, "began", .time),
        .field(
            \.seconds, "milliseconds",
            .mapped(.count, { Double($0) / 1000 }, { Int(($0 * 1000).rounded()) })),
        .field(\.destination, "destination", .text), .field(\.isScheduled, "scheduled", .flag),
        .field(\.format, "format", .text), .field(\.units, "units", .name), .field(\.result, "result", .name),
        .field(\.reason, "reason", .text), .field(\.path, "path", .path),
        .field(\.identity, "identity", .text), .field(\.continues, "continues", .text),
        .field(\.exported, "exported", .time), .field(\.samples, "samples", .count),
        .field(\.size, "size", .count), .field(\.isPart, "part", .flag), .field(\.isPruned, "pruned", .flag),
    ]
}
