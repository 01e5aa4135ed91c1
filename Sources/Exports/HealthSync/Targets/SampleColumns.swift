import ByteText
import HealthModel
import SampleBatches

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
    let source: String?
    let sourceVersion: String?
    let device: String?
    /// The other attributes as a JSON object; nil if there are none.
    let attributes: String?
    /// The nested content as a JSON object; nil if there is none.
    let content: String?

    /// Reads the columns of a record; nil if only its identifier is known.
    init?(_ record: SampleRecord) {
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
        source = row["sourceName"]
        sourceVersion = row["sourceVersion"]
        // The pointer differs in each export.
        device = row["device"].map {
            String(decoding: DevicePointer.normalized(Array($0.utf8)), as: UTF8.self)
        }
        attributes = Self.attributes(of: row)
        content = row.hasContent ? String(decoding: row.content, as: UTF8.self) : nil
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

    /// The record as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", id)
            writer.member("type", type)
            writer.member("element", element)
            let times = [("start", start), ("end", end), ("created", creation)]
            for (name, time) in times { if let time { writer.member(name, time.iso) } }
            if let value {
                writer.key("value")
                writer.raw(Array("\(value)".utf8).span)
            }
            let texts = [
                ("value", valueText), ("unit", unit), ("source", source), ("sourceVersion", sourceVersion),
                ("device", device),
            ]
            for (name, text) in texts { if let text { writer.member(name, text) } }
            for (name, object) in [("attributes", attributes), ("content", content)] {
                guard let object else { continue }
                writer.key(name)
                writer.raw(Array(object.utf8).span)
            }
        }
        return writer.bytes
    }
}
