import SystemIO
import VaultCrypto

/// The input to a segment's keys besides the file's key: the container, the segment's place, whether it is the last,
/// and the segment before it.
struct SegmentContext: Sendable {
    let preamble: [UInt8]
    let index: Int
    let isFinal: Bool
    let previousSalt: [UInt8]

    static let noSalt = [UInt8](repeating: 0, count: ContainerFormat.saltSize)

    var bytes: [UInt8] {
        var bytes = preamble
        bytes.appendInteger(UInt64(index))
        bytes.append(isFinal ? 1 : 0)
        return bytes + previousSalt
    }
}

/// A segment whose keys are known, ready to decrypt its chunks.
struct SegmentOpener: ~Copyable, Sendable {
    let index: Int
    /// Plaintext bytes in the segment.
    let plaintextSize: Int
    private let offset: Int
    private var encryption: ChunkedEncryption

    /// Derives the segment's keys and compares its commitment, unless `comparingCommitment` is false.
    ///
    /// - Parameters:
    ///   - fileSize: Bytes of the segment in the file.
    ///   - knownSalt: Its salt, if the one in the file may be damaged.
    /// - Returns: nil if the commitment does not match, or no segment has that size.
    init?(
        key: ContainerKey, file: VolumeFile, context: SegmentContext, fileSize: Int,
        knownSalt: [UInt8]? = nil, comparingCommitment: Bool = true
    ) throws(ContainerError) {
        let geometry = key.geometry
        let start = geometry.offset(ofSegment: context.index)
        guard let size = geometry.plaintextSize(ofFile: fileSize) else { return nil }
        var prefix: [UInt8] = []
        if knownSalt == nil || comparingCommitment {
            prefix = try reading { () throws(SystemError) in
                try file.bytes(at: start, count: ContainerFormat.segmentPrefix)
            }
            guard prefix.count == ContainerFormat.segmentPrefix else { throw ContainerError(.truncated) }
        }
        let salt = knownSalt ?? [UInt8](prefix[..<ContainerFormat.saltSize])
        let encryption = try crypto { () throws(CryptoError) in
            try ChunkedEncryption(inputKey: key.segmentKey, salt: salt, context: context.bytes)
        }
        if comparingCommitment {
            let commitment = encryption.commitment
            let stored = prefix.span.extracting(ContainerFormat.saltSize...)
            guard constantTimeEqual(commitment.span, stored) else { return nil }
        }
        index = context.index
        offset = start
        plaintextSize = size
        self.encryption = encryption
    }

    var chunkCount: Int { ChunkedEncryption.chunkCount(of: plaintextSize) }

    /// Plaintext range of a chunk within the segment.
    private func range(ofChunk chunk: Int) -> Range<Int> {
        let start = chunk * ContainerFormat.chunkSize
        return start..<min(start + ContainerFormat.chunkSize, plaintextSize)
    }

    /// Reads as much of a range of the stream as the segment contains, authenticated chunk by chunk.
    ///
    /// - Parameters:
    ///   - range: The range; it begins in this segment.
    ///   - start: The offset of the segment in the stream.
    /// - Returns: Where the part that was read ends in the stream.
    mutating func open(
        _ range: Range<Int>, from start: Int, of file: VolumeFile, into output: inout [UInt8]
    ) throws(ContainerError) -> Int {
        let stop = min(range.upperBound, start + plaintextSize)
        guard range.lowerBound < stop else { throw ContainerError(.badFooter) }
        let isWhole = stop == start + plaintextSize
        // The end of a segment is authentic only with its last chunk, which may be empty.
        let end = isWhole ? chunkCount : (stop - start - 1) / ContainerFormat.chunkSize + 1
        let chunks = (range.lowerBound - start) / ContainerFormat.chunkSize..<end
        let skip = range.lowerBound - start - chunks.lowerBound * ContainerFormat.chunkSize
        if skip == 0, isWhole || (stop - start) % ContainerFormat.chunkSize == 0 {
            try open(chunks: chunks, of: file, into: &output)
        } else {
            var plaintext: [UInt8] = []
            plaintext.reserveCapacity(chunks.count * ContainerFormat.chunkSize)
            try open(chunks: chunks, of: file, into: &plaintext)
            output.append(contentsOf: plaintext[skip..<(skip + stop - range.lowerBound)])
        }
        return stop
    }

    /// The number of chunks that are read at a time: few, so that the memory for them is used again and again.
    private static let chunksAtOnce = 8

    /// Authenticates all chunks, the empty last one included.
    ///
    /// - Parameter plaintext: Memory for the plaintext of a few chunks.
    /// - Throws: `chunkDamaged` with the first chunk whose tag is wrong.
    mutating func authenticate(
        _ file: VolumeFile, using plaintext: inout [UInt8]
    ) throws(ContainerError) {
        for piece in Self.pieces(of: 0..<chunkCount) {
            plaintext.removeAll(keepingCapacity: true)
            try open(chunks: piece, of: file, into: &plaintext)
        }
    }

    private static func pieces(of chunks: Range<Int>) -> some Sequence<Range<Int>> {
        stride(from: chunks.lowerBound, to: chunks.upperBound, by: chunksAtOnce).lazy.map {
            $0..<min($0 + chunksAtOnce, chunks.upperBound)
        }
    }

    /// Reads, authenticates and decrypts chunks, and appends their plaintext.
    ///
    /// - Throws: `chunkDamaged` with the first chunk whose tag is wrong; the plaintext appended before it is
    ///   authentic.
    mutating func open(
        chunks: Range<Int>, of file: VolumeFile, into output: inout [UInt8]
    ) throws(ContainerError) {
        // Arrays without allocated memory share a buffer, and appending nothing would write to it.
        if output.capacity == 0 { output.reserveCapacity(ContainerFormat.chunkSize) }
        for piece in Self.pieces(of: chunks) { try open(piece: piece, of: file, into: &output) }
    }

    private mutating func open(
        piece chunks: Range<Int>, of file: VolumeFile, into output: inout [UInt8]
    ) throws(ContainerError) {
        guard let last = chunks.last else { return }
        let sealedChunk = ContainerFormat.chunkSize + ContainerFormat.tagSize
        let start = offset + ContainerFormat.segmentPrefix + chunks.lowerBound * sealedChunk
        let count = (chunks.count - 1) * sealedChunk + range(ofChunk: last).count + ContainerFormat.tagSize
        let sealed = try reading { () throws(SystemError) in try file.bytes(at: start, count: count) }
        for chunk in chunks {
            let size = range(ofChunk: chunk).count
            let place = (chunk - chunks.lowerBound) * sealedChunk
            guard place + size + ContainerFormat.tagSize <= sealed.count else {
                throw ContainerError(.chunkDamaged(segment: index, chunk: chunk))
            }
            let span = sealed.span.extracting(place..<(place + size + ContainerFormat.tagSize))
            do {
                try output.append(addingCapacity: size) {
                    (target: inout OutputSpan<UInt8>) throws(CryptoError) in
                    try encryption.open(span, chunk: chunk, into: &target)
                }
            } catch {
                guard error.code == .authenticationFailed else { throw ContainerError(.cryptoFailed) }
                throw ContainerError(.chunkDamaged(segment: index, chunk: chunk))
            }
        }
    }
}
