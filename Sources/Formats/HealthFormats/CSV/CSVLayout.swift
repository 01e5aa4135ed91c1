import ByteText
import SampleBatches

/// Maps the values of a batch's contexts to CSV columns.
struct CSVLayout: Sendable {
    /// How a value becomes a cell.
    struct Column: Sendable {
        /// The index of the CSV column.
        let number: Int
        /// The UTC offset for writing an instant, in minutes; 0 for other values.
        let offsetMinutes: Int
        /// The text around an enclosed value.
        let before: [UInt8]
        let after: [UInt8]
        /// The same in a cell.
        let frame: CSVCell.Frame

        init(_ number: Int, offsetMinutes: Int = 0, before: [UInt8] = [], after: [UInt8] = []) {
            self.number = number
            self.offsetMinutes = offsetMinutes
            self.before = before
            self.after = after
            frame = CSVCell.Frame(before: before, after: after)
        }
    }

    /// The names of the attributes that have columns.
    let names: [String]
    /// The destination of each context column, one context after another.
    private(set) var columns: [Column] = []
    /// For each context and CSV column, the cell if it is the same in all rows.
    private(set) var constants: [[[UInt8]?]] = []
    /// Whether rows may contain something that the columns cannot represent.
    private(set) var hasOddRows = false
    /// The approximate size of a row without its texts, in bytes.
    private(set) var rowSize = 0

    var columnCount: Int { names.count }

    init(_ batch: SampleBatch) {
        let element = batch.key.element
        names = CSVColumns.attributes(of: element)
        for context in batch.contexts {
            // Columns without a slot have empty cells.
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
                    columns.append(Column(number))
                    cells[number] = nil
                case .enclosed(_, let before, let after):
                    columns.append(
                        Column(number, before: Self.inside(before), after: Self.inside(after)))
                    cells[number] = nil
                case .time(_, let offset):
                    columns.append(Column(number, offsetMinutes: offset))
                    cells[number] = nil
                }
            }
            constants.append(cells)
            let size = cells.reduce(0) { $0 + ($1?.count ?? Timestamp.length) + 1 }
            rowSize = max(rowSize, size + 2)
        }
        if batch.mayHaveMalformedText { hasOddRows = true }
    }

    /// Returns the text of a JSON string that is given without its quotes.
    private static func inside(_ inside: [UInt8]) -> [UInt8] {
        JSONEscaping.text(ofToken: [UInt8(ascii: "\"")] + inside + [UInt8(ascii: "\"")])
    }

    /// Appends the cell of an attribute.
    static func append(_ attribute: ElementNode.Attribute, in element: String, to output: inout [UInt8]) {
        switch AttributeKind(of: attribute.name, in: element) {
        case .time:
            if let time = Timestamp(healthApp: attribute.text.span) {
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

    /// Returns whether a time is in the form of iOS 8 or already in ISO format, so that its cell does not say how it was
    /// written.
    static func isTimeInOtherForm(_ attribute: ElementNode.Attribute, in element: String) -> Bool {
        AttributeKind(of: attribute.name, in: element) == .time
            && (Timestamp(iso: attribute.text.span) ?? Timestamp(compact: attribute.text.span)) != nil
    }

    /// Returns the cells of a row with its metadata and the rest, each after a comma.
    ///
    /// - Parameter texts: The attributes to keep in full.
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
        return tail
    }
}

extension SampleBatch {
    /// Whether a value of a row may have bytes that are not UTF-8; tokens escape them as `\udc..`.
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
