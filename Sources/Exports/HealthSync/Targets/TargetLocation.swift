public import SystemIO

/// The location of a target, as text: `sqlite:health.db`, `dir:folder`, `postgresql://host/database`,
/// `fhir+https://host/fhir`.
public enum TargetLocation: Sendable, Hashable {
    /// An SQLite database.
    case sqlite(BytePath)
    /// A folder.
    case folder(BytePath)
    /// A connection string of libpq.
    case postgreSQL(String)
    /// The base URL of a FHIR server, with `https`.
    case fhir(String)

    /// Reads a location; nil if the text is in none of these forms.
    public init?(_ text: String) {
        func rest(_ prefix: String) -> String? {
            text.hasPrefix(prefix) && text.count > prefix.count ? String(text.dropFirst(prefix.count)) : nil
        }
        if let path = rest("sqlite:") {
            self = .sqlite(BytePath(path))
        } else if let path = rest("dir:") {
            self = .folder(BytePath(path))
        } else if rest("postgresql:") != nil || rest("postgres:") != nil {
            self = .postgreSQL(text)
        } else if let url = rest("fhir+"), url.hasPrefix("https://"),
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        {
            self = .fhir(url.last == "/" ? String(url.dropLast()) : url)
        } else {
            return nil
        }
    }

    /// The number of changes in a batch that suits the target.
    public var batchSize: Int {
        switch self {
        case .sqlite: 1000
        case .folder: 500
        case .postgreSQL: 10_000
        case .fhir: 100
        }
    }
}
