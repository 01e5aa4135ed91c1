import ByteSpans
import JSONText
import SystemIO

/// The index behind the payload: what is where, and which segments belong to this file.
package struct ContainerIndex: Sendable, Equatable {
    let tool: String
    let created: String
    let salts: [[UInt8]]
    package let entries: [ContainerEntry]

    private static let version = 1

    /// What stands in the text of an index before its entries, JSON objects with commas between them, and behind them.
    static func frame(tool: String, created: String, salts: [[UInt8]]) -> (before: [UInt8], after: [UInt8]) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", version)
            writer.member("tool", tool)
            writer.member("created", created)
            writer.member("salts", salts.map { Hexadecimal.text($0) })
            writer.key("entries")
            writer.array { _ in }
        }
        let end = Array("]}".utf8)
        return ([UInt8](writer.bytes.dropLast(end.count)), end)
    }

    static func write(_ entry: ContainerEntry, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", entry.name)
            writer.member("offset", entry.offset)
            writer.member("length", entry.length)
            writer.member("sha256", Hexadecimal.text(entry.sha256))
            for property in entry.properties {
                switch property.value {
                case .text(let value): writer.member(property.name, value)
                case .number(let value): writer.member(property.name, value)
                }
            }
        }
    }

    init(tool: String, created: String, salts: [[UInt8]], entries: [ContainerEntry]) {
        self.tool = tool
        self.created = created
        self.salts = salts
        self.entries = entries
    }

    /// Reads an index and checks that its entries lie one behind the other inside the payload, each behind a tar header;
    /// so there are never more of them than blocks in the payload.
    ///
    /// - Throws: `badFooter` where it is malformed, `entryMismatch` where an entry's name or place is not allowed.
    package init(_ json: [UInt8], payloadLength: Int) throws(ContainerError) {
        var version = 0
        var tool = ""
        var created = ""
        var salts: [[UInt8]] = []
        var entries: [ContainerEntry] = []
        var names: Set<UInt128> = []
        var end = 0
        do {
            var reader = JSONReader(json)
            try reader.object { reader, key in
                switch key {
                case "version": version = try reader.integer()
                case "tool": tool = try reader.string()
                case "created": created = try reader.string()
                case "salts":
                    try reader.array { reader in
                        salts.append(
                            try bytes(hexadecimal: try reader.string(), count: ContainerFormat.saltSize))
                    }
                case "entries":
                    try reader.array { reader in
                        let entry = try Self.entry(&reader)
                        guard EntryName.isSafe(entry.name),
                            names.insert(try EntryName.fingerprint(entry.name)).inserted,
                            entry.offset - end >= TarHeader.blockSize,
                            entry.length <= payloadLength - entry.offset,
                            entry.length <= ContainerFormat.largestEntry
                        else { throw ContainerError(.entryMismatch, entry: entry.name) }
                        end = entry.offset + entry.length
                        entries.append(entry)
                    }
                default: try reader.skip()
                }
            }
            try reader.finish()
        } catch let error as ContainerError { throw error } catch { throw ContainerError(.badFooter) }
        guard version == Self.version else { throw ContainerError(.badFooter) }
        self.init(tool: tool, created: created, salts: salts, entries: entries)
    }

    private static func entry(_ reader: inout JSONReader) throws -> ContainerEntry {
        var name: BytePath = ""
        var offset = -1
        var length = -1
        var sha256: [UInt8] = []
        var properties: [ContainerProperty] = []
        try reader.object { reader, key in
            switch key {
            case "name": name = try reader.path()
            case "offset": offset = try reader.integer()
            case "length": length = try reader.integer()
            case "sha256": sha256 = try bytes(hexadecimal: try reader.string(), count: 32)
            default:
                switch try reader.kind() {
                case .string: properties.append(ContainerProperty(key, try reader.string()))
                case .number:
                    // A number that is no integer is none of ours.
                    var probe = reader
                    if let number = try? probe.integer() { properties.append(ContainerProperty(key, number)) }
                    try reader.skip()
                default: try reader.skip()
                }
            }
        }
        guard offset >= 0, length >= 0, sha256.count == 32,
            properties.count <= ContainerFormat.mostProperties
        else {
            throw ContainerError(.entryMismatch, entry: name)
        }
        return ContainerEntry(
            name: name, offset: offset, length: length, sha256: sha256, properties: properties)
    }
}

/// The bytes of exactly `count` pairs of lower-case hexadecimal digits.
private func bytes(hexadecimal text: String, count: Int) throws(ContainerError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(text), bytes.count == count else { throw ContainerError(.badFooter) }
    return bytes
}
