import ByteSpans
package import DataCompression
package import SystemIO
import VaultCrypto

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
