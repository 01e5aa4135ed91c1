import HealthFHIR
import HealthModel

/// How samples become resources on a FHIR server.
///
/// Clinical records are left out: they are resources of other systems, with identifiers of their own.
struct FHIRRendering: Sendable {
    private(set) var mapper: FHIRMapper

    /// Creates a rendering; resources refer to each other by identifier.
    init(_ mapper: FHIRMapper) {
        var mapper = mapper
        mapper.references = .conditional
        self.mapper = mapper
    }

    /// Sets the namespace of the identifiers of samples.
    mutating func use(_ system: String) { mapper.sampleSystem = system }

    /// Returns the resources of a sample: its device, if it is known, and its own last; none for a sample without a mapping.
    func resources(of sample: AnySample) throws -> [FHIRResource] {
        let resources: [FHIRResource]
        do throws(FHIRError) { resources = try mapper.resources(of: sample) } catch {
            if case .notMapped = error.code { return [] }
            throw error
        }
        return resources.last?.identifier?.system == mapper.sampleSystem ? resources : []
    }

    /// Returns the JSON of a resource without its id: the server gives its own, and an update must not have another.
    static func jsonWithoutID(_ resource: FHIRResource) -> [UInt8] {
        let member = Array("\"id\":\"\(resource.id)\",".utf8)
        let json = resource.json
        for start in json.indices.dropLast(member.count - 1) where json[start...].starts(with: member) {
            return Array(json[..<start] + json[(start + member.count)...])
        }
        return json
    }

    /// Returns the type of the resources of samples of a type, by which they are found again.
    static func resourceType(of type: AnySampleType) -> String {
        type == .visionPrescription ? "VisionPrescription" : "Observation"
    }
}

extension FHIRIdentifier {
    /// The search parameter, escaped for a URL.
    var escapedQuery: String { "identifier=\(PercentEncoding.name("\(system)|\(value)"))" }
}
