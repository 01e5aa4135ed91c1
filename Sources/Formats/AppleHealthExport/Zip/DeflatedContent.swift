import DataCompression

/// The content of a deflated member, inflated as its bytes are read.
final class DeflatedContent {
    private var inflate = Inflate()
    private var input = [UInt8](repeating: 0, count: 1 << 16)
    private var available = 0..<0
    /// The number of bytes of the zip that were inflated, without those that follow the content.
    var consumed: Int { taken - inflate.overrun }
    private var taken = 0

    /// What reading some of the content came to.
    enum Result {
        /// Some bytes of the content; none only if there was no room for any.
        case bytes(Int)
        /// The content has ended.
        case end
        /// The content has not ended, but there are no more bytes of it.
        case cutOff
        /// The bytes are not deflated content.
        case damaged
    }

    /// Inflates some bytes into a range of `target`.
    ///
    /// - Parameter refill: Reads the next bytes of the zip into a buffer, and returns their number; 0 at the end.
    func read(
        into target: inout MutableSpan<UInt8>, _ range: Range<Int>,
        refill: (inout [UInt8]) throws(ExportError) -> Int
    ) throws(ExportError) -> Result {
        while !inflate.isFinished {
            guard !range.isEmpty else { return .bytes(0) }
            if available.isEmpty { available = 0..<(try refill(&input)) }
            guard let step = try? inflate.step(input.span.extracting(available), into: &target, range) else {
                return .damaged
            }
            // Without input there may still be output that did not fit before.
            if available.isEmpty, step.produced == 0, !inflate.isFinished { return .cutOff }
            available = (available.lowerBound + step.consumed)..<available.upperBound
            taken += step.consumed
            if step.produced > 0 { return .bytes(step.produced) }
        }
        return .end
    }
}
