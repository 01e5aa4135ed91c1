import DataCompression
import SystemIO

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
