/// A FHIR resource from a clinic, as JSON on a few lines.
struct ClinicalRecordFile: SideFileGenerator {
    private let record: ClinicalRecord
    private var isWritten = false

    init(_ index: Int, _ context: ExportContext) {
        record = ClinicalRecord(index, context)
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard !isWritten else { return false }
        isWritten = true
        text.append("{\n  \"resourceType\": \"\(record.resource.rawValue)\",\n")
        text.append("  \"id\": \"\(record.identifier.text)\",\n")
        for (key, value) in fields { text.append("  \"\(key)\": \(value),\n") }
        text.append("  \"text\": {\"status\": \"generated\", \"div\": \"<div>Synthetic</div>\"}\n}\n")
        return true
    }

    private var fields: [(key: String, value: String)] {
        let subject = #"{"reference": "Patient/synthetic"}"#
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

    private var instant: String {
        var text = ByteText()
        text.append(UInt8(ascii: "\""))
        WallTime(record.received).appendUniversal(to: &text)
        text.append(UInt8(ascii: "\""))
        return text.string
    }
}
