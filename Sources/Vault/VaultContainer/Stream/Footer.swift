/// The last 64 bytes of the plaintext stream.
struct Footer: Sendable, Equatable {
    let payloadLength: Int
    let indexLength: Int
    let totalLength: Int
    let indexDigest: [UInt8]

    private static let magic = Array("HVFOOT01".utf8)

    init(payloadLength: Int, indexLength: Int, totalLength: Int, indexDigest: [UInt8]) {
        self.payloadLength = payloadLength
        self.indexLength = indexLength
        self.totalLength = totalLength
        self.indexDigest = indexDigest
    }

    /// Reads a footer of a stream with `streamLength` bytes.
    init(_ bytes: [UInt8], streamLength: Int) throws(ContainerError) {
        guard bytes.count == ContainerFormat.footerSize, bytes.starts(with: Self.magic),
            let payload = Int(exactly: bytes.integer(at: 8)), let index = Int(exactly: bytes.integer(at: 16)),
            let total = Int(exactly: bytes.integer(at: 24)), total == streamLength,
            payload <= total, index <= total, index <= ContainerFormat.largestIndex,
            payload + index + ContainerFormat.footerSize <= total
        else { throw ContainerError(.badFooter) }
        payloadLength = payload
        indexLength = index
        totalLength = total
        indexDigest = [UInt8](bytes[32...])
    }

    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.appendInteger(UInt64(payloadLength))
        bytes.appendInteger(UInt64(indexLength))
        bytes.appendInteger(UInt64(totalLength))
        return bytes + indexDigest
    }
}
