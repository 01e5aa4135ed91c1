import SystemIO

/// The plaintext stream of a damaged container, with zeroes for lost bytes.
struct SalvagedStream {
    private var segments: SalvagedSegments
    private let chunksInSegment: Int
    /// The chunk read last.
    private var recent: (number: Int, bytes: [UInt8]?)?
    /// The chunks of the stream read so far that did not authenticate.
    private(set) var lostChunks: Set<Int> = []
    /// Length of the stream in bytes, or its largest possible length.
    let length: Int

    init(_ segments: consuming SalvagedSegments, _ file: VolumeFile) throws(ContainerError) {
        chunksInSegment = segments.key.geometry.chunks
        let last = segments.count - 1
        length =
            last < 0
            ? 0
            : last * segments.key.geometry.plaintext + (try segments.plaintextSize(ofSegment: last, file))
        self.segments = segments
    }

    /// Returns the segment of a chunk of the stream, and its number in that segment.
    func place(ofChunk number: Int) -> (segment: Int, chunk: Int) {
        (number / chunksInSegment, number % chunksInSegment)
    }

    /// Returns the bytes in a range, and the parts of it that are lost, counted from its start.
    mutating func read(
        _ range: Range<Int>, _ file: VolumeFile
    ) throws(ContainerError) -> (bytes: [UInt8], lost: [Range<Int>]) {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var lost: [Range<Int>] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let number = position / ContainerFormat.chunkSize
            let start = number * ContainerFormat.chunkSize
            let end = min(start + ContainerFormat.chunkSize, range.upperBound)
            let chunk = try chunk(number, file)
            // Bytes after the end of the last chunk never existed, or are lost with the end of the file.
            let known = min(end, start + (chunk?.count ?? 0))
            if let chunk, position < known {
                bytes.replaceSubrange(
                    (position - range.lowerBound)..<(known - range.lowerBound),
                    with: chunk[(position - start)..<(known - start)])
            }
            let hole = max(position, known)..<end
            if !hole.isEmpty { Self.appendHole(hole, from: range.lowerBound, in: &lost) }
            position = end
        }
        return (bytes, lost)
    }

    private static func appendHole(_ hole: Range<Int>, from start: Int, in lost: inout [Range<Int>]) {
        let hole = (hole.lowerBound - start)..<(hole.upperBound - start)
        if let last = lost.last, last.upperBound == hole.lowerBound {
            lost[lost.count - 1] = last.lowerBound..<hole.upperBound
        } else {
            lost.append(hole)
        }
    }

    private mutating func chunk(
        _ number: Int, _ file: VolumeFile
    ) throws(ContainerError) -> [UInt8]? {
        if let recent, recent.number == number { return recent.bytes }
        let (segment, chunk) = place(ofChunk: number)
        let bytes = try segments.chunk(chunk, ofSegment: segment, file)
        if bytes == nil { lostChunks.insert(number) }
        recent = (number, bytes)
        return bytes
    }
}
