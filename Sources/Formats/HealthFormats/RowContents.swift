import JSONText
import SampleBatches

/// The content of rows, split into its metadata and everything else.
struct RowContents: Sendable {
    /// The metadata entries as an object, with an array for each repeated key; empty if there are none.
    private(set) var metadata: [UInt8] = []
    /// The other members of the content, without braces; empty if there are none.
    private(set) var members: [UInt8] = []

    /// Splits a content.
    ///
    /// - Throws: `FormatError` if it is not valid batch JSON.
    init(_ json: [UInt8]) throws(FormatError) {
        var entries: [(key: [UInt8], values: [[UInt8]])] = []
        var places: [HashedBytes: Int] = [:]
        var reader = JSONReader(json)
        do {
            try reader.object { reader, name in
                var probe = reader
                if name == "metadata", let found = try? Self.entries(&probe) {
                    for (key, value) in found {
                        if let place = places[HashedBytes(key)] {
                            entries[place].values.append(value)
                        } else {
                            places[HashedBytes(key)] = entries.count
                            entries.append((key, [value]))
                        }
                    }
                    reader = probe
                } else {
                    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
                    JSONEscaping.append(name, to: &members)
                    members.append(UInt8(ascii: ":"))
                    members += reader.bytes[try reader.skip()]
                }
            }
        } catch let error as JSONError { throw FormatError(error) } catch { throw FormatError(.malformed) }
        guard !entries.isEmpty else { return }
        var writer = JSONWriter()
        writer.object { writer in
            for (key, values) in entries {
                writer.key(bytes: key.span)
                if values.count == 1 {
                    let value = values[0]
                    writer.string(bytes: value.span)
                } else {
                    writer.array { writer in
                        for value in values { writer.string(bytes: value.span) }
                    }
                }
            }
        }
        metadata = writer.bytes
    }

    /// Reads metadata entries; throws if one has anything but a key and a value.
    private static func entries(_ reader: inout JSONReader) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try reader.array { reader in
            var (key, value): ([UInt8]?, [UInt8]?) = (nil, nil)
            try reader.object { reader, name in
                switch name {
                case "key": key = try reader.stringBytes()
                case "value": value = try reader.stringBytes()
                default: throw reader.failure(.unexpected)
                }
            }
            guard let key, let value else { throw reader.failure(.unexpected) }
            entries.append((key, value))
        }
        return entries
    }
}
