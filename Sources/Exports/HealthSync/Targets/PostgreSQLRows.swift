import ByteText
import HealthModel
import SampleBatches
import Tables

/// Rows of the table of samples in COPY's text format.
///
/// What the rows of a context have in common is made once, and copied: a first synchronisation has millions of rows.
struct PostgreSQLRows {
    /// The contexts that were seen; each is kept, so that no other one can have its identifier.
    private var seen: [ObjectIdentifier: Seen] = [:]
    private var last: Seen?
    private var contents = SplitContents()
    private let person: String
    /// The column with the person.
    private let personColumn: [UInt8]

    /// Prepares for the rows of a person.
    init(of person: String) {
        self.person = person
        var column: [UInt8] = []
        CopyText.append(person, to: &column)
        personColumn = column
    }

    private struct Seen {
        let context: SampleContext
        let shared: SharedColumns?
    }

    /// Appends the row of a record; a record without a sample has none.
    mutating func append(_ record: SampleRecord, to rows: inout [UInt8]) {
        guard let row = record.sample?.row else { return }
        guard let shared = shared(of: row, record) else {
            SampleColumns(record, &contents).map {
                CopyText.appendRow($0.values(of: person, in: .postgreSQL), to: &rows)
            }
            return
        }
        rows += personColumn
        record.id.append(to: &rows)
        rows += shared.names
        let start = row.time(shared.start)
        CopyText.append(start, to: &rows)
        CopyText.append(row.time(shared.end), to: &rows)
        CopyText.append(row.time(shared.creation), to: &rows)
        CopyText.append(start.map { "\($0.offsetMinutes)" }, to: &rows)
        let value = row.number(shared.value)
        CopyText.append(value.map { "\($0)" }, to: &rows)
        CopyText.append(value == nil ? row["value"] : nil, to: &rows)
        rows += shared.texts
        let content = contents.content(of: row)
        CopyText.append(content.metadata.map(PostgreSQLText.json), to: &rows)
        CopyText.append(content.other.map(PostgreSQLText.json), to: &rows)
        CopyText.endRow(&rows)
    }

    /// Returns what the rows of a context have in common; nil if each has texts of its own.
    private mutating func shared(of row: SampleRow, _ record: SampleRecord) -> SharedColumns? {
        let context = row.context
        if let last, last.context === context { return last.shared }
        let key = ObjectIdentifier(context)
        let found =
            seen[key]
            ?? Seen(
                context: context,
                shared: SampleColumns(record, &contents).flatMap { SharedColumns(context.fields, $0) })
        seen[key] = found
        last = found
        return found.shared
    }
}

/// The columns that are the same in all rows of a context, and where the others are.
private struct SharedColumns {
    /// Type and element, after the end of the identifier's column.
    let names: [UInt8]
    /// The columns from the unit to the attributes.
    let texts: [UInt8]
    let start: ContextFields.Field?
    let end: ContextFields.Field?
    let creation: ContextFields.Field?
    let value: ContextFields.Field?

    /// Looks the columns up.
    ///
    /// - Parameters:
    ///   - fields: The fields of the context; nil is returned if a row may have other columns than another one.
    ///   - columns: The columns of a row.
    init?(_ fields: ContextFields, _ columns: SampleColumns) {
        for name in fields.names {
            switch (name, fields[name]) {
            case ("value", _), ("startDate", .time?), ("endDate", .time?), ("creationDate", .time?): continue
            // Nothing but the pointer of a device differs from row to row, and no target stores it.
            case ("device", .constant?), ("device", .enclosed?): continue
            case ("type", .constant?), ("unit", .constant?), ("sourceName", .constant?),
                ("sourceVersion", .constant?):
                continue
            default: return nil
            }
        }
        (start, end, creation) = (fields["startDate"], fields["endDate"], fields["creationDate"])
        value = fields["value"]
        var names = [CopyText.columnEnd]
        CopyText.append(columns.type, to: &names)
        CopyText.append(columns.element, to: &names)
        self.names = names
        var texts: [UInt8] = []
        for text in [columns.unit, columns.sourceName, columns.sourceVersion, columns.device] {
            CopyText.append(text, to: &texts)
        }
        CopyText.append(columns.attributes.map(PostgreSQLText.json), to: &texts)
        self.texts = texts
    }
}

