import ByteText
package import DataCompression
package import SystemIO
import VaultCrypto

/// The names of bundles, which are entries of the payload that contain small entries.
enum BundleName: Sendable {
    private static let folder: BytePath = "bundles/"
    private static let suffix: BytePath = ".tar.zst"
    private static let digits = 4

    /// Returns the name of the n-th bundle, from 0.
    static func name(_ number: Int) -> BytePath {
        let text = String(number)
        return "\(folder)\(String(repeating: "0", count: max(0, digits - text.utf8.count)))\(text)\(suffix)"
    }

    /// Whether the name has the form of a bundle's name.
    static func matches(_ name: BytePath) -> Bool {
        guard let number = name.dropping(prefix: folder)?.dropping(suffix: suffix) else { return false }
        return number.count >= digits && number.bytes.allSatisfy { $0 &- 0x30 < 10 }
    }
}

/// Small entries that a container stores as one: a tar stream, compressed as a whole.
///
/// Content that they share is stored once, and no entry needs its own block.
package struct ContainerBundle: Sendable {
    /// An entry in it.
    package struct Member: Sendable, Equatable {
        /// Its path inside the container.
        package let name: BytePath
        /// Offset of its first byte in the content of the bundle.
        let offset: Int
        /// Length in bytes.
        let length: Int
    }

    /// The tar stream as a Zstandard frame.
    let frame: [UInt8]
    /// SHA-256 of the frame.
    let sha256: [UInt8]
    /// The entries, in order.
    package let members: [Member]
}

/// Builds a bundle.
package struct BundleBuilder: Sendable {
    private var content: [UInt8] = []
    private var members: [ContainerBundle.Member] = []
    private let modified: Int

    /// Starts a bundle.
    ///
    /// - Parameter modified: The modification time of all members, in seconds since 1970.
    package init(modified: Int) { self.modified = modified }

    /// Whether the bundle has no members.
    package var isEmpty: Bool { members.isEmpty }

    /// Adds an entry.
    ///
    /// - Returns: false, with nothing added, if there is no room for it.
    package mutating func add(_ name: BytePath, _ bytes: Span<UInt8>) -> Bool {
        guard bytes.count < ContainerFormat.largestBundle else { return false }
        let header = TarHeader(name: name, size: bytes.count, modified: modified).bytes
        let padding = TarHeader.padding(after: bytes.count)
        let end = content.count + header.count + bytes.count + padding + TarHeader.end.count
        guard end <= ContainerFormat.largestBundle else { return false }
        content += header
        members.append(ContainerBundle.Member(name: name, offset: content.count, length: bytes.count))
        content.append(copying: bytes)
        content += [UInt8](repeating: 0, count: padding)
        return true
    }

    /// Returns the bundle and starts another one.
    ///
    /// - Throws: `CompressionError` and `CryptoError` if memory is short.
    package mutating func finish(
        _ compressor: inout ZstandardCompressor, _ effort: CompressionEffort
    ) throws -> ContainerBundle {
        defer { self = BundleBuilder(modified: modified) }
        content += TarHeader.end
        let frame = try compressor.compress(content.span, effort)
        return ContainerBundle(frame: frame, sha256: try SHA256.digest(of: frame.span), members: members)
    }
}

/// The tar stream inside a bundle.
struct BundleContent: Sendable {
    let bytes: [UInt8]

    /// Decompresses a bundle.
    ///
    /// - Throws: `entryMismatch` if it is not a bundle.
    init(_ frame: [UInt8], name: BytePath) throws(ContainerError) {
        do {
            var decompressor = try ZstandardDecompressor()
            bytes = try decompressor.decompress(frame.span, limit: ContainerFormat.largestBundle)
        } catch { throw ContainerError(.entryMismatch, entry: name) }
    }

    /// Returns the bytes of a member.
    ///
    /// - Throws: `entryMismatch` if the content is too short.
    func data(of member: ContainerEntry) throws(ContainerError) -> [UInt8] {
        guard member.range.upperBound <= bytes.count else {
            throw ContainerError(.entryMismatch, entry: member.name)
        }
        return [UInt8](bytes[member.range])
    }

    /// Checks that the content is the tar stream that the index describes, and nothing else.
    ///
    /// - Throws: `entryMismatch` with the entry that does not match.
    func check(_ members: [ContainerEntry], name: BytePath) throws(ContainerError) {
        var position = 0
        for member in members {
            let end = member.range.upperBound
            guard end + TarHeader.padding(after: member.length) <= bytes.count else {
                throw ContainerError(.entryMismatch, entry: member.name)
            }
            _ = try tarHeader(at: position, of: member)
            position = end + TarHeader.padding(after: member.length)
            guard bytes[end..<position].allSatisfy({ $0 == 0 }) else {
                throw ContainerError(.entryMismatch, entry: member.name)
            }
        }
        guard bytes[position...].elementsEqual(TarHeader.end) else {
            throw ContainerError(.entryMismatch, entry: name)
        }
    }

    /// Returns the header of a member, which must match the index in everything but its time.
    ///
    /// - Throws: `entryMismatch` if it does not.
    func tarHeader(at position: Int, of member: ContainerEntry) throws(ContainerError) -> [UInt8] {
        guard position >= 0, member.offset - position >= TarHeader.blockSize, member.offset <= bytes.count,
            let header = TarHeader.expected(
                in: [UInt8](bytes[position..<member.offset]), name: member.name, size: member.length)
        else { throw ContainerError(.entryMismatch, entry: member.name) }
        return header
    }
}
