import CivilTime

/// A record from a clinic: an element that refers to a file with a FHIR resource.
struct ClinicalRecord: NumberedElement {
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

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.clinicalRecord, index)
        resource = Resource.allCases[index % Resource.allCases.count]
        identifier = Identifier(from: &chance)
        received = context.instant(index, of: context.amounts.clinicalFiles, from: &chance)
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
            record.attribute("receivedDate", at: received)
            record.attribute("resourceFilePath", "/\(fileName)")
        }
    }
}

/// A FHIR resource from a clinic, as JSON on a few lines.
struct ClinicalRecordFile: SideFileContent {
    private let record: ClinicalRecord

    init(_ index: Int, _ context: ExportContext) {
        record = ClinicalRecord(index, context)
    }

    var name: String { record.fileName }

    func appendHead(to text: inout ByteText) {
        text.append("{\n  \"resourceType\": \"\(record.resource.rawValue)\",\n")
        text.append("  \"id\": \"\(record.identifier.text)\",\n")
        for (key, value) in fields { text.append("  \"\(key)\": \(value),\n") }
        text.append("  \"text\": {\"status\": \"generated\", \"div\": \"<div>Synthetic</div>\"}\n}\n")
    }

    private var fields: [(key: String, value: String)] {
        let subject = #"{"reference": "Patient/synthetic"}"#
        let instant = "\"\(Timestamp(seconds: record.received, offsetMinutes: 0).utc)\""
        return switch record.resource {
        case .observation:
            [
                ("status", #""final""#),
                ("code", #"{"coding": [{"system": "http://loinc.org", "code": "8867-4"}]}"#),
                ("subject", subject),
                ("effectiveDateTime", instant),
                ("valueQuantity", #"{"value": 72, "unit": "beats/minute", "code": "/min"}"#),
            ]
        case .diagnosticReport:
            [
                ("status", #""final""#), ("code", #"{"text": "Synthetic panel"}"#), ("subject", subject),
                ("issued", instant),
            ]
        case .medicationOrder:
            [
                ("status", #""active""#), ("patient", subject),
                ("medicationCodeableConcept", #"{"text": "Placebo 10 mg"}"#), ("dateWritten", instant),
            ]
        case .patient:
            [("name", #"[{"family": "Synthetic", "given": ["Anna"]}]"#), ("gender", #""female""#)]
        case .procedure:
            [
                ("status", #""completed""#), ("code", #"{"text": "Synthetic check-up"}"#),
                ("subject", subject), ("performedDateTime", instant),
            ]
        }
    }
}
