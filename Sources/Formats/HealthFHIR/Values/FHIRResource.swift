/// A resource of HL7 FHIR R4, as JSON.
public struct FHIRResource: Sendable, Equatable {
    /// The resource type: `Observation`.
    public let type: String
    /// The logical id, derived from the identity of the sample: the same in every export of the same phone.
    public let id: String
    /// The business identifier, for conditional creates; nil for a clinical record, which is passed on unchanged.
    public let identifier: FHIRIdentifier?
    /// The resource, on one line.
    public let json: [UInt8]

    /// The address of the resource in a Bundle, to which references of the style ``FHIRReferenceStyle/urn`` refer:
    /// `urn:uuid:6f1d...`.
    public var fullURL: String {
        FHIRIdentity.urn(UInt128(id, radix: 16) ?? FHIRIdentity.of([type, id]))
    }
}

/// A business identifier of a resource.
public struct FHIRIdentifier: Sendable, Hashable {
    /// The namespace of the value.
    public let system: String
    /// The value, unique in the system.
    public let value: String

    /// Creates an identifier.
    public init(system: String, value: String) {
        self.system = system
        self.value = value
    }

    /// The identifier as a search parameter, for `If-None-Exist`: `identifier=urn:healthvault:sample|6f1d...`.
    public var query: String { "identifier=\(system)|\(value)" }
}

/// How resources refer to each other.
public enum FHIRReferenceStyle: Sendable {
    /// By type and id: `Device/6f1d...`. For files, and for servers that keep the ids.
    case relative
    /// By the `fullUrl` of an entry: `urn:uuid:6f1d...`. For Bundles that contain what recorded their samples; the
    /// person is referred to by identifier.
    case urn
    /// By identifier: `Device?identifier=...`. For transactions, in which a server resolves it.
    case conditional
}

/// The person whose samples the resources describe.
public enum FHIRSubject: Sendable, Equatable {
    /// Nobody in particular: resources have a subject, as the profiles of vital signs demand, but it refers to nothing.
    case unnamed
    /// The resource ``FHIRMapper/patient(_:)`` with this id.
    case patient(id: String)
    /// A resource that is elsewhere, such as `Patient/123` on a server.
    case reference(String)

    /// Whether a patient's id is one that FHIR allows: at most 64 letters, digits, hyphens and full stops.
    public var isValid: Bool {
        if case .patient(let id) = self { FHIRIdentity.isID(id) } else { true }
    }
}
