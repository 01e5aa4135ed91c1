/// The constants of container version 1, as SECURITY.md describes it.
public enum ContainerFormat: Sendable {
    static let magic: [UInt8] = [0x89, 0x48, 0x56, 0x4c, 0x54, 0x0d, 0x0a, 0x1a]
    static let version: UInt8 = 1
    static let suite: UInt8 = 1

    static let headerSize = 4096
    static let preambleSize = 64
    static let slotCount = 8
    static let slotSize = 128

    static let chunkSize = 16384
    static let tagSize = 16
    static let saltSize = 24
    static let commitmentSize = 32
    static let segmentPrefix = saltSize + commitmentSize
    static let footerSize = 64

    /// Chunks in a segment of new archives: 1 MiB of plaintext.
    public static let defaultSegmentChunks = 64
    static let segmentChunks = 1...65536

    /// Iterations that a reader accepts.
    public static let readableIterations = 100_000...10_000_000
    /// Iterations that a writer accepts.
    public static let writableIterations = 600_000...10_000_000
    /// Iterations of new archives: 4.5 times what OWASP asks of PBKDF2-HMAC-SHA-512.
    public static let defaultIterations = 1_000_000
    /// The most that a writer puts into one header, over all slots.
    static let writableBudget = 10_000_000
    /// The most that a reader derives over all slots of both headers.
    public static let iterationBudget = 20_000_000

    /// The largest entry that a reader takes: each is held in memory as a whole.
    public static let largestEntry = 1 << 26

    /// The largest content of a bundle, and of a frame of the index.
    static let largestBundle = 1 << 20

    /// A bundle is not much longer than what is in it.
    static let largestBundleFrame = largestBundle + 1 << 14

    /// The most properties that an entry may have in the index.
    static let mostProperties = 16

    /// The largest text of an index that a reader takes.
    static let largestIndex = 1 << 28
    /// How many bytes of text there may be for a byte of the frames of an index, beyond what any may have.
    static let indexExpansion = 100
    /// What any text of an index may have.
    static let smallIndex = 1 << 16
}

/// Sizes that follow from the number of chunks in a segment.
package struct SegmentGeometry: Sendable, Equatable {
    let chunks: Int

    package init(chunks: Int) { self.chunks = chunks }

    /// Plaintext bytes of every segment but the last.
    var plaintext: Int { chunks * ContainerFormat.chunkSize }
    /// File bytes of every segment but the last.
    var full: Int { fileSize(ofPlaintext: plaintext) }

    /// File bytes of a segment: the last chunk is always shorter than 16 KiB, if need be empty.
    func fileSize(ofPlaintext count: Int) -> Int {
        ContainerFormat.segmentPrefix + count + (count / ContainerFormat.chunkSize + 1)
            * ContainerFormat.tagSize
    }

    /// Plaintext bytes of a segment with so many file bytes, nil where no segment has that size.
    func plaintextSize(ofFile count: Int) -> Int? {
        let body = count - ContainerFormat.segmentPrefix
        guard body >= ContainerFormat.tagSize, count <= full else { return nil }
        let sealed = ContainerFormat.chunkSize + ContainerFormat.tagSize
        let (whole, rest) = body.quotientAndRemainder(dividingBy: sealed)
        guard rest >= ContainerFormat.tagSize else { return nil }
        return whole * ContainerFormat.chunkSize + rest - ContainerFormat.tagSize
    }

    /// Where segment `index` starts in the file.
    func offset(ofSegment index: Int) -> Int { ContainerFormat.headerSize + index * full }

    /// Size of a finished file whose plaintext stream has `total` bytes, both headers included.
    func fileSize(ofStream total: Int) -> Int {
        let segments = max(1, (total + plaintext - 1) / plaintext)
        let last = total - (segments - 1) * plaintext
        return 2 * ContainerFormat.headerSize + (segments - 1) * full + fileSize(ofPlaintext: last)
    }
}
