import ByteText
import HealthModel

/// The values of a category as members of an `Observation`, by the token in a batch.
struct CategoryTexts: Sendable {
    /// A value: the member with it, and the start of a component with the sample's duration.
    struct Text: Sendable {
        let token: [UInt8]
        let member: [UInt8]
        let durationCode: FHIRCoding?
    }

    private let type: AnySampleType
    private var known: [Text] = []

    init(_ type: AnySampleType) { self.type = type }

    /// Returns the text of a value.
    mutating func text(_ token: Span<UInt8>) -> Text {
        if let text = known.first(where: { text in
            text.token.count == token.count && token.matches(at: 0, text.token)
        }) {
            return text
        }
        let bytes = token.array
        let text = make(bytes, String(decoding: JSONEscaping.text(ofToken: bytes), as: UTF8.self))
        if known.count < Self.most { known.append(text) }
        return text
    }

    /// No enumeration has more values.
    private static let most = 32

    /// Returns the text of a sample without a value.
    func textWithoutValue() -> Text { make([], nil) }

    private func make(_ token: [UInt8], _ name: String?) -> Text {
        var writer = JSONWriter()
        var duration: FHIRCoding?
        writer.object { writer in
            let values = type.categoryValues
            let number = name.flatMap { values?.rawValue(named: $0) ?? Int($0) }
            let member = values?.members.first { $0.rawValue == number }
            if values == nil || values == .notApplicable || name == nil {
                let text = values == nil ? name : nil
                writer.member("valueString", text.flatMap { FHIRText.string($0) } ?? type.identifier)
            } else {
                let code = number.map { String($0) } ?? name.flatMap { FHIRText.code($0) } ?? "unknown"
                let system = Self.systems + (values?.typeName.lowercased() ?? "")
                writer.concept(
                    "valueCodeableConcept",
                    [FHIRCoding(system: system, code: code, display: member?.title)],
                    text: member == nil ? name : nil)
            }
            if type == .sleepAnalysis, let number { duration = Self.sleepDurations[number] }
        }
        return Text(
            token: token, member: [UInt8(ascii: ",")] + writer.bytes.dropFirst().dropLast(),
            durationCode: duration)
    }

    private static let systems = "https://developer.apple.com/documentation/healthkit/"

    /// The codes of durations of sleep, by stage.
    private static let sleepDurations: [Int: FHIRCoding] = [
        1: .loinc("93832-4", "Sleep duration"), 3: .loinc("93830-8", "Light sleep duration"),
        4: .loinc("93831-6", "Deep sleep duration"), 5: .loinc("93829-0", "REM sleep duration"),
    ]
}
