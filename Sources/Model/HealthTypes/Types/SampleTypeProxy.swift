/// A sample type as one string, `"quantity;HKQuantityTypeIdentifierHeartRate"`, for files and settings.
///
/// Unknown types are written and read like all others.
public struct SampleTypeProxy: Sendable, Hashable {
    /// The type.
    public let type: AnySampleType

    /// The reason why a text is not a sample type.
    public enum DecodingFailure: Error, Sendable, Equatable {
        /// The part before the semicolon is not a kind of sample type.
        case unknownKind
        /// The identifier is empty, or belongs to a type of another kind.
        case unknownIdentifier
    }

    /// Creates the proxy of a type.
    public init(_ type: AnySampleType) { self.type = type }

    /// Creates the proxy of a type.
    public init<Sample>(_ type: SampleType<Sample>) { self.type = type.erased }

    /// The string that stands for the type.
    public var text: String { "\(type.kind.rawValue);\(type.identifier)" }

    /// Reads the string that stands for a type.
    public init(parsing text: String) throws(DecodingFailure) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = AnySampleType.Kind(rawValue: String(parts[0])) else {
            throw .unknownKind
        }
        type = AnySampleType(String(parts[1]))
        guard !parts[1].isEmpty, type.kind == kind else { throw .unknownIdentifier }
    }
}

extension SampleTypeProxy: Codable {
    /// Writes the string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the string.
    ///
    /// - Throws: ``DecodingFailure``.
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
    }
}
