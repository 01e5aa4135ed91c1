import CZstd

/// Makes Zstandard frames (RFC 8878), one for each piece of data, at level 1.
///
/// On columns and on text like Apple's, level 3 is larger and slower than level 1, and level 9 saves a tenth for seven
/// times the time.
@safe public struct ZstandardCompressor: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer
    /// Where frames are written: of memory that is only set aside, what a frame does not reach costs nothing.
    private var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// More is given back.
    private static let keptRoom = 3 << 20

    /// The library's version, for the record: another one may compress to other bytes.
    public static var libraryVersion: String { unsafe String(cString: ZSTD_versionString()) }

    /// Makes a compressor that is used again and again.
    public init() throws(CompressionError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw CompressionError(.outOfMemory) }
        unsafe self.context = context
    }

    deinit {
        unsafe ZSTD_freeCCtx(context)
        unsafe room.deallocate()
    }

    /// One frame that says how long its content is.
    public mutating func compress(_ data: Span<UInt8>) throws(CompressionError) -> [UInt8] {
        makeRoom(ZSTD_compressBound(data.count))
        let count = unsafe data.withUnsafeBytes { data in
            unsafe ZSTD_compressCCtx(context, room.baseAddress, room.count, data.baseAddress, data.count, 1)
        }
        guard ZSTD_isError(count) == 0 else { throw CompressionError(.outOfMemory) }
        // A copy of the right size: the bound is far larger than what most frames need.
        let frame = unsafe [UInt8](room[0..<count])
        if unsafe room.count > Self.keptRoom { makeRoom(0) }
        return frame
    }

    private mutating func makeRoom(_ count: Int) {
        guard unsafe room.count < count || count == 0 else { return }
        unsafe room.deallocate()
        unsafe room = .allocate(byteCount: count, alignment: 16)
    }
}

/// Reads Zstandard frames.
@safe public struct ZstandardDecompressor: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer

    /// What a frame starts with (RFC 8878, section 3.1.1).
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

    /// Makes a decompressor that is used again and again.
    public init() throws(CompressionError) {
        guard let context = unsafe ZSTD_createDCtx() else { throw CompressionError(.outOfMemory) }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// The content of one frame that says how long it is.
    ///
    /// - Parameters:
    ///   - frame: Exactly one frame.
    ///   - limit: The largest content that the caller takes.
    /// - Returns: The content.
    /// - Throws: `tooLarge`, or `damaged` when it is no such frame or something follows it.
    public mutating func decompress(_ frame: Span<UInt8>, limit: Int) throws(CompressionError) -> [UInt8] {
        let (length, extent) = unsafe frame.withUnsafeBytes {
            unsafe (
                ZSTD_getFrameContentSize($0.baseAddress, $0.count),
                ZSTD_findFrameCompressedSize($0.baseAddress, $0.count)
            )
        }
        // Skippable frames would pass as empty ones. The two highest lengths say "unknown" and "no frame".
        guard frame.count > 4, Self.magic.indices.allSatisfy({ frame[$0] == Self.magic[$0] }),
            length < UInt64.max - 1, extent == frame.count
        else { throw CompressionError(.damaged) }
        guard length <= UInt64(limit) else { throw CompressionError(.tooLarge) }
        var result = 0
        let content = [UInt8](capacity: Int(length)) { output in
            unsafe frame.withUnsafeBytes { frame in
                unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                    unsafe result = ZSTD_decompressDCtx(
                        context, buffer.baseAddress, Int(length), frame.baseAddress, frame.count)
                    count = ZSTD_isError(result) == 0 ? result : 0
                }
            }
        }
        guard ZSTD_isError(result) == 0, result == Int(length) else { throw CompressionError(.damaged) }
        return content
    }
}
