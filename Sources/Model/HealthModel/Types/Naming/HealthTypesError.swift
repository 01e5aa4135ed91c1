public import ByteText

/// An error thrown for a text that names nothing that the vocabulary knows.
public struct HealthTypesError: ClassifiedError, Sendable, Equatable {
    /// What the text should be.
    public enum Code: Sendable, CaseIterable {
        /// The identifier or short name of a known sample type.
        case unknownSampleType
        /// A unit in HealthKit's notation.
        case unknownUnit
        /// A ``SampleTypeProxy`` that begins with a kind of sample type.
        case unknownKind
        /// A ``SampleTypeProxy`` with the identifier of a type of its kind.
        case unknownIdentifier
    }

    /// What the text should be.
    public let code: Code
    /// The text.
    public let text: String

    /// Creates the error for a text.
    public init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension HealthTypesError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { .usage }

    /// What happened, in a printable line: `no known sample type is called "hartRate"`.
    public var description: String {
        let quoted = text.debugDescription
        return switch code {
        case .unknownSampleType: "no known sample type is called \(quoted)"
        case .unknownUnit: "not a unit: \(quoted)"
        case .unknownKind: "no kind of sample types: \(quoted)"
        case .unknownIdentifier: "no sample type of its kind: \(quoted)"
        }
    }
}
