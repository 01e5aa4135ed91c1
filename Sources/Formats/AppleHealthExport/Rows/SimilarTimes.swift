import ByteText
import SampleBatches

/// The times that follow each other in a start tag, such as `creationDate`, `startDate` and `endDate`.
///
/// Days, offsets, and what stands between the times are mostly those of the row before. They are compared together, so that
/// only the times of the day are left to read.
struct SimilarTimes: Sendable {
    /// A number for each of the times that are read together.
    typealias Numbers = InlineArray<4, Int>

    /// Number of times, at most as many.
    let count: Int
    /// Whether there is none.
    var isEmpty: Bool { count == 0 }
    /// Where the time of the day starts in each of them.
    private let places: Numbers
    /// The bits that must be those of the row before.
    private let mask: [UInt64]
    /// The number of the time that says when the row starts; nil if none does.
    private let start: Int?
    /// The lengths of the literals behind them.
    private let literalLengths: [Int]
    /// The number of bytes up to the first that is not compared, after the last of them and the literal behind it.
    let length: Int

    /// Creates times.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of the literals behind them; of many times, only the first are read together.
    ///   - start: The number of the time that says when the row starts; nil if none does.
    init(literalLengths lengths: [Int], start: Int?) {
        count = min(lengths.count, Numbers.count)
        literalLengths = lengths
        self.start = start
        var bytes: [UInt8] = []
        var places = Numbers(repeating: 0)
        for (number, length) in lengths.prefix(count).enumerated() {
            let place = bytes.count + TimeReader.dayLength
            places[number] = place
            bytes.append(contentsOf: repeatElement(.max, count: Timestamp.length + length))
            for digits in [0, 1, 3, 4, 6, 7] { bytes[place + digits] = 0 }
        }
        self.places = places
        length = bytes.count
        // To whole vectors.
        bytes.append(contentsOf: repeatElement(0, count: (32 - length % 32) % 32))
        mask = stride(from: 0, to: bytes.count, by: 8).map { bytes.span.word(at: $0) }
    }

    /// Whether they were created from these lengths and this start.
    func follow(fromLiteralLengths lengths: [Int], start: Int?) -> Bool {
        literalLengths == lengths && self.start == start
    }

    /// Reads times that have the days of those in the row before.
    ///
    /// - Parameters:
    ///   - start: Where the row starts.
    ///   - lead: What the row before had, of which this one has the same up to the times.
    ///   - row: The place of the row in the block.
    ///   - cell: The place of the value of the first time in the block.
    ///   - cells: The values of the block; those of the row may be written even if this returns false.
    /// - Returns: The last time; nil if the days differ, or anything else does.
    @inline(__always)
    func read(
        _ bytes: Span<UInt8>, at start: Int, after lead: RowTemplate.Pattern.Lead, row: Int, cell: Int,
        _ cells: inout MutableSpan<Int>
    ) -> Int? {
        let index = start + lead.length
        guard bytes.matches(at: index, asAt: lead.start + lead.length, in: mask.span) else { return nil }
        var last = 0
        // Written out for each number, so that nothing is looked up.
        guard readTime(0, bytes, at: index, lead, row: row, cell: cell, &cells, &last),
            readTime(1, bytes, at: index, lead, row: row, cell: cell, &cells, &last),
            readTime(2, bytes, at: index, lead, row: row, cell: cell, &cells, &last),
            readTime(3, bytes, at: index, lead, row: row, cell: cell, &cells, &last)
        else { return nil }
        return last
    }

    /// Reads the time with a number if there is one; returns false if it is not the time of a day.
    @inline(__always)
    private func readTime(
        _ number: Int, _ bytes: Span<UInt8>, at index: Int, _ lead: RowTemplate.Pattern.Lead, row: Int,
        cell: Int,
        _ cells: inout MutableSpan<Int>, _ last: inout Int
    ) -> Bool {
        guard number < count else { return true }
        guard let secondOfDay = TimeReader.secondOfDay(bytes.word(at: index &+ places[number])) else {
            return false
        }
        let time = lead.midnights[number] &+ secondOfDay
        cells[cell &+ number &* RowBlock.most] = time &- last
        last = time
        if number == self.start { cells[row] = time }
        return true
    }
}
