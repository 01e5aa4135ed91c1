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
                    json: resource.json)
            }
        }
    }

    /// Returns `Observation`, or the resource for a prescription.
    public func resourceType(of type: AnySampleType) -> String {
        type == .visionPrescription ? "VisionPrescription" : "Observation"
    }
}
