import ByteText
import CZstd

/// How hard a compressor tries, depending on the kind of content.
public enum CompressionEffort: Sendable {
    /// Columns, each in its own blocks: short tables and a window of 128 KiB suffice.
    case columns
    /// So many columns that the time matters: a table that takes a kibibyte finds what repeats in them, in six tenths of the
    /// time, and for five percent more.
    case manyColumns
    /// Text that is read back soon, and only needs to be shorter: half as fast again as level 1, and half as large again.
    case passing
    /// Text and tracks, at level 1: level 3 is larger and slower on text like Apple's.
    case text
    /// Small, repetitive content, at level 6, which takes four times as long.
    case little
    /// Content so small that the time does not matter, at level 18, which takes a hundred times as long.
    case least
    /// Tracks and electrocardiograms so few that the time does not matter, likewise;
    /// of numbers, fewer than six bytes repeat only by chance.
    case leastTracks

    /// The parameters that every effort sets, replacing earlier values; 0 selects the level's default.
    private static let names = [
        ZSTD_c_compressionLevel, ZSTD_c_hashLog, ZSTD_c_chainLog, ZSTD_c_minMatch, ZSTD_c_windowLog,
    ]

    /// The values of these parameters.
    ///
    /// Tables of level 6's default size would take 6 MiB for each processor, and gain nothing for so little
    /// content.
    fileprivate var parameters: Zip2Sequence<[ZSTD_cParameter], [Int32]> {
        switch self {
        case .columns: zip(Self.names, [1, 13, 0, 6, 17])
        case .manyColumns: zip(Self.names, [1, 8, 0, 7, 17])
        case .passing: zip(Self.names, [-3, 0, 0, 0, 0])
        case .text: zip(Self.names, [1, 0, 0, 0, 0])
        case .little: zip(Self.names, [6, 15, 16, 0, 0])
        case .least: zip(Self.names, [18, 0, 0, 0, 0])
        case .leastTracks: zip(Self.names, [18, 0, 0, 6, 0])
        }
    }
}

