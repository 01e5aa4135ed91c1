import ByteText
import HealthFormats
import HealthModel
import Tables

/// Appends samples of one type as lines of CSV or JSON.
///
/// What the rows of a context have in common, such as source and device, is made into text once, and so is the metadata
/// of a content.
struct SampleLines {
    private let fields: SampleFields
    private var times: LocalTimeWriter
    /// The columns of the type, which every line has, with the commas and names around it.
    private let type: (csv: [UInt8], json: [UInt8])
    private var shared = SharedTexts()
    private var metadata = MetadataTexts()
    private var value: [UInt8] = []

    init(_ fields: SampleFields) {
        self.fields = fields
        times = LocalTimeWriter(fields.time.days)
        let identifier = fields.type.identifier
        var csv = [UInt8(ascii: ",")]
        CSVCell.append(text: Array(identifier.utf8).span, to: &csv)
        csv.append(UInt8(ascii: ","))
        var json = Array(#"","type":"#.utf8)
        JSONEscaping.append(identifier, to: &json)
        json += #","start":""#.utf8
        type = (csv, json)
    }

    private static let idMember = Array(#"{"id":""#.utf8)
    private static let endMember = Array(#"","end":""#.utf8)
    private static let valueMember = Array(#","value":"#.utf8)

    /// Appends a line of CSV without its end.
    mutating func appendCSV(_ sample: AnySample, to line: inout [UInt8]) {
        let facts = sample.row.facts
        guard hasPlainValue, let start = facts.start, let end = facts.end,
            let shared = shared.texts(sample, facts.context, fields)
        else {
            line += CSVCell.line(fields.csv(sample))
            return
        }
        sample.row.appendID(to: &line)
        line.append(copying: type.csv)
        append(start, end, between: [UInt8(ascii: ",")], before: [UInt8(ascii: ",")], to: &line)
        if !facts.appendNumber(to: &line) {
            sample.row.readValue(into: &value)
            CSVCell.append(value.span, to: &line)
        }
        line.append(copying: shared.csv)
    }

    /// Appends a line of JSON without its end.
    mutating func appendJSON(_ sample: AnySample, to line: inout [UInt8]) {
        let facts = sample.row.facts
        guard hasPlainValue, let start = facts.start, let end = facts.end,
            facts.context.metadataNames == nil,
            let shared = shared.texts(sample, facts.context, fields)
        else {
            line += TerminalJSON.escaped(String(decoding: fields.json(sample), as: UTF8.self))
            return
        }
        line.append(copying: Self.idMember)
        sample.row.appendID(to: &line)
        line.append(copying: type.json)
        append(start, end, between: Self.endMember, before: [UInt8(ascii: "\"")], to: &line)
        appendValue(sample, facts, to: &line)
        line.append(copying: shared.json)
        if facts.contentNumber > 0 { metadata.append(sample, facts, to: &line) }
        line.append(UInt8(ascii: "}"))
    }

    private mutating func append(
        _ start: Timestamp, _ end: Timestamp, between: [UInt8], before mark: [UInt8], to line: inout [UInt8]
    ) {
        line.append(addingCapacity: 2 * Timestamp.length + between.count + mark.count) {
            (output: inout OutputSpan<UInt8>) in
            times.appendISO(seconds: start.seconds, to: &output)
            output.append(copying: between.span)
            times.appendISO(seconds: end.seconds, to: &output)
            output.append(copying: mark.span)
        }
    }

    /// Appends the member with the value, if there is one.
    private mutating func appendValue(_ sample: AnySample, _ facts: RowFacts, to line: inout [UInt8]) {
        let before = line.count
        line.append(copying: Self.valueMember)
        if facts.appendNumber(to: &line) { return }
        sample.row.readValue(into: &value)
        if value.isEmpty {
            line.removeLast(line.count - before)
        } else if JSONNumber.matches(value.span) {
            line.append(copying: value)
        } else {
            var text: [UInt8] = []
            JSONEscaping.append(value.span, to: &text)
            line += TerminalJSON.escaped(String(decoding: text, as: UTF8.self))
        }
    }

    /// Whether the values of the type are one attribute, printed as written.
    private var hasPlainValue: Bool {
        guard case .kind(let kind) = fields.form, fields.unit == nil else { return false }
        return kind == .quantity || kind == .category
    }
}

/// The ends of lines, from the unit on, that the rows of a context have in common.
private struct SharedTexts {
    /// A line of JSON goes on with metadata, or with its closing bracket.
    typealias Texts = (csv: [UInt8], json: [UInt8])

    /// The contexts, which are kept so that none gets the place of another.
    private var contexts: [ObjectIdentifier: (context: SampleContext, texts: Texts?)] = [:]
    private var last: (context: SampleContext, texts: Texts?)?
    /// The number of contexts that are kept.
    private static let limit = 256

    /// Returns the texts for the context of a sample; nil if its rows have units of their own.
    mutating func texts(_ sample: AnySample, _ context: SampleContext, _ fields: SampleFields) -> Texts? {
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
        let json = JSONMembers.text { writer in
            if let unit = sample.unit { writer.member("unit", unit) }
            fields.writeOrigin(sample, &writer)
        }
        return (csv, json)
    }
}

/// The metadata of samples in JSON, made once for each content of a batch.
private struct MetadataTexts {
    /// A row of the batch to which the texts belong.
    private var last: RowFacts?
    private var texts: [Int: [UInt8]] = [:]

    /// Appends the metadata of a sample, after a comma.
    mutating func append(_ sample: AnySample, _ facts: RowFacts, to line: inout [UInt8]) {
        if last.map({ !$0.hasBatch(of: facts) }) ?? true {
            texts.removeAll(keepingCapacity: true)
            last = facts
        }
        if let text = texts[facts.contentNumber] {
            line.append(copying: text)
            return
        }
        let text = JSONMembers.text { SampleFields.writeMetadata(sample, &$0) }
        texts[facts.contentNumber] = text
        line.append(copying: text)
    }
}

/// Members of a JSON object that follow others.
private enum JSONMembers {
    /// Returns members, each after a comma; empty if there are none.
    static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { write(&$0) }
        // An object of these members alone: without its brackets, they follow the others.
        let members = writer.bytes.dropFirst().dropLast()
        guard !members.isEmpty else { return [] }
        return [UInt8(ascii: ",")] + TerminalJSON.escaped(String(decoding: members, as: UTF8.self))
    }
}
