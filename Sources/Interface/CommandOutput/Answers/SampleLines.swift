import ByteSpans
import CivilTime
import HealthFormats
import HealthModel
import JSONText

/// Appends samples of one type as lines of CSV or JSON.
///
/// What the rows of a context have in common, such as source and device, is made into text once.
struct SampleLines {
    private let fields: SampleFields
    private let days: Days
    /// The columns of type and unit, which every line has.
    private let type: (csv: [UInt8], json: [UInt8])
    private var shared = SharedTexts()
    private var value: [UInt8] = []

    init(_ fields: SampleFields) {
        self.fields = fields
        days = fields.time.days
        let identifier = fields.type.identifier
        var csv: [UInt8] = []
        CSVCell.append(text: Array(identifier.utf8).span, to: &csv)
        var json: [UInt8] = []
        JSONEscaping.append(identifier, to: &json)
        type = (csv, json)
    }

    /// Appends a line of CSV without its end.
    mutating func appendCSV(_ sample: AnySample, to line: inout [UInt8]) {
        guard hasPlainValue, let start = sample.startDate, let end = sample.endDate,
            let shared = shared.texts(sample, fields)
        else {
            line += CSVCell.line(fields.csv(sample))
            return
        }
        let comma = UInt8(ascii: ",")
        sample.row.appendID(to: &line)
        line.append(comma)
        line += type.csv
        line.append(comma)
        days.timestamp(start.seconds).appendISO(to: &line)
        line.append(comma)
        days.timestamp(end.seconds).appendISO(to: &line)
        line.append(comma)
        sample.row.readValue(into: &value)
        CSVCell.append(value.span, to: &line)
        line += shared.csv
    }

    /// Appends a line of JSON without its end.
    mutating func appendJSON(_ sample: AnySample, to line: inout [UInt8]) {
        guard hasPlainValue, !sample.row.hasContent, let start = sample.startDate, let end = sample.endDate,
            let shared = shared.texts(sample, fields), sample.metadata.entries.isEmpty
        else {
            line += TerminalJSON.escaped(String(decoding: fields.json(sample), as: UTF8.self))
            return
        }
        let quote = UInt8(ascii: "\"")
        line += #"{"id":""#.utf8
        sample.row.appendID(to: &line)
        line += #"","type":"#.utf8
        line += type.json
        line += #","start":""#.utf8
        days.timestamp(start.seconds).appendISO(to: &line)
        line += #"","end":""#.utf8
        days.timestamp(end.seconds).appendISO(to: &line)
        line.append(quote)
        sample.row.readValue(into: &value)
        if !value.isEmpty {
            line += #","value":"#.utf8
            if JSONNumber.matches(value.span) {
                line += value
            } else {
                var text: [UInt8] = []
                JSONEscaping.append(value.span, to: &text)
                line += TerminalJSON.escaped(String(decoding: text, as: UTF8.self))
            }
        }
        line += shared.json
    }

    /// Whether the values of the type are one attribute, printed as written.
    private var hasPlainValue: Bool {
        guard case .kind(let kind) = fields.form, fields.unit == nil else { return false }
        return kind == .quantity || kind == .category
    }
}

/// The ends of lines, from the unit on, that the rows of a context have in common.
private struct SharedTexts {
    typealias Texts = (csv: [UInt8], json: [UInt8])

    /// The contexts, which are kept so that none gets the place of another.
    private var contexts: [ObjectIdentifier: (context: SampleContext, texts: Texts?)] = [:]
    private var last: (context: SampleContext, texts: Texts?)?
    /// The number of contexts that are kept.
    private static let limit = 256

    /// Returns the texts for the context of a sample; nil if its rows have units of their own.
    mutating func texts(_ sample: AnySample, _ fields: SampleFields) -> Texts? {
        let context = sample.row.context
        if let last, last.context === context { return last.texts }
        if let known = contexts[ObjectIdentifier(context)] {
            last = known
            return known.texts
        }
        let texts = context.hasSharedUnit ? Self.make(sample, fields) : nil
        if contexts.count >= Self.limit { contexts.removeAll() }
        contexts[ObjectIdentifier(context)] = (context, texts)
        last = (context, texts)
        return texts
    }

    private static func make(_ sample: AnySample, _ fields: SampleFields) -> Texts {
        var csv: [UInt8] = []
        for text in [sample.unit, sample.sourceName, sample.sourceVersion, sample.device?.name] {
            csv.append(UInt8(ascii: ","))
            CSVCell.append(Array((text ?? "").utf8).span, to: &csv)
        }
        var writer = JSONWriter()
        writer.object { writer in
            if let unit = sample.unit { writer.member("unit", unit) }
            fields.writeOrigin(sample, &writer)
        }
        // An object of these members alone: without its brace, they follow the others.
        let members = TerminalJSON.escaped(String(decoding: writer.bytes.dropFirst(), as: UTF8.self))
        let isEmpty = members.count == 1
        return (csv, (isEmpty ? [] : [UInt8(ascii: ",")]) + members)
    }
}