/// COPY's text format: columns end with tabs and rows with line ends, which are escaped in texts.
enum CopyText {
    fileprivate static let columnEnd = UInt8(ascii: "\t")

    /// Appends a row.
    static func appendRow(_ values: [SQLValue], to rows: inout [UInt8]) {
        for value in values { append(value.postgreSQL, to: &rows) }
        endRow(&rows)
    }

    /// Appends a column with a text, or NULL.
    fileprivate static func append(_ text: String?, to rows: inout [UInt8]) {
        guard let text else {
            rows += [UInt8(ascii: "\\"), UInt8(ascii: "N"), columnEnd]
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): rows += [byte, byte]
            case UInt8(ascii: "\t"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case UInt8(ascii: "\n"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            // PostgreSQL has no NUL in texts.
            case 0: rows += [0xef, 0xbf, 0xbd]
            default: rows.append(byte)
            }
        }
        rows.append(columnEnd)
    }

    /// Appends a column with an instant, or NULL.
    fileprivate static func append(_ time: Timestamp?, to rows: inout [UInt8]) {
        guard let time else { return append(String?.none, to: &rows) }
        PostgreSQLText.utc(time).appendISO(to: &rows)
        rows.append(columnEnd)
    }

    /// Ends a row in place of its last column.
    fileprivate static func endRow(_ rows: inout [UInt8]) { rows[rows.count - 1] = UInt8(ascii: "\n") }
}

extension SQLValue {
    /// The value as a text that PostgreSQL reads; nil for NULL.
    var postgreSQL: String? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .flag(let flag): flag ? "t" : "f"
        case .day(let day): day.description
        case .instant(let time): PostgreSQLText.utc(time).iso
        case .texts(let texts): PostgreSQLText.array(texts)
        case .reals(let reals): PostgreSQLText.array(reals.map { "\($0)" })
        case .object(let json): PostgreSQLText.json(json)
        case .bytes(let bytes): "\\x" + Hexadecimal.text(bytes)
        }
    }
}

/// Texts as PostgreSQL reads them.
private enum PostgreSQLText: Sendable {
    /// Returns an instant in UTC: PostgreSQL keeps no offset, and does not read all of those that an export may have.
    static func utc(_ time: Timestamp) -> Timestamp { Timestamp(seconds: time.seconds, offsetMinutes: 0) }

    /// Returns an array as PostgreSQL reads it.
    static func array(_ texts: [String]) -> String {
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var array: [UInt8] = []
        for text in texts {
            array.append(UInt8(ascii: array.isEmpty ? "{" : ","))
            array.append(quote)
            for byte in text.utf8 {
                if byte == quote || byte == escape { array.append(escape) }
                array.append(byte)
            }
            array.append(quote)
        }
        return (array.isEmpty ? "{" : String(decoding: array, as: UTF8.self)) + "}"
    }

    /// Returns a JSON object for `jsonb`.
    ///
    /// It has neither NULs nor surrogates that stand alone, which are bytes that are not UTF-8: U+FFFD takes their place.
    static func json(_ json: String) -> String {
        let text = Array(json.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count, let escape = text[place...].firstIndex(of: UInt8(ascii: "\\")) {
            output += text[place..<escape]
            let letters = String(decoding: text[escape...].dropFirst().prefix(5), as: UTF8.self).lowercased()
            if letters == "u0000" || letters.hasPrefix("udc") {
                output += [0xef, 0xbf, 0xbd]
                place = min(escape + 6, text.count)
            } else {
                // The other half of a character may follow.
                let isHalf = ["ud8", "ud9", "uda", "udb"].contains { letters.hasPrefix($0) }
                place = min(escape + (isHalf ? 12 : 2), text.count)
                output += text[escape..<place]
            }
        }
        output += text[place...]
        return String(decoding: output, as: UTF8.self)
    }
}
