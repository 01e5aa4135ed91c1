import ByteText

/// Makes FHIR R4 resources of samples.
///
/// ```swift
/// let mapper = FHIRMapper()
/// for sample in samples {
///     for resource in try mapper.resources(of: sample) {
///         print(resource.type, resource.id, String(decoding: resource.json, as: UTF8.self))
///     }
/// }
/// ```
///
/// A resource has the same id in every export that has the sample, and exact copies of a sample have the same id.
public struct FHIRMapper: Sendable {
    /// The codes and units of types.
    public var mapping = FHIRMapping.standard
    /// The person whose samples they are.
    public var subject = FHIRSubject.unnamed
    /// The namespace of the identifiers of samples: one of its own for each person, where several are in one place.
    public var sampleSystem = FHIRIdentity.sampleSystem
    /// How resources refer to each other.
    public var references = FHIRReferenceStyle.relative

    /// Creates a mapper.
    public init() {}

    /// The value of `subject`.
    var subjectJSON: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch subject {
            case .unnamed: writer.member("display", "The person who made the export")
            case .patient(let id):
                let query = FHIRIdentifier(system: FHIRIdentity.patientSystem, value: id).query
                writer.member("reference", references == .relative ? "Patient/\(id)" : "Patient?\(query)")
            case .reference(let text): writer.member("reference", text)
            }
        }
        return writer.bytes
    }

    /// Returns the reference to a device.
    func reference(to device: DeviceResource) -> String {
        switch references {
        case .relative: "Device/\(FHIRIdentity.text(device.identity))"
        case .urn: FHIRIdentity.urn(device.identity)
        case .conditional: "Device?\(device.identifier.query)"
        }
    }
}
