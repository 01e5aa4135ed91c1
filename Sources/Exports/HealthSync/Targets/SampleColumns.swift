import ByteText
import HealthFormats
import HealthModel
import SampleBatches
import Tables

/// A sample as the columns of a table, the same in all targets that have tables.
struct SampleColumns {
    let id: String
    let type: String
    let element: String
    let start: Timestamp?
    let end: Timestamp?
    let creation: Timestamp?
    /// The value, if it is a finite number.
    let value: Double?
    /// The value as written, if it is not a finite number.
    let valueText: String?
    let unit: String?
    let sourceName: String?
    let sourceVersion: String?
    let device: String?
    /// The other attributes as a JSON object; nil if there are none.
    let attributes: String?
    /// The nested content.
    let content: SplitContent

    /// Reads the columns of a record; nil if only its identifier is known.
    init?(_ record: SampleRecord, _ contents: inout SplitContents) {
        guard let row = record.sample?.row else { return nil }
        id = record.id.description
        type = record.id.type.identifier
        element = row.element
        start = row.time("startDate")
        end = row.time("endDate")
        creation = row.time("creationDate")
        value = row.number("value")
        valueText = value == nil ? row["value"] : nil
        unit = row["unit"]
        sourceName = row["sourceName"]
        sourceVersion = row["sourceVersion"]
        // The pointer differs in each export.
        device = row["device"].map {
            String(decoding: DevicePointer.normalized(Array($0.utf8)), as: UTF8.self)
        }
        attributes = Self.attributes(of: row)
        content = contents.content(of: row)
    }

    private static let columns: Set<String> = [
        "type", "value", "unit", "sourceName", "sourceVersion", "device",
    ]
    private static let times: Set<String> = ["startDate", "endDate", "creationDate"]

    /// Returns the attributes without a column of their own.
    private static func attributes(of row: SampleRow) -> String? {
        var others: [(name: String, text: String)] = []
        for name in row.attributeNames where !columns.contains(name) {
            if times.contains(name), row.time(name) != nil { continue }
            if let text = row[name] { others.append((name, text)) }
        }
        guard !others.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            for (name, text) in others { writer.member(name, text) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the values of the table of samples of a person, in the order of its columns.
    func values(of person: String, in dialect: SQLDialect) -> [SQLValue] {
        func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
        func object(_ text: String?) -> SQLValue { text.map { .object($0) } ?? .null }
        func integer(_ integer: Int?) -> SQLValue { integer.map { .integer($0) } ?? .null }
        let integers =
            dialect == .sqlite
            ? [integer(start?.seconds), integer(end?.seconds)] : [integer(start?.offsetMinutes)]
        return [.text(person), .text(id), .text(type), .text(element)]
            + [start, end, creation].map { $0.map { .instant($0) } ?? .null } + integers
            + [value.map { .real($0) } ?? .null]
            + [valueText, unit, sourceName, sourceVersion, device].map(text)
            + [attributes, content.metadata, content.other].map(object)
    }

    /// The record as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", id)
            writer.member("type", type)
            writer.member("element", element)
            let times = [("startDate", start), ("endDate", end), ("creationDate", creation)]
            for (name, time) in times { if let time { writer.member(name, time.iso) } }
            if let value {
                writer.key("value")
                writer.raw(Array("\(value)".utf8).span)
            }
            let texts = [
                ("value", valueText), ("unit", unit), ("sourceName", sourceName),
                ("sourceVersion", sourceVersion), ("device", device),
            ]
            for (name, text) in texts { if let text { writer.member(name, text) } }
            let objects = [
                ("attributes", attributes), ("metadata", content.metadata), ("content", content.other),
            ]
            for (name, object) in objects {
                guard let object else { continue }
                writer.key(name)
                writer.raw(Array(object.utf8).span)
            }
        }
        return writer.bytes
    }
}

/// The nested content of a sample.
struct SplitContent {
    /// The metadata as a JSON object; nil if there is none.
    var metadata: String?
    /// The rest as a JSON object; nil if there is none.
    var other: String?
}

/// Divides contents into metadata and the rest: many samples have the same, which is divided once.
struct SplitContents {
    private var known: [HashedBytes: SplitContent] = [:]
    private static let mostKnown = 1000
    /// Longer contents are rarely the same.
    private static let longestKnown = 4096

    /// Returns the content of a row.
    mutating func content(of row: SampleRow) -> SplitContent {
        guard row.hasContent else { return SplitContent() }
        let bytes = HashedBytes(row.content)
        if let found = known[bytes] { return found }
        var content = SplitContent(other: String(decoding: bytes.bytes, as: UTF8.self))
        func text(_ bytes: [UInt8]) -> String? {
            bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
        // What cannot be read stays as it is.
        if let parts = try? RowContents(bytes.bytes) {
            let other = text(parts.members).map { "{\($0)}" }
            content = SplitContent(metadata: text(parts.metadata), other: other)
        }
        guard bytes.bytes.count <= Self.longestKnown else { return content }
        if known.count >= Self.mostKnown { known = [:] }
        known[bytes] = content
        return content
    }
}