/// Compresses data to Zstandard frames (RFC 8878).
@safe public struct ZstandardCompressor: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer
    /// Buffer for frames; the part that no frame reaches is only reserved address space, and costs nothing.
    private var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Smallest buffer in bytes: so large that it is memory of its own, and leaves no hole in the heap.
    private static let leastRoom = 2 << 20
    /// Largest buffer in bytes that is kept between frames.
    private static let keptRoom = 3 << 20
    /// Shortest block in bytes: a shorter column shares one with the next, because each block has its own tables.
    private static let leastBlock = 2_000
    /// The most bytes that ending a block early adds to the bound for a frame.
    private static let blockCost = 32

    /// The library's version, for the record: another version may produce different bytes.
    public static var libraryVersion: String { unsafe String(cString: ZSTD_versionString()) }

    /// Creates a compressor that can be used repeatedly.
    public init() throws(CompressionError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw CompressionError(.outOfMemory) }
        unsafe self.context = context
    }

    deinit {
        unsafe ZSTD_freeCCtx(context)
        unsafe room.deallocate()
    }

    /// Returns one frame that states the length of its content, or two in sequence.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - effort: How hard to try.
    ///   - ends: Where the nature of the content changes, in ascending order: blocks end there, unless they would
    ///     be short.
    ///   - second: Where the content of the second frame begins; nil for one frame.
    /// - Throws: `outOfMemory`.
    public mutating func compress(
        _ data: Span<UInt8>, _ effort: CompressionEffort = .text, endingBlocksAt ends: [Int] = [],
        secondFrameAt second: Int? = nil
    ) throws(CompressionError) -> [UInt8] {
        let place = second ?? data.count
        let (first, rest) = (data.extracting(..<place), data.extracting(place...))
        makeRoom(
            ZSTD_compressBound(first.count) + ZSTD_compressBound(rest.count) + ends.count * Self.blockCost)
        var count = try addFrame(of: first, effort, endingBlocksAt: ends.filter { $0 < place }, at: 0)
        if second != nil {
            let ends = ends.compactMap { $0 > place ? $0 - place : nil }
            count += try addFrame(of: rest, effort, endingBlocksAt: ends, at: count)
        }
        // A copy of the right size: the bound is far larger than what most frames need.
        let frames = unsafe [UInt8](room[0..<count])
        if unsafe room.count > Self.keptRoom { makeRoom(0) }
        return frames
    }

    /// Writes a frame into the buffer, which must have room for it, and returns its length.
    private mutating func addFrame(
        of data: Span<UInt8>, _ effort: CompressionEffort, endingBlocksAt ends: [Int], at place: Int
    ) throws(CompressionError) -> Int {
        unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_only)
        for (parameter, value) in effort.parameters {
            unsafe ZSTD_CCtx_setParameter(context, parameter, value)
        }
        unsafe ZSTD_CCtx_setPledgedSrcSize(context, UInt64(data.count))
        let stops = Self.stops(ends, count: data.count)
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place...])
        let count = unsafe data.withUnsafeBytes { data -> Int? in
            // Content in one piece needs no buffer beside this one.
            if stops.count == 1 {
                let count = unsafe ZSTD_compress2(
                    context, free.baseAddress, free.count, data.baseAddress, data.count)
                return ZSTD_isError(count) == 0 ? count : nil
            }
            var output = unsafe ZSTD_outBuffer(dst: free.baseAddress, size: free.count, pos: 0)
            var input = unsafe ZSTD_inBuffer(src: data.baseAddress, size: 0, pos: 0)
            for stop in stops {
                unsafe input.size = stop
                let isLast = stop == data.count
                // The buffer has room for all of it, so one call is enough.
                let left = unsafe ZSTD_compressStream2(
                    context, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_flush)
                guard left == 0 else { return nil }
            }
            return unsafe output.pos
        }
        guard let count else { throw CompressionError(.outOfMemory) }
        return count
    }

    /// Returns one frame with its content uncompressed.
    ///
    /// Use it for content that compresses so well that readers would take it for a decompression bomb.
    public static func store(_ data: Span<UInt8>) -> [UInt8] {
        // RFC 8878, section 3.1.1: one segment, eight bytes of length; blocks of at most 128 KiB.
        var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xe0]
        for place in 0..<8 { frame.append(UInt8(truncatingIfNeeded: data.count >> (8 * place))) }
        var position = 0
        repeat {
            let end = min(position + 1 << 17, data.count)
            let head = (end - position) << 3 | (end == data.count ? 1 : 0)
            for place in 0..<3 { frame.append(UInt8(truncatingIfNeeded: head >> (8 * place))) }
            frame.append(copying: data.extracting(position..<end))
            position = end
        } while position < data.count
        return frame
    }

    /// Returns where blocks end: after at least `leastBlock` bytes, and at the end.
    private static func stops(_ ends: [Int], count: Int) -> [Int] {
        var stops: [Int] = []
        for end in ends where end - (stops.last ?? 0) >= leastBlock && count - end >= leastBlock {
            stops.append(end)
        }
        return stops + [count]
    }

    private mutating func makeRoom(_ count: Int) {
        guard unsafe room.count < count || count == 0 else { return }
        unsafe room.deallocate()
        unsafe room = .allocate(byteCount: max(count, Self.leastRoom), alignment: 16)
    }
}

