import CISAL

/// Decompresses a raw DEFLATE stream (RFC 1951) in pieces, with ISA-L.
@safe public struct Inflate: ~Copyable, @unchecked Sendable {
    // @unchecked: the state belongs to this value alone.
    private let state: UnsafeMutablePointer<inflate_state>

    /// The result of one step.
    public struct Step: Sendable {
        /// Number of bytes consumed from the input.
        public let consumed: Int
        /// Number of bytes written to the output.
        public let produced: Int
    }

    /// Whether the stream's last block has been read to its end and all of its output has been written.
    public private(set) var isFinished = false

    /// Number of consumed bytes that follow the stream, once it is finished: ISA-L reads up to eight ahead.
    public var overrun: Int { isFinished ? Int(unsafe state.pointee.read_in_length) / 8 : 0 }

    /// Starts at the beginning of a stream.
    public init() {
        unsafe state = .allocate(capacity: 1)
        unsafe isal_inflate_init(state)
    }

    deinit { unsafe state.deallocate() }

    /// Decompresses as much of `input` as fits into the `range` of `output`.
    ///
    /// Output may remain after the end of the input; a step without input writes it.
    ///
    /// - Throws: `damaged` if the input is not a DEFLATE stream.
    public mutating func step(
        _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(CompressionError) -> Step {
        precondition(range.lowerBound >= 0 && range.upperBound <= output.count, "a range of the output")
        let room = min(range.count, Int(UInt32.max))
        let offered = min(input.count, Int(UInt32.max))
        let (code, left, unused) = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                // ISA-L does not write to its input; the C declaration lacks the const.
                unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe state.pointee.avail_in = UInt32(offered)
                unsafe state.pointee.next_out = output.baseAddress.map { unsafe $0 + range.lowerBound }
                unsafe state.pointee.avail_out = UInt32(room)
                let code = unsafe isal_inflate(state)
                return unsafe (code, Int(state.pointee.avail_out), Int(state.pointee.avail_in))
            }
        }
        guard code >= ISAL_DECOMP_OK, code <= ISAL_OUT_OVERFLOW else { throw CompressionError(.damaged) }
        // ISA-L may still have output that did not fit although it has read the last block.
        isFinished =
            unsafe state.pointee.block_state == ISAL_BLOCK_FINISH
            && state.pointee.tmp_out_processed == state.pointee.tmp_out_valid
        return Step(consumed: offered - unused, produced: room - left)
    }
}
