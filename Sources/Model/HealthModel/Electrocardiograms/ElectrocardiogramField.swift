/// A field of the header, the lines before the voltages.
enum ElectrocardiogramField: Sendable {
    case name
    case dateOfBirth
    case recordedDate
    case classification
    case symptoms
    case softwareVersion
    case device
    case sampleRate
    case lead
    case unit

    /// The fields about the person and the recording, in their order.
    static let recording: [Self] = [
        .name, .dateOfBirth, .recordedDate, .classification, .symptoms, .softwareVersion, .device,
        .sampleRate,
    ]
    /// The fields about the voltages, in their order.
    static let signal: [Self] = [.lead, .unit]

    /// Returns the field with a label, ignoring case; nil if the label or language is unknown.
    init?(label: String) {
        guard let field = Self.byLabel[label.lowercased()] else { return nil }
        self = field
    }

    private static let byLabel: [String: Self] = [
        // English
        "name": .name,
        "date of birth": .dateOfBirth,
        "recorded date": .recordedDate,
        "classification": .classification,
        "symptoms": .symptoms,
        "software version": .softwareVersion,
        "device": .device,
        "sample rate": .sampleRate,
        "lead": .lead,
        "unit": .unit,
        // German
        "geburtstag": .dateOfBirth,
        "aufzeichnungsdatum": .recordedDate,
        "klassifizierung": .classification,
        "symptome": .symptoms,
        "softwareversion": .softwareVersion,
        "gerät": .device,
        "messrate": .sampleRate,
        "ableitung": .lead,
        "einheit": .unit,
        // Japanese
        "名前": .name,
        "生年月日": .dateOfBirth,
        "記録日": .recordedDate,
        "記録日時": .recordedDate,
        "分類": .classification,
        "症状": .symptoms,
        "ソフトウェアバージョン": .softwareVersion,
        "デバイス": .device,
        "サンプルレート": .sampleRate,
        "リード": .lead,
        "単位": .unit,
        // Chinese
        "姓名": .name,
        "记录日期": .recordedDate,
        "分类": .classification,
        "设备": .device,
        "采样率": .sampleRate,
        "采样速率": .sampleRate,
        "导联": .lead,
        "单位": .unit,
    ]
}
