import SystemIO
import VaultCrypto

/// The segments of an unfinished container, none of which is the last one.
struct UnfinishedSegments {
    let reader: SegmentReader

    init(_ reader: SegmentReader) { self.reader = reader }

    /// Returns the number of whole segments at the start, all of whose chunks authenticate.
    ///
    /// A drive that loses power may have written unflushed data in any order, leaving holes.
    ///
    /// - Throws: `segmentDamaged` if a whole segment follows so much later that the next one must have been flushed
    ///   before it: that is damage, not an interruption.
    func wholeCount(_ file: VolumeFile) throws(ContainerError) -> Int {
        var index = 0
        while isInFile(index), try plaintext(ofSegment: index, file) != nil { index += 1 }
        var later = index + 2 + SegmentWriter.syncBytes / reader.key.geometry.full
        while isInFile(later) {
            guard try !reader.commitmentMatches(segment: later, try context(later, file), file) else {
                throw ContainerError(.segmentDamaged(segment: index))
            }
            later += 1
        }
        return index
    }

    /// Returns the plaintext of a segment, nil if it does not authenticate.
    func plaintext(
        ofSegment index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> [UInt8]? {
        guard
            var opener = try SegmentOpener(
                key: reader.key, file: file, context: try context(index, file),
                fileSize: reader.key.geometry.full)
        else { return nil }
        var plaintext: [UInt8] = []
        do { try opener.open(chunks: 0..<opener.chunkCount, of: file, into: &plaintext) } catch {
            if case .chunkDamaged = error.code { return nil }
            throw error
        }
        return plaintext
    }

    private func isInFile(_ index: Int) -> Bool {
        reader.key.geometry.offset(ofSegment: index) + reader.key.geometry.full <= reader.end
    }

    private func context(
        _ index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> SegmentContext {
        SegmentContext(
            preamble: reader.key.preamble, index: index, isFinal: false,
            previousSalt: try reader.salt(ofSegment: index - 1, file))
    }
}

/// Reads the plaintext stream of an unfinished container, segment by segment.
struct SegmentStream {
    private let segments: UnfinishedSegments
    private var recent: (index: Int, plaintext: [UInt8])?

    init(_ segments: UnfinishedSegments) { self.segments = segments }

    mutating func read(
        _ range: Range<Int>, _ file: VolumeFile, into output: inout [UInt8]
    ) throws(ContainerError) {
        let size = segments.reader.key.geometry.plaintext
        var position = range.lowerBound
        while position < range.upperBound {
            let index = position / size
            if recent?.index != index {
                guard let plaintext = try segments.plaintext(ofSegment: index, file) else {
                    throw ContainerError(.segmentDamaged(segment: index))
                }
                recent = (index, plaintext)
            }
            let end = min(range.upperBound, (index + 1) * size)
            if let plaintext = recent?.plaintext {
                output += plaintext[(position - index * size)..<(end - index * size)]
            }
            position = end
        }
    }

    mutating func digest(
        _ range: Range<Int>, _ file: VolumeFile
    ) throws(ContainerError) -> [UInt8] {
        var hash = try crypto { () throws(CryptoError) in try SHA256() }
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(position + (1 << 20), range.upperBound)
            var piece: [UInt8] = []
            try read(position..<end, file, into: &piece)
            hash.update(piece.span)
            position = end
        }
        return hash.finish()
    }
}
