/// A record from a clinic: an element that refers to a file with a FHIR resource.
struct ClinicalRecord {
    /// The types of resources, each with the version of FHIR in which the clinic sends it.
    ///
    /// Real exports mix versions, too.
    enum Resource: String, CaseIterable {
        case observation = "Observation"
        case diagnosticReport = "DiagnosticReport"
        case medicationOrder = "MedicationOrder"
        case patient = "Patient"
        case procedure = "Procedure"

        var fhirVersion: String { self == .medicationOrder ? "1.0.2" : "4.0.1" }
        var path: String { self == .medicationOrder ? "dstu2" : "r4" }
    }

    let resource: Resource
    let identifier: Identifier
    let received: Int

    private let clock: ExportClock

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.clinicalRecord, index)
        resource = Resource.allCases[index % Resource.allCases.count]
        identifier = Identifier(from: &chance)
        let slot = context.slot(index, of: context.amounts.clinicalFiles)
        received = slot.lowerBound + chance.below(slot.count)
        clock = context.clock
    }

    /// The file's name relative to the export.
    var fileName: String { "clinical-records/\(resource.rawValue)-\(identifier.text).json" }

    func append(to stream: inout XMLStream) {
        stream.element("ClinicalRecord") { record in
            record.attribute("type", resource.rawValue)
            record.attribute("identifier", identifier.text)
            record.attribute("sourceName", "Synthetic Clinic")
            record.attribute(
                "sourceURL",
                "https://fhir.example.org/\(resource.path)/\(resource.rawValue)/\(identifier.text)")
            record.attribute("fhirVersion", resource.fhirVersion)
            record.attribute("receivedDate", received, clock)
            record.attribute("resourceFilePath", "/\(fileName)")
        }
    }
}
