import SystemIO
import VaultCrypto

/// Finds where the segments of a container end, even if its last bytes are missing, damaged or foreign.
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

    /// Returns the segments under `key` if the last one opens at one of the places where it can end.
    func locate(_ key: ContainerKey, _ file: VolumeFile) throws(ContainerError) -> SegmentReader? {
        for end in candidates {
            if let reader = try locate(key, file, end: end) { return reader }
        }
        return nil
    }

    /// Returns the segments under `key` if they end at `end`.
    private func locate(
        _ key: ContainerKey, _ file: VolumeFile, end: Int
    ) throws(ContainerError) -> SegmentReader? {
        let reader = SegmentReader(key: key, end: end, salts: [])
        guard let length = reader.streamLength,
            length - (reader.count - 1) * key.geometry.plaintext >= ContainerFormat.footerSize
        else { return nil }
        let context = try reader.context(ofSegment: reader.count - 1, file)
        let size = reader.fileSize(ofSegment: reader.count - 1)
        guard var opener = try SegmentOpener(key: key, file: file, context: context, fileSize: size) else {
            return nil
        }
        var last: [UInt8] = []
        let chunk = opener.chunkCount - 1
        do { try opener.open(chunks: chunk..<(chunk + 1), of: file, into: &last) } catch {
            if case .chunkDamaged = error.code { return nil }
            throw error
        }
        return reader
    }

    /// Returns why no last segment was found.
    func diagnose(_ key: ContainerKey, _ file: VolumeFile) throws(ContainerError) -> ContainerError {
        // Two headers with nothing between them are no archive either.
        guard hasSpareHeader, size > 2 * ContainerFormat.headerSize else {
            return try unfinished(key, file)
        }
        let reader = SegmentReader(key: key, end: size - ContainerFormat.headerSize, salts: [])
        let diagnosis = SegmentDiagnosis(reader)
        let last = reader.count - 1
        if let stranger = try diagnosis.firstForeignSegment(in: 0...last, file),
            stranger < last || reader.streamLength != nil
        {
            return try diagnosis.explain(stranger, file)
        }
        guard reader.streamLength != nil else { return ContainerError(.truncated) }
        return ContainerError(.chunkDamaged(segment: last, chunk: try damagedChunk(reader, last, file)))
    }

    /// Returns why there is no header at the end: the container was never finished, its last bytes are missing, or
    /// other bytes follow.
    private func unfinished(_ key: ContainerKey, _ file: VolumeFile) throws(ContainerError)
        -> ContainerError
    {
        let block = ContainerFormat.headerSize
        guard size > 2 * block else { return ContainerError(.incomplete) }
        let reader = SegmentReader(key: key, end: size, salts: [])
        let last = reader.count - 1
        let index = try SegmentDiagnosis(reader).firstForeignSegment(in: 0...last, file) ?? last
        let context = SegmentContext(
            preamble: key.preamble, index: index, isFinal: true,
            previousSalt: try reader.salt(ofSegment: index - 1, file))
        guard try reader.commitmentMatches(segment: index, context, file) else {
            return ContainerError(.incomplete)
        }
        if index < last { return ContainerError(.trailingData) }
        let start = key.geometry.offset(ofSegment: index) / block + 1
        for end in stride(from: size / block, through: start, by: -1).prefix(1024)
        where try locate(key, file, end: end * block) != nil { return ContainerError(.trailingData) }
        return ContainerError(.truncated)
    }

    private func damagedChunk(
        _ reader: SegmentReader, _ index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> Int {
        var opener = try reader.open(segment: index, file)
        var plaintext: [UInt8] = []
        do { try opener.authenticate(file, using: &plaintext) } catch {
            if case .chunkDamaged(_, let chunk) = error.code { return chunk }
            throw error
        }
        return opener.chunkCount - 1
    }
}
