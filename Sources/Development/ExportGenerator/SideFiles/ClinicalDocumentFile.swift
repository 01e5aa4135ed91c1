import CivilTime

/// `export_cda.xml`: the vital signs again, as a document of clinical observations.
///
/// In a heavy export it is a third the size of the main document, and has a second root element after the first.
/// Real ones often do, and are then not well-formed.
struct ClinicalDocumentFile: SideFileContent {
    private static let closing = "</ClinicalDocument>\n"

    let name = "export_cda.xml"
    private let context: ExportContext
    private let targetBytes: Int
    private var chance: SplitMix64
    private var written = 0

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
        chance = context.chance(.clinicalDocument)
        let bytes = context.options.xmlBytes
        targetBytes = context.options.sideFiles == .heavy ? bytes / 3 : min(bytes / 20, 65_536)
    }

    mutating func appendHead(to text: inout ByteText) {
        let before = text.count
        text.append(
            """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <realmCode code="US"/>
             <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
             <title>Synthetic Health Data Export</title>
             <effectiveTime value="\(ClinicalObservation.date(of: context.span.upperBound, context))"/>

            """)
        written += text.count - before
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard written + Self.closing.utf8.count < targetBytes else { return false }
        let before = text.count
        ClinicalObservation(context, from: &chance).append(to: &text)
        written += text.count - before
        return true
    }

    func appendEnd(to text: inout ByteText) {
        text.append(Self.closing)
        if context.options.sideFiles == .heavy { text.append("<ClinicalDocument/>\n") }
    }
}

/// A vital sign in the clinical document.
private struct ClinicalObservation {
    /// A type with a LOINC code.
    private struct Vital {
        let type: String
        let code: String
        let title: String
        let unit: String
        let values: ClosedRange<Int>
    }

    private static let vitals = [
        Vital(type: "HeartRate", code: "8867-4", title: "Heart rate", unit: "count/min", values: 48...170),
        Vital(
            type: "OxygenSaturation", code: "59408-5", title: "Oxygen saturation", unit: "%",
            values: 91...100),
        Vital(
            type: "RespiratoryRate", code: "9279-1", title: "Respiratory rate", unit: "count/min",
            values: 9...22),
        Vital(type: "BodyMass", code: "29463-7", title: "Body weight", unit: "kg", values: 62...79),
    ]

    private let vital: Vital
    private let value: Int
    private let date: String

    init(_ context: ExportContext, from chance: inout SplitMix64) {
        vital = chance.pick(from: Self.vitals)
        value = chance.pick(from: vital.values)
        date = Self.date(of: chance.pick(from: context.span), context)
    }

    /// Returns `20260115093000+0100`.
    static func date(of instant: Int, _ context: ExportContext) -> String {
        let text = context.time(at: instant).iso
        return text.prefix(19).filter(\.isNumber) + text.suffix(6).filter { $0 != ":" }
    }

    func append(to text: inout ByteText) {
        text.append(
            """
             <entry typeCode="DRIV">
              <observation classCode="OBS" moodCode="EVN">
               <code code="\(vital.code)" codeSystem="2.16.840.1.113883.6.1" displayName="\(vital.title)"/>
               <text>
                <sourceName>Anna’s Apple\u{A0}Watch</sourceName>
                <value>\(value)</value>
                <type>HKQuantityTypeIdentifier\(vital.type)</type>
                <unit>\(vital.unit)</unit>
               </text>
               <statusCode code="completed"/>
               <effectiveTime><low value="\(date)"/><high value="\(date)"/></effectiveTime>
               <value xsi:type="PQ" value="\(value)" unit="\(vital.unit)"/>
              </observation>
             </entry>

            """)
    }
}
