public import ByteText

/// An error thrown when a file of mappings cannot be used, or a resource cannot be made.
public struct FHIRError: ClassifiedError, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The file is not JSON.
        case notJSON
        /// A member has another type than expected, is missing, or is unknown.
        case unexpectedMember
        /// A name is that of no sample type.
        case unknownType
        /// A coding is not complete, or its code is not possible in its system.
        case invalidCoding
        /// A unit is unknown, or cannot be converted from that of the type.
        case invalidUnit
        /// A sample has no resource; see ``FHIRGap``.
        case notMapped(FHIRGap)
        /// An id has other characters than letters, digits, `-` and `.`, or more than 64.
        case invalidID
    }

    /// The kind of failure.
    public let code: Code
    /// Where it is: a path in the file, such as `stepCount.codings[0]`.
    public let place: String

    /// Creates an error.
    public init(_ code: Code, _ place: String) {
        self.code = code
        self.place = place
    }
}

extension FHIRError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .notJSON, .unexpectedMember, .invalidCoding, .invalidUnit: .damaged
        case .unknownType, .notMapped: .unsupported
        case .invalidID: .usage
        }
    }

    /// What is wrong, and where.
    public var description: String {
        let text =
            switch code {
            case .notJSON: "not a JSON object"
            case .unexpectedMember: "missing, unknown or of the wrong type"
            case .unknownType: "not a known sample type"
            case .invalidCoding: "not a complete coding, or the code does not exist in its system"
            case .invalidUnit: "not a unit that values of the type can be converted to"
            case .notMapped(let gap): "no resource: among \(gap.title)"
            case .invalidID: "an id consists of at most 64 letters, digits, hyphens and full stops"
            }
        return place.isEmpty ? text : "\(place): \(text)"
    }
}

/// Why a sample, or a part of one, is in no resource.
public enum FHIRGap: String, Sendable, CaseIterable, Hashable {
    /// Copies of another sample, which become one resource with it.
    case copies
    /// Samples of a type that has no representation.
    case unmappedTypes
    /// Samples that state no start in a readable form.
    case unreadableStarts
    /// Samples whose value is not a finite number.
    case unreadableValues
    /// Samples whose unit cannot be converted to that of their type.
    case unknownUnits
    /// Ends before the start, which a period cannot have; the resource states the start alone.
    case endsBeforeStart
    /// Attributes without a place in a resource, most of them such that no version of Apple's format has them.
    case attributes
    /// Nested elements without a place in a resource: heartbeats, events, routes.
    case nestedElements
    /// Clinical records in another version of FHIR than R4.
    case otherVersions
    /// Clinical records whose file is missing or not a resource.
    case unreadableResources
    /// Side files without a resource: routes, attachments.
    case files
}

extension FHIRGap {
    /// What is missing, in words, to follow a number.
    var title: String {
        switch self {
        case .copies: "copies of other samples"
        case .unmappedTypes: "samples of types without a resource"
        case .unreadableStarts: "samples without a readable start"
        case .unreadableValues: "samples without a finite value"
        case .unknownUnits: "samples in a unit that cannot be converted"
        case .endsBeforeStart: "ends before the start"
        case .attributes: "unknown attributes"
        case .nestedElements: "nested elements"
        case .otherVersions: "clinical records in another version than FHIR R4"
        case .unreadableResources: "clinical records that cannot be read"
        case .files: "side files"
        }
    }
}
