import ByteText
import HealthFormats
import HealthModel
import SystemIO
import Tables

/// Appends samples of one type as lines of CSV or JSON.
///
/// What the rows of a context have in common, such as source and device, is made into text once, and so is the metadata
/// of a content.
struct SampleLines {
    private let csv: (AnySample) -> [UInt8]
    private let object: (AnySample) -> TableObject
    /// Whether the values of the type are one attribute, printed as written.
    private let hasPlainValue: Bool
    private var times: LocalTimeWriter
    /// What every line begins with, before the identifier.
    private let start: (csv: [UInt8], json: [UInt8])
    /// The columns of the type, which every line has, with the commas and names around it.
    private let type: (csv: [UInt8], json: [UInt8])
    private var shared: SharedTexts
    private var metadata: MetadataTexts
    private var value: [UInt8] = []

    /// Creates the lines of the table of a type.
    ///
    /// - Parameter archive: What the first column of the table has; nil if it has none of archives.
    init(
        _ table: Table<AnySample>, _ type: AnySampleType, _ units: UnitChoice, _ days: Days,
        of archive: BytePath? = nil
    ) {
        csv = table.csvLine
        object = table.object
        hasPlainValue = [.quantity, .category].contains(type.kind) && units.unit(of: type) == nil
        times = LocalTimeWriter(days)
        shared = SharedTexts(table)
        metadata = MetadataTexts(table)
        var start = (csv: [UInt8](), json: Array("{".utf8))
        if let archive {
            start.csv = CSVCell.line([archive.cellText, ""])
            start.json = TableObject([("archive", archive)]).json.dropLast() + Array(",".utf8)
        }
        self.start = (start.csv, start.json + Array(#""id":""#.utf8))
        let identifier = type.identifier
        var csv = [UInt8(ascii: ",")]
        CSVCell.append(text: Array(identifier.utf8).span, to: &csv)
        csv.append(UInt8(ascii: ","))
        var json = Array(#"","type":"#.utf8)
        JSONEscaping.append(identifier, to: &json)
        json += #","startDate":""#.utf8
        self.type = (csv, json)
    }

    private static let endMember = Array(#"","endDate":""#.utf8)
    private static let valueMember = Array(#","value":"#.utf8)

    /// Appends a line of CSV without its end.
    mutating func appendCSV(_ sample: AnySample, to line: inout [UInt8]) {
        let facts = sample.row.facts
        guard hasPlainValue, let start = facts.start, let end = facts.end,
            let shared = shared.texts(sample, facts.context)
        else {
            line += csv(sample)
            return
        }
        line.append(copying: self.start.csv)
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
            let shared = shared.texts(sample, facts.context)
        else {
            line += TerminalJSON.escaped(object(sample).cellText)
            return
        }
        line.append(copying: self.start.json)
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
}

/// The ends of lines, from the unit on, that the rows of a context have in common.
private struct SharedTexts {
    /// A line of JSON goes on with metadata, or with its closing bracket.
    typealias Texts = (csv: [UInt8], json: [UInt8])

    private let csv: (AnySample) -> [UInt8]
    private let object: (AnySample) -> TableObject
    /// The contexts, which are kept so that none gets the place of another.
    private var contexts: [ObjectIdentifier: (context: SampleContext, texts: Texts?)] = [:]
    private var last: (context: SampleContext, texts: Texts?)?
    /// The number of contexts that are kept.
    private static let limit = 256

    init(_ table: Table<AnySample>) {
        let shared = table.with("unit", "sourceName", "sourceVersion", "device")
        (csv, object) = (shared.csvLine, shared.object)
    }

    /// Returns the texts for the context of a sample; nil if its rows have units of their own.
    mutating func texts(_ sample: AnySample, _ context: SampleContext) -> Texts? {
        if let last, last.context === context { return last.texts }
        if let known = contexts[ObjectIdentifier(context)] {
            last = known
            return known.texts
        }
        let texts =
            context.hasSharedUnit
            ? ([UInt8(ascii: ",")] + csv(sample), JSONMembers.text(object(sample))) : nil
        if contexts.count >= Self.limit { contexts.removeAll() }
        contexts[ObjectIdentifier(context)] = (context, texts)
        last = (context, texts)
        return texts
    }
}

/// The metadata of samples in JSON, made once for each content of a batch.
private struct MetadataTexts {
    private let object: (AnySample) -> TableObject
    /// A row of the batch to which the texts belong.
    private var last: RowFacts?
    private var texts: [Int: [UInt8]] = [:]

    init(_ table: Table<AnySample>) { object = table.with("metadata").object }

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
        let text = JSONMembers.text(object(sample))
        texts[facts.contentNumber] = text
        line.append(copying: text)
    }
}

/// Members of a JSON object that follow others.
private enum JSONMembers {
    /// Returns the members of an object, each after a comma; empty if there are none.
    static func text(_ object: TableObject) -> [UInt8] {
        // Without the brackets of the object, they follow the others.
        let members = object.json.dropFirst().dropLast()
        guard !members.isEmpty else { return [] }
        return [UInt8(ascii: ",")] + TerminalJSON.escaped(String(decoding: members, as: UTF8.self))
    }
}

extension Table {
    /// Returns a table of some of the columns.
    fileprivate func with(_ names: String...) -> Table {
        Table(nil, [], columns.filter { names.contains($0.name) })
    }
}
