public import HealthFHIR
public import HealthModel

/// Resources as ``FHIRMapper`` makes them, for a FHIR server.
///
/// Clinical records are left out: they are resources of other systems, with identifiers of their own.
public struct MapperRendering: FHIRRendering {
    private let mapper: FHIRMapper

    /// Creates a rendering; resources refer to each other by identifier.
    public init(_ mapper: FHIRMapper = FHIRMapper()) {
        var mapper = mapper
        mapper.references = .conditional
        self.mapper = mapper
    }

    /// Returns the device of a sample, if it is known, and its resource; none for a sample without a mapping.
    public func resources(of sample: AnySample) throws -> [RenderedResource] {
        let resources: [FHIRResource]
        do throws(FHIRError) { resources = try mapper.resources(of: sample) } catch {
            if case .notMapped = error.code { return [] }
            throw error
        }
        guard resources.last?.identifier?.system == FHIRTarget.sampleSystem else { return [] }
        return resources.compactMap { resource in
            resource.identifier.map { identifier in
                RenderedResource(
                    type: resource.type,
                    identifier: ResourceIdentifier(system: identifier.system, value: identifier.value),
                    json: Self.withoutID(resource))
            }
        }
    }

    /// Returns the JSON of a resource without its id: the server gives its own, and an update must not have another.
    private static func withoutID(_ resource: FHIRResource) -> [UInt8] {
        let member = Array("\"id\":\"\(resource.id)\",".utf8)
        let json = resource.json
        for start in json.indices.dropLast(member.count - 1) where json[start...].starts(with: member) {
            return Array(json[..<start] + json[(start + member.count)...])
        }
        return json
    }

    /// Returns `Observation`, or the resource for a prescription.
    public func resourceType(of type: AnySampleType) -> String {
        type == .visionPrescription ? "VisionPrescription" : "Observation"
    }
}
