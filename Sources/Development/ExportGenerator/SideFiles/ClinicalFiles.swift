import ByteText

extension GeneratedSideFile {
    /// The resource of a clinical record as JSON on a few lines.
    static func clinicalRecord(_ index: Int, _ context: ExportContext) -> GeneratedSideFile {
        let record = ClinicalRecord(index, context)
        return GeneratedSideFile(name: record.fileName) {
            let subject = #"{"reference": "Patient/synthetic"}"#
            let instant = "\"\(Timestamp(seconds: record.received, offsetMinutes: 0).utc)\""
            let code = #"{"coding": [{"system": "http://loinc.org", "code": "8867-4"}]}"#
            let quantity = #"{"value": 72, "unit": "beats/minute", "code": "/min"}"#
            let panel = #"{"text": "Synthetic panel"}"#
            let placebo = #"{"text": "Placebo 10 mg"}"#
            let fields: KeyValuePairs =
                switch record.resource {
                case "Observation":
                    [
                        "status": #""final""#, "code": code, "subject": subject, "effectiveDateTime": instant,
                        "valueQuantity": quantity,
                    ]
                case "DiagnosticReport":
                    ["status": #""final""#, "code": panel, "subject": subject, "issued": instant]
                case "MedicationOrder":
                    [
                        "status": #""active""#, "patient": subject, "medicationCodeableConcept": placebo,
                        "dateWritten": instant,
                    ]
                case "Patient":
                    ["name": #"[{"family": "Synthetic", "given": ["Anna"]}]"#, "gender": #""female""#]
                default:
                    [
                        "status": #""completed""#, "code": #"{"text": "Synthetic check-up"}"#,
                        "subject": subject,
                        "performedDateTime": instant,
                    ]
                }
            return SideFileContent(
                head: #"""
                    {
                      "resourceType": "\#(record.resource)",
                      "id": "\#(record.identifier)",
                    \#(fields.map { "  \"\($0)\": \($1)," }.joined(separator: "\n"))
                      "text": {"status": "generated", "div": "<div>Synthetic</div>"}
                    }

                    """#)
        }
    }

    /// `export_cda.xml`: the vital signs again, as a document of clinical observations.
    ///
    /// In a heavy export it is a third the size of the main document, and has a second root element after the first.
    /// Real ones often do, and are then not well-formed.
    static func clinicalDocument(_: Int, _ context: ExportContext) -> GeneratedSideFile {
        let (bytes, isHeavy) = (context.options.xmlBytes, context.options.sideFiles == .heavy)
        let closing = "</ClinicalDocument>\n"
        let head = """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <realmCode code="US"/>
             <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
             <title>Synthetic Health Data Export</title>
             <effectiveTime value="\(date(of: context.span.upperBound, context))"/>

            """
        let room = (isHeavy ? bytes / 3 : min(bytes / 20, 65_536)) - closing.utf8.count - head.utf8.count
        return GeneratedSideFile(name: "export_cda.xml") {
            var (chance, rest) = (context.chance(.clinicalDocument), room)
            return SideFileContent(
                head: head,
                next: { text in
                    guard rest > 0 else { return false }
                    let entry = observation(context, from: &chance)
                    text.append(entry)
                    rest -= entry.utf8.count
                    return true
                }, end: closing + (isHeavy ? "<ClinicalDocument/>\n" : ""))
        }
    }

    /// Draws a vital sign, with its LOINC code.
    private static func observation(_ context: ExportContext, from chance: inout SplitMix64) -> String {
        let (type, code, title, unit, values) = chance.pick(from: [
            ("HeartRate", "8867-4", "Heart rate", "count/min", 48...170),
            ("OxygenSaturation", "59408-5", "Oxygen saturation", "%", 91...100),
            ("RespiratoryRate", "9279-1", "Respiratory rate", "count/min", 9...22),
            ("BodyMass", "29463-7", "Body weight", "kg", 62...79),
        ])
        let value = chance.pick(from: values)
        let date = date(of: chance.pick(from: context.span), context)
        return """
             <entry typeCode="DRIV">
              <observation classCode="OBS" moodCode="EVN">
               <code code="\(code)" codeSystem="2.16.840.1.113883.6.1" displayName="\(title)"/>
               <text>
                <sourceName>Anna’s Apple\u{A0}Watch</sourceName>
                <value>\(value)</value>
                <type>HKQuantityTypeIdentifier\(type)</type>
                <unit>\(unit)</unit>
               </text>
               <statusCode code="completed"/>
               <effectiveTime><low value="\(date)"/><high value="\(date)"/></effectiveTime>
               <value xsi:type="PQ" value="\(value)" unit="\(unit)"/>
              </observation>
             </entry>

            """
    }

    /// Returns `20260115093000+0100`.
    private static func date(of instant: Int, _ context: ExportContext) -> String {
        let text = context.time(at: instant).iso
        return text.prefix(19).filter(\.isNumber) + text.suffix(6).filter { $0 != ":" }
    }
}
