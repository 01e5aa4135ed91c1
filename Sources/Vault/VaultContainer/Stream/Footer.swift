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

/// Padding of the plaintext stream, so that the file's size reveals little about its content.
package enum Padding: Sendable {
    /// Rounds a length up by Padmé, so that the size leaks O(log log L) bits, at the cost of at most 12 %.
    ///
    /// Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", PETS 2019.
    package static func padme(_ length: Int) -> Int {
        let step = step(length)
        return (length + step - 1) & ~(step - 1)
    }

    /// Returns the number of which Padmé makes a length a multiple.
    private static func step(_ length: Int) -> Int {
        guard length > 1 else { return 1 }
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        return 1 << max(0, exponent - kept)
    }

    /// Returns the total length of a stream with this much payload and index: at least Padmé's, and such that the
    /// file's size is a multiple of 4096 and the last segment contains the whole footer.
    ///
    /// Where Padmé's step is at most 4096, the multiple of 4096 hides as much by itself.
    package static func total(payload: Int, index: Int, geometry: SegmentGeometry) -> Int {
        let needed = payload + index + ContainerFormat.footerSize
        var total = step(needed) > ContainerFormat.headerSize ? padme(needed) : needed
        while true {
            let last = total % geometry.plaintext
            let footerFits = last == 0 || last >= ContainerFormat.footerSize
            if footerFits, geometry.fileSize(ofStream: total) % ContainerFormat.headerSize == 0 {
                return total
            }
            total += 1
        }
    }
}