/// Reads Zstandard frames.
@safe public struct ZstandardDecompressor: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer

    /// Creates a decompressor that can be used repeatedly.
    public init() throws(CompressionError) {
        guard let context = unsafe ZSTD_createDCtx() else { throw CompressionError(.outOfMemory) }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// Returns the joined contents of consecutive frames.
    ///
    /// - Parameters:
    ///   - frames: At least one frame, each stating the length of its content, and nothing else.
    ///   - frameLimit: The largest content of a frame, in bytes.
    ///   - limit: The largest content of all frames together, in bytes.
    /// - Throws: `tooLarge`, or `damaged` if they are not such frames.
    public mutating func decompress(
        frames: Span<UInt8>, frameLimit: Int, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        var content: [UInt8] = []
        try decompress(frames: frames, frameLimit: frameLimit, limit: limit, into: &content)
        return content
    }

    /// Replaces `content` with the joined contents of consecutive frames, in memory that it already has.
    ///
    /// - Parameters:
    ///   - frames: At least one frame, each stating the length of its content, and nothing else.
    ///   - frameLimit: The largest content of a frame, in bytes.
    ///   - limit: The largest content of all frames together, in bytes.
    ///   - content: Receives the content; empty if this throws.
    /// - Throws: `tooLarge`, or `damaged` if they are not such frames.
    public mutating func decompress(
        frames: Span<UInt8>, frameLimit: Int, limit: Int, into content: inout [UInt8]
    ) throws(CompressionError) {
        content.removeAll(keepingCapacity: true)
        var (length, place) = (0, 0)
        repeat {
            let part = try Frame(frames, at: place, limit: min(frameLimit, limit - length))
            length += part.length
            place = part.range.upperBound
        } while place < frames.count
        content.reserveCapacity(length)
        place = 0
        while place < frames.count {
            let part = try Frame(frames, at: place, limit: frameLimit)
            try append(part, of: frames, to: &content)
            place = part.range.upperBound
        }
    }

    /// Replaces `content` with that of the first of some frames, in memory that it already has.
    ///
    /// - Parameters:
    ///   - frames: A frame that states the length of its content; what follows it is not looked at.
    ///   - limit: The largest content that the caller accepts, in bytes.
    ///   - content: Receives the content; empty if this throws.
    /// - Returns: The length of the frame.
    /// - Throws: `tooLarge`, or `damaged` if it is not such a frame.
    public mutating func decompress(
        firstOf frames: Span<UInt8>, limit: Int, into content: inout [UInt8]
    ) throws(CompressionError) -> Int {
        content.removeAll(keepingCapacity: true)
        let first = try Frame(frames, at: 0, limit: limit)
        try append(first, of: frames, to: &content)
        return first.range.count
    }

    /// Returns the content of one frame that states its length.
    ///
    /// - Parameters:
    ///   - frame: Exactly one frame.
    ///   - limit: The largest content that the caller accepts, in bytes.
    /// - Returns: The content.
    /// - Throws: `tooLarge`, or `damaged` if it is not such a frame or something follows it.
    public mutating func decompress(_ frame: Span<UInt8>, limit: Int) throws(CompressionError) -> [UInt8] {
        var content: [UInt8] = []
        guard try decompress(firstOf: frame, limit: limit, into: &content) == frame.count else {
            throw CompressionError(.damaged)
        }
        return content
    }

    /// A frame among others.
    private struct Frame {
        let range: Range<Int>
        /// The length of its content in bytes.
        let length: Int

        /// Finds the frame at a place.
        ///
        /// - Throws: `tooLarge`, or `damaged` if there is none that states its length.
        init(_ frames: Span<UInt8>, at place: Int, limit: Int) throws(CompressionError) {
            let rest = frames.extracting(place...)
            let (length, extent) = unsafe rest.withUnsafeBytes {
                unsafe (
                    ZSTD_getFrameContentSize($0.baseAddress, $0.count),
                    ZSTD_findFrameCompressedSize($0.baseAddress, $0.count)
                )
            }
            // Skippable frames would pass as empty ones. The two largest lengths mean "unknown" and "no frame".
            guard rest.count > 4, magic.indices.allSatisfy({ rest[$0] == magic[$0] }),
                length < UInt64.max - 1,
                ZSTD_isError(extent) == 0, extent <= rest.count
            else { throw CompressionError(.damaged) }
            guard length <= UInt64(limit) else { throw CompressionError(.tooLarge) }
            range = place..<(place + extent)
            self.length = Int(length)
        }
    }

    /// Appends the content of a frame; empties `content` if this throws.
    private mutating func append(
        _ part: Frame, of frames: Span<UInt8>, to content: inout [UInt8]
    ) throws(CompressionError) {
        let (frame, length) = (frames.extracting(part.range), part.length)
        var result = 0
        // Arrays without allocated memory share a buffer, and appending nothing would write to it.
        if content.capacity == 0 { content.reserveCapacity(length + 8) }
        content.append(addingCapacity: length) { (output: inout OutputSpan<UInt8>) in
            unsafe frame.withUnsafeBytes { frame in
                unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                    unsafe result = ZSTD_decompressDCtx(
                        context, buffer.baseAddress.map { unsafe $0 + count }, length, frame.baseAddress,
                        frame.count)
                    count += ZSTD_isError(result) == 0 ? result : 0
                }
            }
        }
        guard ZSTD_isError(result) == 0, result == length else {
            content.removeAll(keepingCapacity: true)
            throw CompressionError(.damaged)
        }
    }
}

/// The first bytes of a frame (RFC 8878, section 3.1.1).
private let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
