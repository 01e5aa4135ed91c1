import ByteText
import SampleBatches

/// The content of rows, split into its metadata and everything else.
package struct RowContents: Sendable {
    /// The metadata entries as an object, with an array for each repeated key; empty if there are none.
    package private(set) var metadata: [UInt8] = []
    /// The other members of the content, without braces; empty if there are none.
    package private(set) var members: [UInt8] = []

    /// Splits a content.
    ///
    /// - Throws: `FormatError` if it is not valid batch JSON.
    package init(_ json: [UInt8]) throws(FormatError) {
        var entries: [(key: [UInt8], values: [[UInt8]])] = []
        var places: [HashedBytes: Int] = [:]
        func add(_ found: [(key: [UInt8], value: [UInt8])]) {
            for (key, value) in found {
                if let place = places[HashedBytes(key)] {
                    entries[place].values.append(value)
                } else {
                    places[HashedBytes(key)] = entries.count
                    entries.append((key, [value]))
                }
            }
        }
        func keep(_ name: String, _ value: some Sequence<UInt8>) {
            if !members.isEmpty { members.append(UInt8(ascii: ",")) }
            JSONEscaping.append(name, to: &members)
            members.append(UInt8(ascii: ":"))
            members += value
        }
        var reader = JSONReader(json)
        do {
            try reader.object { reader, name in
                var probe = reader
                if name == "metadata", let found = try? Self.entries(&probe) {
                    add(found)
                    reader = probe
                } else if name == "children" {
                    let (found, rest) = try Self.divided(&reader)
                    add(found)
                    if !rest.isEmpty { keep(name, [UInt8(ascii: "[")] + rest + [UInt8(ascii: "]")]) }
                } else {
                    keep(name, reader.bytes[try reader.skip()])
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

    /// Divides a list of children, in which the entries of metadata lie among other elements.
    ///
    /// - Returns: The entries, and the other children, separated by commas.
    private static func divided(
        _ reader: inout JSONReader
    ) throws -> (entries: [(key: [UInt8], value: [UInt8])], rest: [UInt8]) {
        var found: [(key: [UInt8], value: [UInt8])] = []
        var rest: [UInt8] = []
        try reader.array { reader in
            var probe = reader
            if let entry = try? Self.entry(&probe, named: true) {
                found.append(entry)
                reader = probe
            } else {
                if !rest.isEmpty { rest.append(UInt8(ascii: ",")) }
                rest += reader.bytes[try reader.skip()]
            }
        }
        return (found, rest)
    }

    /// Reads metadata entries; throws if one has anything but a key and a value.
    private static func entries(_ reader: inout JSONReader) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try reader.array { reader in entries.append(try entry(&reader, named: false)) }
        return entries
    }

    /// Reads a metadata entry; throws if it has anything but a key and a value.
    ///
    /// - Parameter isNamed: Whether the object also has the element's name.
    private static func entry(
        _ reader: inout JSONReader, named isNamed: Bool
    ) throws -> (key: [UInt8], value: [UInt8]) {
        var (key, value): ([UInt8]?, [UInt8]?) = (nil, nil)
        var hasName = !isNamed
        try reader.object { reader, name in
            switch name {
            case "element" where isNamed:
                guard try reader.stringBytes() == Array("MetadataEntry".utf8) else {
                    throw reader.failure(.unexpected)
                }
                hasName = true
            case "key": key = try reader.stringBytes()
            case "value": value = try reader.stringBytes()
            default: throw reader.failure(.unexpected)
            }
        }
        guard hasName, let key, let value else { throw reader.failure(.unexpected) }
        return (key, value)
    }
}
