import ByteSpans
import JSONText
import SampleBatches

/// Which column the values of a batch's contexts belong to.
struct CSVLayout: Sendable {
    /// How a value becomes a cell.
    struct Column: Sendable {
        /// The number of the column.
        let number: Int
        /// The UTC offset that an instant is written with; 0 for other values.
        let offsetMinutes: Int
        /// The text around an enclosed value.
        var before: [UInt8] = []
        var after: [UInt8] = []
    }

    /// The names of the attributes that have columns.
    let names: [String]
    /// For each column of all contexts, one context after another, where its values belong.
    private(set) var columns: [Column] = []
    /// For each context and each column: the cell, if it is the same in all rows.
    private(set) var constants: [[[UInt8]?]] = []
    /// Whether rows may have something that the columns cannot hold.
    private(set) var hasOddRows = false
    /// About the bytes of a row besides its texts.
    private(set) var rowSize = 0

    var columnCount: Int { names.count }

    init(_ batch: SampleBatch) {
        let element = batch.key.element
        names = CSVColumns.attributes(of: element)
        for context in batch.contexts {
            // A column without a slot is an empty cell.
            var cells: [[UInt8]?] = names.map { _ in [] }
            var taken: Set<Int> = []
            for slot in context.slots {
                guard let number = names.firstIndex(of: slot.name), taken.insert(number).inserted else {
                    hasOddRows = true
                    continue
                }
                switch slot {
                case .constant(let name, let token):
                    let attribute = ElementNode.Attribute(name, JSONEscaping.text(ofToken: token))
                    if !JSONEscaping.isWellFormed(attribute.text.span) { hasOddRows = true }
                    var cell: [UInt8] = []
                    Self.append(attribute, in: element, to: &cell)
                    cells[number] = cell
                case .text(let name):
                    if AttributeKind(of: name, in: element) == .time { hasOddRows = true }
                    columns.append(Column(number: number, offsetMinutes: 0))
                    cells[number] = nil
                case .enclosed(_, let before, let after):
                    columns.append(
                        Column(
                            number: number, offsetMinutes: 0, before: Self.inside(before),
                            after: Self.inside(after)))
                    cells[number] = nil
                case .time(_, let offset):
                    columns.append(Column(number: number, offsetMinutes: offset))
                    cells[number] = nil
                }
            }
            constants.append(cells)
            let size = cells.reduce(0) { $0 + ($1?.count ?? Timestamp.length) + 1 }
            rowSize = max(rowSize, size + 2)
        }
        if batch.mayHaveMalformedText { hasOddRows = true }
    }

    /// Returns the text that the inside of a JSON string spells.
    private static func inside(_ inside: [UInt8]) -> [UInt8] {
        JSONEscaping.text(ofToken: [UInt8(ascii: "\"")] + inside + [UInt8(ascii: "\"")])
    }

    /// Appends the cell of an attribute.
    static func append(_ attribute: ElementNode.Attribute, in element: String, to output: inout [UInt8]) {
        switch AttributeKind(of: attribute.name, in: element) {
        case .time:
            if let time = Timestamp(apple: attribute.text.span) {
                time.appendISO(to: &output)
                return
            }
        case .measurement:
            if JSONNumber.matches(attribute.text.span) {
                output += attribute.text
                return
            }
        case .shared, .device, .text: break
        }
        let text = JSONEscaping.repaired(attribute.text)
        CSVCell.append(text: text.span, to: &output)
    }

    /// Whether the cell of a time would not show that its text was not in Apple's form.
    static func isTimeInOtherForm(_ attribute: ElementNode.Attribute, in element: String) -> Bool {
        AttributeKind(of: attribute.name, in: element) == .time && Timestamp(iso: attribute.text.span) != nil
    }

    /// Returns the last two cells of a row and the end of its line.
    ///
    /// - Parameter texts: The attributes that need to be kept in full.
    static func tail(_ contents: RowContents?, texts: [ElementNode.Attribute]) -> [UInt8] {
        var tail = [UInt8(ascii: ",")]
        if let metadata = contents?.metadata, !metadata.isEmpty {
            CSVCell.append(text: metadata.span, to: &tail)
        }
        tail.append(UInt8(ascii: ","))
        var members: [UInt8] = []
        if !texts.isEmpty {
            var writer = JSONWriter()
            writer.object { writer in FlatAttributes.writeList(texts, &writer) }
            members = Array(writer.bytes.dropFirst().dropLast())
        }
        if let more = contents?.members, !more.isEmpty {
            members += (members.isEmpty ? [] : [UInt8(ascii: ",")]) + more
        }
        if !members.isEmpty {
            let object = [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
            CSVCell.append(text: object.span, to: &tail)
        }
        return tail + CSVCell.lineEnd
    }
}

extension SampleBatch {
    /// Whether a value of a row may have bytes that are not UTF-8: in a token they are escapes that start with `\\udc`.
    var mayHaveMalformedText: Bool {
        let mark = Array("\\udc".utf8)
        let text = text.span
        var place = 0
        while place < text.count {
            place = text.firstIndex(of: mark[0], from: place)
            if place < text.count, text.matches(at: place, mark) { return true }
            place += 1
        }
        return contexts.contains { context in
            context.slots.contains { slot in
                guard case .enclosed(_, let before, let after) = slot else { return false }
                return before.contains(mark[0]) || after.contains(mark[0])
            }
        }
    }
}
