/// A vital sign in the clinical document.
struct ClinicalObservation {
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
    private let instant: Int

    init(_ context: ExportContext, from chance: inout SplitMix64) {
        vital = chance.pick(from: Self.vitals)
        value = chance.pick(from: vital.values)
        instant = chance.pick(from: context.span)
    }

    func append(to text: inout ByteText, _ clock: ExportClock) {
        var time = ByteText()
        clock.appendCompact(instant, to: &time)
        let date = time.string
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
