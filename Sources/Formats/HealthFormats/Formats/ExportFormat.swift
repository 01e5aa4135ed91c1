public import SystemIO

/// An export format for people and other programs to read.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// One file per batch, with one JSON object per line.
    case ndjson
    /// One JSON document.
    case json
    /// One file of comma-separated values per type.
    case csv
    /// An SQLite database.
    case sqlite
    /// Apple's own format.
    case appleXML = "apple-xml"
    /// Resources of HL7 FHIR R4.
    case fhir

    /// Whether its values can have other units than those of the source: tables can, for people who calculate with them.
    public var takesUnits: Bool { self == .csv || self == .sqlite }

    /// The name of its file in a folder; nil if it consists of several files.
    public var fileName: BytePath? {
        switch self {
        case .ndjson, .csv, .fhir: nil
        case .json: "health.json"
        case .sqlite: "health.db"
        case .appleXML: "export.zip"
        }
    }
}
