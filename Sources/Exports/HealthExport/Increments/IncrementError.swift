public import SystemIO

/// The reason why an export cannot follow an archive of earlier ones.
public struct IncrementError: Error, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// The export seems to be from another person or phone than the archive.
        case otherExport(ForeignSign)
        /// The export is older than the newest one in the archive.
        case olderExport
    }

    /// The kind of reason.
    public let code: Code
    /// The path of the source.
    public let path: BytePath

    /// Makes an error.
    package init(_ code: Code, path: BytePath) {
        self.code = code
        self.path = path
    }
}

extension IncrementError: CustomStringConvertible {
    /// What happened, and with which source, in a line that can be printed.
    public var description: String {
        let reason: TerminalText =
            switch code {
            case .olderExport: "is older than the newest export at the destination"
            case .otherExport(.person):
                "appears to be another person's export: the date of birth or sex differs"
            case .otherExport(.sources):
                "appears to be another person's export: it shares no device or app with the archive"
            case .otherExport(.samples):
                "appears to be another person's export: it shares hardly any samples with the archive"
            }
        return "\(path): \(reason.text)"
    }
}

/// A sign that an export is from another person or phone than an archive.
public enum ForeignSign: String, Sendable {
    /// The date of birth or the sex differs.
    case person
    /// They have no source of samples in common.
    case sources
    /// Hardly any samples of the archive are in the export.
    case samples
}
