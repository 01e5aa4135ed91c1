import ByteText
import DataCompression
import SystemIO

/// The index after the payload: where each entry is, and which segments belong to this file.
package struct ContainerIndex: Sendable, Equatable {
    let tool: String
    let created: String
    let salts: [[UInt8]]
    /// The entries of the payload, one after the other.
    package let payload: [ContainerEntry]
    /// The bundles among them, each with the range of its members in `entries`.
    let bundles: [Bundle]
    /// The entries of the container: those of the payload, with each bundle replaced by its members.
    package let entries: [ContainerEntry]

    /// A bundle.
    struct Bundle: Sendable, Equatable {
        let entry: ContainerEntry
        let members: Range<Int>
    }

    static let version = 1
    /// About the length of an entry in the text, in bytes.
    private static let usualLength = 256

    /// Returns the longest text that readers accept from frames of this length: a small index must not expand into a
    /// large one.
    static func longestText(ofFrames length: Int) -> Int {
        min(
            ContainerFormat.largestIndex, ContainerFormat.smallIndex + ContainerFormat.indexExpansion * length
        )
    }

    /// Decompresses an index and reads it.
    ///
    /// - Throws: `badFooter` or `entryMismatch`, as the other initializer does.
    package init(frames: [UInt8], payloadLength: Int) throws(ContainerError) {
        let text: [UInt8]
        do throws(CompressionError) {
            var decompressor = try ZstandardDecompressor()
            text = try decompressor.decompress(
                frames: frames.span, frameLimit: ContainerFormat.largestBundle,
                limit: Self.longestText(ofFrames: frames.count))
        } catch { throw ContainerError(.badFooter) }
        try self.init(text, payloadLength: payloadLength)
    }

    /// Reads an index and checks that its entries follow each other inside the payload, each after a tar header.
    ///
    /// This limits their number to that of the blocks in the payload and its bundles.
    ///
    /// - Throws: `badFooter` if it is malformed, `entryMismatch` if an entry's name or place is not allowed.
    package init(_ json: [UInt8], payloadLength: Int) throws(ContainerError) {
        var version = 0
        var tool = ""
        var created = ""
        var salts: [[UInt8]] = []
        var list = EntryList(payloadLength: payloadLength, expecting: json.count / Self.usualLength)
        do {
            var reader = JSONReader(json)
            // No name has bytes that are not UTF-8, and readers could take other lone surrogates for different things.
            guard !reader.hasLoneSurrogate else { throw ContainerError(.badFooter) }
            try reader.object { reader, key in
                switch key {
                case "version": version = try reader.integer()
                case "tool": tool = try reader.string()
                case "created": created = try reader.string()
                case "salts":
                    try reader.array { reader in
                        salts.append(
                            try bytes(hexadecimal: &reader, count: ContainerFormat.saltSize))
                    }
                case "entries":
                    try reader.array { reader in try list.add(try ListedEntry(&reader)) }
                default: try reader.skip()
                }
            }
            try reader.finish()
        } catch let error as ContainerError { throw error } catch { throw ContainerError(.badFooter) }
        guard version == Self.version else { throw ContainerError(.badFooter) }
        self.tool = tool
        self.created = created
        self.salts = salts
        payload = list.payload
        bundles = list.bundles
        entries = list.entries
    }
}

/// The entries of an index, checked as they are added.
private struct EntryList {
    private(set) var payload: [ContainerEntry] = []
    private(set) var bundles: [ContainerIndex.Bundle] = []
    private(set) var entries: [ContainerEntry] = []
    private var names: Set<BytePath> = []
    private var end = 0
    private let payloadLength: Int

    init(payloadLength: Int, expecting count: Int) {
        self.payloadLength = payloadLength
        payload.reserveCapacity(count)
        entries.reserveCapacity(count)
        names.reserveCapacity(count)
    }

    mutating func add(_ listed: ListedEntry) throws(ContainerError) {
        guard let sha256 = listed.sha256, listed.length <= ContainerFormat.largestEntry else {
            throw listed.mismatch
        }
        try check(listed, end, limit: payloadLength)
        let entry = listed.entry(in: .payload(sha256: sha256))
        end = entry.range.upperBound
        payload.append(entry)
        guard let members = listed.members else {
            // The name alone must identify a bundle, for readers that do not have the index.
            guard !BundleName.matches(entry.name) else { throw listed.mismatch }
            entries.append(entry)
            return
        }
        guard entry.name == BundleName.name(bundles.count), !members.isEmpty,
            entry.length <= ContainerFormat.largestBundleFrame
        else { throw listed.mismatch }
        try add(members)
        bundles.append(
            ContainerIndex.Bundle(entry: entry, members: (entries.count - members.count)..<entries.count))
    }

