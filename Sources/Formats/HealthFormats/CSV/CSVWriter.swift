import ByteText
package import SampleBatches
package import SystemIO

/// Writes an export as one CSV file per type.
package final class CSVWriter: FormatWriter {
    private let files: any FormatFiles
    private let folder: BytePath
    private var losses = FormatLosses()
    private var current: BytePath?
    private let name: (_ element: String, _ type: String) -> BytePath

    /// The mark at the start of each file that makes spreadsheets recognise UTF-8.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Makes a writer for files in a folder.
    ///
    /// - Parameter name: Returns the name of the file for an element and type, without a suffix.
    package init(
        _ files: any FormatFiles, folder: BytePath,
        naming name: @escaping (_ element: String, _ type: String) -> BytePath
    ) {
        self.files = files
        self.folder = folder
        self.name = name
    }

    package var makeEncoder: @Sendable () -> any FormatEncoder { { CSVEncoder() } }

    package func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws {
        guard !rows.text.isEmpty else { return }
        losses.add(rows)
        let path = folder / name(key.element, key.type) + ".csv"
        if path != current {
            try endFile()
            let header = CSVColumns.names(of: key.element, type: key.type).joined(separator: ",")
            let line = Self.byteOrderMark + Array(header.utf8) + CSVCell.lineEnd
            try files.append(line.span, to: path)
            current = path
        }
        try files.append(rows.text.span, to: path)
    }

    /// Does nothing, because side files are stored next to the folder.
    package func add(_ file: FormatFile, _ read: FileReading) throws {}

    package func finish(_ facts: FormatFacts) throws -> FormatLosses {
        try endFile()
        return losses
    }

    private func endFile() throws {
        if let current { try files.end(current) }
        current = nil
    }
}

/// Writes rows as lines of CSV.
private final class CSVEncoder: FormatEncoder, @unchecked Sendable {
    // @unchecked: used by one worker at a time.
    private var times = TimeWriter()
    /// The bytes of a row's cells that are not constants of its context; `cells` has their ranges, by column.
    private var scratch: [UInt8] = []
    private var cells: [Range<Int>] = []

    func encode(_ batch: SampleBatch) throws -> EncodedRows {
        var rows = EncodedRows()
        let layout = CSVLayout(batch)
        let contents = try batch.contents.map { content throws(FormatError) in try RowContents(content) }
        let tails = contents.map { CSVLayout.tail($0, texts: []) }
        let none = CSVLayout.tail(nil, texts: [])
        let ends = DerivedColumns.ends(
            of: batch, DerivedColumns.of(element: batch.key.element, type: batch.key.type))
        guard !layout.hasOddRows else {
            encodeOddRows(of: batch, layout, contents, ends, &rows)
            return rows
        }
        rows.text.reserveCapacity(batch.textSize + batch.count * layout.rowSize)
        cells = [Range<Int>](repeating: 0..<0, count: layout.columnCount)
        batch.forEachRow { row in
            scratch.removeAll(keepingCapacity: true)
        } value: { row, slot, value, bytes in
            let column = layout.columns[row.column]
            let start = scratch.count
            switch value {
            case .instant(let seconds):
                scratch.append(addingCapacity: Timestamp.length) { (output: inout OutputSpan<UInt8>) in
                    times.appendISO(seconds: seconds, offsetMinutes: column.offsetMinutes, to: &output)
                }
            case .token(let range):
                guard bytes[range.lowerBound] == UInt8(ascii: "\"") else {
                    scratch.append(copying: bytes.extracting(range))
                    break
                }
                let inside = bytes.extracting(range.lowerBound + 1..<range.upperBound - 1)
                guard !CSVCell.isPlain(inside) else {
                    scratch += column.frame.start
                    scratch.append(copying: inside)
                    scratch += column.frame.end
                    break
                }
                let text = column.before + JSONEscaping.text(ofToken: bytes.array(range)) + column.after
                CSVCell.append(text: text.span, to: &scratch)
            }
            cells[column.number] = start..<scratch.count
        } endRow: { row in
            for (number, constant) in layout.constants[row.context].enumerated() {
                if number > 0 { rows.text.append(UInt8(ascii: ",")) }
                if let constant {
                    rows.text += constant
                } else {
                    rows.text.append(copying: scratch.span.extracting(cells[number]))
                }
            }
            rows.text += row.content > 0 ? tails[row.content - 1] : none
            if let end = ends[row.position] { rows.text += end }
            rows.text += CSVCell.lineEnd
        }
        return rows
    }

    /// Encodes rows that may have attributes without a column, or texts that their cells cannot represent.
    private func encodeOddRows(
        of batch: SampleBatch, _ layout: CSVLayout, _ contents: [RowContents], _ ends: [Int: [UInt8]],
        _ rows: inout EncodedRows
    ) {
        batch.forEachRowTexts { row, attributes in
            var rest: [ElementNode.Attribute] = []
            var taken: [ElementNode.Attribute?] = layout.names.map { _ in nil }
            var isExact = true
            for attribute in attributes {
                if let column = layout.names.firstIndex(of: attribute.name), taken[column] == nil {
                    taken[column] = attribute
                    if !JSONEscaping.isWellFormed(attribute.text.span) { isExact = false }
                    if CSVLayout.isTimeInOtherForm(attribute, in: batch.key.element) { isExact = false }
                } else {
                    rest.append(attribute)
                }
            }
            // A text that its cell cannot represent is kept in the last cell, as are duplicates.
            let texts = isExact ? rest : attributes
            if !isExact || !rest.isEmpty { rows.asText["attributes", default: 0] += 1 }
            for (number, attribute) in taken.enumerated() {
                if number > 0 { rows.text.append(UInt8(ascii: ",")) }
                guard let attribute = attribute ?? CSVColumns.source(layout.names[number], among: attributes)
                else { continue }
                CSVLayout.append(attribute, in: batch.key.element, to: &rows.text)
            }
            rows.text += CSVLayout.tail(row.content > 0 ? contents[row.content - 1] : nil, texts: texts)
            if let end = ends[row.position] { rows.text += end }
            rows.text += CSVCell.lineEnd
        }
    }
}
