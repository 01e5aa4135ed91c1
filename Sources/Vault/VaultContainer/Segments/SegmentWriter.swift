import ByteText
import SystemIO
import VaultCrypto

/// Seals the plaintext stream segment by segment into a file, and syncs the file regularly.
struct SegmentWriter: ~Copyable, Sendable {
    let key: ContainerKey
    let file: VolumeFile
    /// The salts drawn so far: those of the sealed segments, and those of later ones if the index lists them already.
    private(set) var salts: [[UInt8]] = []
    private var sealed = 0
    /// Whether the next segment replaces one that an earlier run wrote.
    private var replacesNext = false
    /// Plaintext bytes appended so far.
    private(set) var count = 0

    private var plaintext: [UInt8] = []
    private var unsynced = 0
    private var lastSync = SystemClock.uptime()

    /// The most bytes that are lost if the machine loses power.
    static let syncBytes = 64 << 20
    private static let syncSeconds = 5.0
    /// The number of chunks that are encrypted before they are written: few, so that they take little memory.
    private static let chunksAtOnce = 4

    init(key: ContainerKey, file: VolumeFile) {
        self.key = key
        self.file = file
        plaintext.reserveCapacity(key.geometry.plaintext)
    }

    /// Continues after segments that are kept.
    ///
    /// The next segment, whose beginning is kept, stays in the file until it is replaced, so that a run that is
    /// stopped at once leaves as much as it found. The file is truncated after that segment and synced. Each segment
    /// written from now on has a fresh salt, so that none is sealed twice under the same key and nonce.
    ///
    /// - Parameters:
    ///   - salts: The salts of the kept segments.
    ///   - tail: The beginning of the next segment; empty if none of it is kept.
    init(
        key: ContainerKey, file: VolumeFile, salts: [[UInt8]], tail: [UInt8]
    ) throws(ContainerError) {
        self.init(key: key, file: file)
        self.salts = salts
        sealed = salts.count
        plaintext += tail
        count = sealed * key.geometry.plaintext + tail.count
        replacesNext = !tail.isEmpty
        let end = key.geometry.offset(ofSegment: replacesNext ? sealed + 1 : sealed)
        try reading { () throws(SystemError) in
            try self.file.truncate(to: end)
            try self.file.sync()
        }
    }

    /// Whether there are segments in the file.
    var hasSegments: Bool { sealed > 0 }

    /// Appends bytes to the stream.
    ///
    /// A full segment is sealed only when more bytes follow it, because the last one is sealed differently.
    mutating func append(_ bytes: Span<UInt8>) throws(ContainerError) {
        var done = 0
        while done < bytes.count {
            if plaintext.count == key.geometry.plaintext { try seal(isFinal: false) }
            let part = min(bytes.count - done, key.geometry.plaintext - plaintext.count)
            plaintext.append(copying: bytes.extracting(done..<(done + part)))
            done += part
        }
        count += bytes.count
    }

    /// Draws the salts of the segments up to `index`, because the container's index lists them before they are
    /// used.
    mutating func drawSalts(through index: Int) throws(ContainerError) {
        while salts.count <= index {
            salts.append(try crypto { () throws(CryptoError) in try Random.bytes(ContainerFormat.saltSize) })
        }
    }

    /// Seals the last segment.
    mutating func finish() throws(ContainerError) { try seal(isFinal: true) }

    private mutating func seal(isFinal: Bool) throws(ContainerError) {
        let index = sealed
        try drawSalts(through: index)
        let context = SegmentContext(
            preamble: key.preamble, index: index, isFinal: isFinal,
            previousSalt: index > 0 ? salts[index - 1] : SegmentContext.noSalt)
        let start = key.geometry.offset(ofSegment: index)
        let end = try write(under: context, salt: salts[index], at: start)
        // The last segment may be shorter than the one that it replaces.
        if replacesNext, isFinal {
            try reading { () throws(SystemError) in try file.truncate(to: end) }
        }
        DebugLog.log("sealed segment \(index), \(end - start) bytes")
        replacesNext = false
        sealed += 1
        plaintext.removeAll(keepingCapacity: true)
        unsynced += end - start
        if unsynced >= Self.syncBytes || SystemClock.uptime() - lastSync > Self.syncSeconds { try sync() }
    }

    /// Encrypts the plaintext as a segment, and writes it a few chunks at a time.
    ///
    /// - Returns: The offset of its end in the file.
    private func write(
        under context: SegmentContext, salt: [UInt8], at start: Int
    ) throws(ContainerError) -> Int {
        var encryption = try crypto { () throws(CryptoError) in
            try ChunkedEncryption(inputKey: key.segmentKey, salt: salt, context: context.bytes)
        }
        let count = ChunkedEncryption.chunkCount(of: plaintext.count)
        // What takes the place of another segment is written at once, so that hardly any moment has neither.
        let atOnce = replacesNext ? count : Self.chunksAtOnce
        var piece = salt + encryption.commitment
        var end = start
        // The last chunk, which is mostly empty, is written with those before it.
        for first in stride(from: 0, to: max(1, count - 1), by: atOnce) {
            let chunks = first..<(count - first <= atOnce + 1 ? count : first + atOnce)
            do throws(CryptoError) {
                try encryption.seal(chunks: chunks, of: plaintext.span, into: &piece)
            } catch { throw ContainerError(.cryptoFailed) }
            try reading { () throws(SystemError) in try file.write(piece.span, at: end) }
            end += piece.count
            piece.removeAll(keepingCapacity: true)
        }
        return end
    }

    /// Flushes everything sealed so far to the device.
    mutating func sync() throws(ContainerError) {
        try reading { () throws(SystemError) in try file.sync() }
        unsynced = 0
        lastSync = SystemClock.uptime()
    }
}
