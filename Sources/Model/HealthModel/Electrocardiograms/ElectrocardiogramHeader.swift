import ByteText

/// The lines before the voltages, by field.
struct ElectrocardiogramHeader {
    private var lines: [ElectrocardiogramField: LabelledLine] = [:]
    private let lastLine: Int

    /// Finds the lines with known labels, and those with unknown ones by their positions.
    ///
    /// - Parameters:
    ///   - recording: the lines before the first blank one.
    ///   - signal: the lines before the next blank one.
    ///   - lastLine: the number of the last line of the header.
    init(recording: [LabelledLine], signal: [LabelledLine], lastLine: Int) {
        self.lastLine = lastLine
        for line in recording + signal {
            if let field = line.field, lines[field] == nil { lines[field] = line }
        }
        // The date is written the same way in all languages, so positions are counted from it. If they were counted
        // from the first line, additional lines could move the date of birth into another field. The date of birth
        // comes first, so the recording date is the last value in this form.
        let expected = ElectrocardiogramField.recording.firstIndex(of: .recordedDate) ?? 0
        if let date = recording.lastIndex(where: { Self.time($0.value) != nil }) {
            place(recording, as: ElectrocardiogramField.recording, after: date - expected)
        }
        place(signal, as: ElectrocardiogramField.signal, after: 0)
    }

    private mutating func place(
        _ block: [LabelledLine], as fields: [ElectrocardiogramField], after shift: Int
    ) {
        for (index, field) in fields.enumerated() where lines[field] == nil {
            let position = index + shift
            if block.indices.contains(position), block[position].field == nil {
                lines[field] = block[position]
            }
        }
    }

    /// Returns the text of a field; nil if it is missing or empty.
    func text(of field: ElectrocardiogramField) -> String? {
        lines[field].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The date, if it is in Apple's form.
    var recordedDate: Timestamp? { text(of: .recordedDate).flatMap { Self.time($0) } }

    /// The symptoms, as written.
    ///
    /// Commas separate them, and also occur in them: `Rapid, pounding, or fluttering heartbeat`. A symptom begins with
    /// a capital, so that a piece that begins with a lower-case letter continues the piece before it.
    var symptoms: [String] {
        var symptoms: [String] = []
        for piece in (text(of: .symptoms) ?? "").unicodeScalars.split(separator: ",") {
            let text = String(piece.trimmed)
            guard let first = text.unicodeScalars.first else { continue }
            if first.properties.isLowercase, let last = symptoms.indices.last {
                symptoms[last] += ", " + text
            } else {
                symptoms.append(text)
            }
        }
        return symptoms
    }

    /// The frequency in hertz: the number at the start of a text such as `512 hertz` or `512ヘルツ`.
    var samplingFrequency: Double? {
        guard let text = text(of: .sampleRate) else { return nil }
        let number = Substring(text).unicodeScalars.prefix {
            DecimalStyle.isDigit($0) || DecimalStyle.isMark($0)
        }
        return DecimalStyle.number(number).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the unit of the voltages, and the power of ten that converts them to microvolts.
    func unit() throws(ElectrocardiogramError) -> (unit: HealthUnit, exponent: Int) {
        guard let line = lines[.unit], !line.value.isEmpty else {
            throw ElectrocardiogramError(.missingUnit, line: lastLine)
        }
        switch line.value {
        // The micro sign and the Greek letter.
        case "\u{b5}V", "\u{3bc}V": return (.volt(.micro), 0)
        case "mV": return (.volt(.milli), 3)
        case "V": return (.volt(), 6)
        default: throw ElectrocardiogramError(.unknownUnit, line: line.number)
        }
    }

    private static func time(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        return Timestamp(apple: bytes.span)
    }
}

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

/// A line of a header: a label, a comma and a value.
struct LabelledLine: Sendable {
    /// The field that the label names; nil if the label is unknown.
    let field: ElectrocardiogramField?
    /// The value; empty if there is no comma.
    let value: String
    /// The number of the line in the file.
    let number: Int

    /// Splits a line at its first comma, because a value with a decimal comma may be unquoted.
    init(_ line: Substring.UnicodeScalarView, number: Int) {
        let comma = Self.comma(in: line.trimmed) ?? line.endIndex
        field = ElectrocardiogramField(label: String(line[..<comma].unquoted))
        value = String(line[comma...].dropFirst().unquoted)
        self.number = number
    }

    /// Returns the first comma outside the quotes around the label.
    private static func comma(in line: Substring.UnicodeScalarView) -> String.Index? {
        var isInQuotes = false
        let hasQuotes = line.first == "\""
        return line.indices.first { index in
            if hasQuotes, line[index] == "\"" { isInQuotes.toggle() }
            return line[index] == "," && !isInQuotes
        }
    }
}
