import Synchronization
public import SystemIO

/// The constants of container version 1, as SECURITY.md describes it.
public enum ContainerFormat: Sendable {
    static let magic: [UInt8] = [0x89, 0x48, 0x56, 0x4c, 0x54, 0x0d, 0x0a, 0x1a]
    static let version: UInt8 = 1
    static let suite: UInt8 = 1

    static let headerSize = 4096
    static let preambleSize = 64
    static let slotCount = 8
    static let slotSize = 128
    static let slots = 128..<1152
    static let labels = 1152..<2204
    /// The part of a header that its authentication code covers.
    static let authenticatedHeader = 0..<4000
    /// The SHA-256 of everything else in a header, which tells a torn or rotten one from a forgery without a key.
    static let headerDigest = 4000..<4032

    static let chunkSize = 16384
    static let tagSize = 16
    static let saltSize = 24
    static let commitmentSize = 32
    static let segmentPrefix = saltSize + commitmentSize
    static let footerSize = 64

    /// Chunks in a segment of a new container: 1 MiB of plaintext.
    public static let defaultSegmentChunks = 64
    static let segmentChunks = 1...65536

    /// Iterations that a reader accepts.
    public static let readableIterations = 100_000...10_000_000
    /// Iterations that a writer accepts.
    public static var writableIterations: ClosedRange<Int> {
        fewestWritableIterations.load(ordering: .relaxed)...10_000_000
    }
    private static let fewestWritableIterations = Atomic(600_000)

    /// Makes writers accept as few iterations as readers do, in the whole process and for good.
    ///
    /// Only the main of the tests calls this, because most of the time of short commands goes into deriving keys. No
    /// option and no variable leads here.
    package static func acceptFewestIterations() {
        fewestWritableIterations.store(readableIterations.lowerBound, ordering: .relaxed)
    }

    /// Iterations of a new container's slot: 4.5 times what OWASP asks of PBKDF2-HMAC-SHA-512.
    public static let defaultIterations = 1_000_000
    /// The most iterations, over all slots, that a writer puts into one header.
    static let writableBudget = 10_000_000
    /// The most iterations, over all slots of both headers, that a reader spends.
    public static let iterationBudget = 20_000_000

    /// The largest entry that a reader accepts: each is read into memory as a whole.
    public static let largestEntry = 1 << 26

    /// The largest content of a bundle, and of a frame of the index.
    static let largestBundle = 1 << 20

    /// The largest frame of a bundle, which is not much longer than its content.
    static let largestBundleFrame = largestBundle + 1 << 14

    /// The most properties that an entry may have in the index.
    static let mostProperties = 16

    /// The longest text of an index that a reader accepts.
    static let largestIndex = 1 << 28
    /// Bytes of index text allowed for each byte of its frames, in addition to `smallIndex`.
    static let indexExpansion = 100
    /// Bytes of index text that are always allowed.
    static let smallIndex = 1 << 16

    /// The suffix of an unfinished container's name.
    public static let temporarySuffix: BytePath = ".part"
}

/// Sizes that follow from the number of chunks in a segment.
package struct SegmentGeometry: Sendable, Equatable {
    let chunks: Int

    package init(chunks: Int) { self.chunks = chunks }

    /// Plaintext bytes of every segment but the last.
    var plaintext: Int { chunks * ContainerFormat.chunkSize }
    /// File bytes of every segment but the last.
    var full: Int { fileSize(ofPlaintext: plaintext) }

    /// Returns the file bytes of a segment: the last chunk is always shorter than 16 KiB, and may be empty.
    func fileSize(ofPlaintext count: Int) -> Int {
        ContainerFormat.segmentPrefix + count + (count / ContainerFormat.chunkSize + 1)
            * ContainerFormat.tagSize
    }

    /// Returns the plaintext bytes of a segment with `count` file bytes, nil if no segment has that size.
    func plaintextSize(ofFile count: Int) -> Int? {
        let body = count - ContainerFormat.segmentPrefix
        guard body >= ContainerFormat.tagSize, count <= full else { return nil }
        let sealed = ContainerFormat.chunkSize + ContainerFormat.tagSize
        let (whole, rest) = body.quotientAndRemainder(dividingBy: sealed)
        guard rest >= ContainerFormat.tagSize else { return nil }
        return whole * ContainerFormat.chunkSize + rest - ContainerFormat.tagSize
    }

    /// Returns where segment `index` starts in the file.
    func offset(ofSegment index: Int) -> Int { ContainerFormat.headerSize + index * full }

    /// Returns the size of a finished file whose plaintext stream has `total` bytes, including both headers.
    func fileSize(ofStream total: Int) -> Int {
        let segments = max(1, (total + plaintext - 1) / plaintext)
        let last = total - (segments - 1) * plaintext
        return 2 * ContainerFormat.headerSize + (segments - 1) * full + fileSize(ofPlaintext: last)
    }
}

/// Unsigned integers, the most significant byte first.
extension [UInt8] {
    mutating func appendInteger(_ value: UInt64, bytes: Int = 8) {
        for index in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    func integer(at offset: Int, bytes count: Int = 8) -> UInt64 {
        self[offset..<(offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