    private mutating func add(_ members: [ListedEntry]) throws(ContainerError) {
        var end = 0
        for member in members {
            guard member.sha256 == nil, !BundleName.matches(member.name) else {
                throw member.mismatch
            }
            try check(member, end, limit: ContainerFormat.largestBundle - TarHeader.end.count)
            let entry = member.entry(in: .bundle(bundles.count))
            end = entry.range.upperBound
            entries.append(entry)
        }
    }

    /// Checks that the name is safe and new, and that the entry starts after the previous one, with room for its tar
    /// header.
    private mutating func check(_ listed: ListedEntry, _ end: Int, limit: Int) throws(ContainerError) {
        guard EntryName.isSafe(listed.name),
            names.insert(listed.name).inserted,
            listed.offset - end >= TarHeader.blockSize, listed.length <= limit - listed.offset
        else { throw listed.mismatch }
    }
}

/// An entry as it is written in the text of an index.
private struct ListedEntry {
    let name: BytePath
    let offset: Int
    let length: Int
    let sha256: [UInt8]?
    let members: [ListedEntry]?
    private let recorded: RecordedProperties

    var mismatch: ContainerError { ContainerError(.entryMismatch, entry: name) }

    /// The most members that a bundle has room for.
    private static let mostMembers = ContainerFormat.largestBundle / TarHeader.blockSize

    /// The members that the container itself defines, in the order in which they are written.
    private enum Member: String, CaseIterable {
        case name, offset, length, sha256, members
    }

    private static let members = JSONNames<Member>()

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - reader: A reader before the object.
    ///   - isMember: Whether the entry is in a bundle: a bundle in a bundle is refused.
    init(_ reader: inout JSONReader, isMember: Bool = false) throws {
        var (name, offset, length): (BytePath, Int, Int) = ("", -1, -1)
        var sha256: [UInt8]?
        var members: [ListedEntry]?
        var properties = 0
        let start = reader.offset
        func mismatch() -> ContainerError { ContainerError(.entryMismatch, entry: name) }
        var object = try reader.members()
        while let member = try reader.nextMember(&object, of: Self.members) {
            switch member {
            case .name: name = try reader.path()
            case .offset: offset = try reader.integer()
            case .length: length = try reader.integer()
            case .sha256: sha256 = try bytes(hexadecimal: &reader, count: 32)
            case .members:
                guard !isMember else { throw mismatch() }
                var found: [ListedEntry] = []
                try reader.array { reader in
                    guard found.count < Self.mostMembers else { throw mismatch() }
                    found.append(try ListedEntry(&reader, isMember: true))
                }
                members = found
            case nil:
                if try Self.passesProperty(&reader) { properties += 1 }
                guard properties <= ContainerFormat.mostProperties else { throw mismatch() }
            }
        }
        guard offset >= 0, length >= 0 else { throw mismatch() }
        (self.name, self.offset, self.length) = (name, offset, length)
        self.sha256 = sha256
        self.members = members
        recorded = properties == 0 ? .list([]) : .text(reader.bytes, start..<reader.offset)
    }

    /// Passes a value, which is read when it is requested, and returns whether it may be a property.
    private static func passesProperty(_ reader: inout JSONReader) throws -> Bool {
        switch try reader.kind() {
        case .string:
            var probe = reader
            // A text with escapes may be malformed.
            if try !reader.stringBody().isPlain { _ = try probe.string() }
            return true
        case .number:
            // Only integers are properties.
            let range = try reader.number()
            return !reader.bytes[range].contains { [0x2e, 0x65, 0x45].contains($0) }
        default:
            try reader.skip()
            return false
        }
    }

    func entry(in place: ContainerEntry.Place) -> ContainerEntry {
        ContainerEntry(name: name, place: place, offset: offset, length: length, recorded: recorded)
    }
}

/// Reads the bytes of exactly `count` pairs of lower-case hexadecimal digits.
private func bytes(hexadecimal reader: inout JSONReader, count: Int) throws -> [UInt8] {
    let digits = try reader.stringBytes()
    guard let bytes = Hexadecimal.bytes(digits.span), bytes.count == count else {
        throw ContainerError(.badFooter)
    }
    return bytes
}
