import SystemIO
import VaultCrypto

/// Finds where the segments of a container end, although its last bytes may be missing, damaged or foreign.
struct ContainerEnd: Sendable {
    private let size: Int
    private let hasSpareHeader: Bool

    init(size: Int, hasSpareHeader: Bool) {
        self.size = size
        self.hasSpareHeader = hasSpareHeader
    }

    private var candidates: [Int] {
        let block = ContainerFormat.headerSize
        return [size - block, size, (size - 1) / block * block].filter { $0 > block }
    }

    /// The segments under `key`, if the last one opens at one of the places where it can end.
    func locate(_ key: VaultKey, _ file: borrowing FileDescriptor) throws(ContainerError) -> SegmentReader? {
        for end in candidates {
            let reader = SegmentReader(key: key, end: end, salts: [])
            guard reader.streamLength != nil else { continue }
            let context = try reader.context(ofSegment: reader.count - 1, file)
            let size = reader.fileSize(ofSegment: reader.count - 1)
            guard var opener = try SegmentOpener(key: key, file: file, context: context, fileSize: size)
            else {
                continue
            }
            var last: [UInt8] = []
            let chunk = opener.chunkCount - 1
            do { try opener.open(chunks: chunk..<(chunk + 1), of: file, into: &last) } catch {
                if case .chunkDamaged = error.code { continue }
                throw error
            }
            return reader
        }
        return nil
    }

    /// Why no last segment was found.
    func diagnose(_ key: VaultKey, _ file: borrowing FileDescriptor) throws(ContainerError) -> ContainerError
    {
        guard hasSpareHeader else {
            return size <= 2 * ContainerFormat.headerSize
                ? ContainerError(.incomplete) : try unfinished(key, file)
        }
        let reader = SegmentReader(key: key, end: size - ContainerFormat.headerSize, salts: [])
        let index = reader.count - 1
        guard reader.streamLength != nil else { return ContainerError(.truncated) }
        let fileSize = reader.fileSize(ofSegment: index)
        let context = try reader.context(ofSegment: index, file)
        if try SegmentOpener(key: key, file: file, context: context, fileSize: fileSize) != nil {
            return ContainerError(.chunkDamaged(segment: index, chunk: try damagedChunk(reader, index, file)))
        }
        if let found = try place(ofSegment: index, reader, file) {
            // A segment that was never the last one shows that the last ones are gone.
            return found.isFinal
                ? ContainerError(.segmentMisplaced(segment: index, found: found.index))
                : ContainerError(.truncated)
        }
        return ContainerError(.segmentDamaged(segment: index))
    }

    private func unfinished(_ key: VaultKey, _ file: borrowing FileDescriptor) throws(ContainerError)
        -> ContainerError
    {
        // Bytes behind a trailer put the end somewhere else than where it is looked for.
        let block = ContainerFormat.headerSize
        let end = (size - 1) / block * block - block
        let reader = SegmentReader(key: key, end: end, salts: [])
        if end > block, reader.streamLength != nil {
            let context = try reader.context(ofSegment: reader.count - 1, file)
            let length = reader.fileSize(ofSegment: reader.count - 1)
            if try SegmentOpener(key: key, file: file, context: context, fileSize: length) != nil {
                return ContainerError(.trailingData)
            }
        }
        return ContainerError(.incomplete)
    }

    private func damagedChunk(
        _ reader: SegmentReader, _ index: Int, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> Int {
        var opener = try reader.open(segment: index, file)
        var plaintext: [UInt8] = []
        do { try opener.open(chunks: 0..<opener.chunkCount, of: file, into: &plaintext) } catch {
            if case .chunkDamaged(_, let chunk) = error.code { return chunk }
            throw error
        }
        return opener.chunkCount - 1
    }

    /// The place and kind of segment that the one at `index` was sealed as.
    private func place(
        ofSegment index: Int, _ reader: SegmentReader, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> (index: Int, isFinal: Bool)? {
        var salts = [SegmentContext.noSalt]
        for other in 0..<min(reader.count, 64) { salts.append(try reader.salt(ofSegment: other, file)) }
        salts.append(try reader.salt(ofSegment: index - 1, file))
        for place in 0..<min(reader.count + 64, 1024) {
            for salt in Set(salts) {
                for isFinal in [true, false] {
                    let context = SegmentContext(
                        preamble: reader.key.preamble, index: place, isFinal: isFinal, previousSalt: salt)
                    if try reader.commitmentMatches(segment: index, context, file) { return (place, isFinal) }
                }
            }
        }
        return nil
    }
}

extension SegmentReader {
    /// The commitment stored at a place is the one that `context` gives.
    func commitmentMatches(
        segment index: Int, _ context: SegmentContext, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> Bool {
        let prefix = try reading { () throws(SystemError) in
            try file.bytes(at: key.geometry.offset(ofSegment: index), count: ContainerFormat.segmentPrefix)
        }
        guard prefix.count == ContainerFormat.segmentPrefix else { return false }
        let salt = [UInt8](prefix[..<ContainerFormat.saltSize])
        let encryption = try crypto { () throws(CryptoError) in
            try ChunkedEncryption(inputKey: key.segmentKey, salt: salt, context: context.bytes)
        }
        return constantTimeEqual(
            encryption.commitment.span, prefix.span.extracting(ContainerFormat.saltSize...))
    }
}
