public import SystemIO

/// A form in which an export is written for people and programs.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// A file for each batch, with a JSON object in each line.
    case ndjson
    /// One JSON document.
    case json
    /// A file for each type, with comma-separated values.
    case csv
    /// A SQLite database.
    case sqlite
    /// Apple's own form.
    case appleXML = "apple-xml"

    /// The name of its file in a folder; nil if it is several files.
    public var fileName: BytePath? {
        switch self {
        case .ndjson, .csv: nil
        case .json: "health.json"
        case .sqlite: "health.db"
        case .appleXML: "export.zip"
        }
    }
}
