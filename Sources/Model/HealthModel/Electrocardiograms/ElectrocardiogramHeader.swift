import CivilTime

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
    var symptoms: [String] {
        (text(of: .symptoms) ?? "").unicodeScalars.split { $0 == "," }.map { String($0.trimmed) }
            .filter { !$0.isEmpty }
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
