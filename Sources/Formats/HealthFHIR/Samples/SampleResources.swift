import ByteText
public import HealthModel
public import SampleBatches

extension FHIRMapper {
    /// Returns the resources of a sample: what recorded it, if that is known, and then the sample.
    ///
    /// - Throws: ``FHIRError`` with the code `notMapped` if the sample has no resource.
    public func resources(of sample: some HealthSample) throws(FHIRError) -> [FHIRResource] {
        let result = resources(of: sample.row.batch)
        guard !result.resources.isEmpty else {
            let gap = result.gaps.counts.keys.min { $0.rawValue < $1.rawValue }
            throw FHIRError(.notMapped(gap ?? .unmappedTypes), sample.sampleType.printableName)
        }
        return result.resources
    }

    /// Returns the resources of the samples in a batch, each device before the first sample that it recorded.
    ///
    /// Samples without a resource are left out and counted.
    public func resources(of batch: SampleBatch) -> (resources: [FHIRResource], gaps: FHIRGaps) {
        var resources: [FHIRResource] = []
        var gaps = FHIRGaps()
        var devices: Set<UInt128> = []
        let rows = FHIRRows(batch)
        gaps.add(.copies, rows.copyCount)
        var encoder = ResourceEncoder(self)
        // Writing to memory cannot fail.
        try? encoder.write(rows, &gaps) { type, identity, device, json in
            if let device, devices.insert(device.identity).inserted { resources.append(device.resource) }
            let id = FHIRIdentity.text(identity)
            let identifier = FHIRIdentifier(system: sampleSystem, value: id)
            resources.append(FHIRResource(type: type, id: id, identifier: identifier, json: json.array))
        }
        return (resources, gaps)
    }

    /// Returns the person: the day of birth and the sex, if they are stated.
    ///
    /// - Parameter characteristics: What the export states about the person.
    /// - Throws: ``FHIRError`` if the subject is not a patient with a valid id.
    public func patient(_ characteristics: Characteristics) throws(FHIRError) -> FHIRResource {
        guard case .patient(let id) = subject, FHIRIdentity.isID(id) else {
            throw FHIRError(.invalidID, "Patient")
        }
        let identifier = FHIRIdentifier(system: FHIRIdentity.patientSystem, value: id)
        var writer = JSONWriter()
        writer.object { writer in
            writer.opening("Patient", identifier)
            switch characteristics.biologicalSex {
            case .female?: writer.member("gender", "female")
            case .male?: writer.member("gender", "male")
            case .other?: writer.member("gender", "other")
            case .notSet?, nil: break
            }
            if let birth = characteristics.birth { writer.member("birthDate", birth) }
        }
        return FHIRResource(type: "Patient", id: id, identifier: identifier, json: writer.bytes)
    }
}
