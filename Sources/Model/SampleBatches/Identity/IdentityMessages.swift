import ByteText
import SipHash

/// What rows of one context contribute to their identities, gathered column by column: the words that `SipHashes` sums.
///
/// The hash of one row waits for each of its steps; those of several rows, side by side, do not wait for each other.
public struct IdentityMessages: ~Copyable, Sendable {
    /// The last instant of each row.
    private var instants: [Int] = []
    private var distances: [Int] = []
    /// The words of the messages: the first of all rows, the second of all rows, and so on.
    private var words: [UInt64] = []
    /// Number of bytes of each message.
    private var lengths: [Int] = []
    /// What messages start with: whole words.
    private var starts = SipHashes.Starts()
    /// Number of rows.
    private var count = 0
    /// Number of words of the longest message, of which the last may not be full.
    private var depth = 0
    /// Whether all messages are of the same length so far, and consist of whole words.
    private var isEven = true

    /// The number of words that are kept for the next block; a single row may have megabytes.
    private static let mostKept = 1 << 13

    /// Creates a place for messages.
    public init() {}

    /// Starts with the messages of so many rows.
    mutating func begin(_ count: Int) {
        if instants.count < count {
            instants = [Int](repeating: 0, count: count)
            distances = instants
            lengths = instants
        }
        self.count = count
        depth = 0
        isEven = true
        starts.removeAll()
        for row in 0..<count {
            instants[row] = 0
            lengths[row] = 0
        }
    }

    /// Makes room for so many more words in each message.
    private mutating func reserve(_ more: Int) {
        let needed = (depth + more) * count
        if words.count < needed {
            words += [UInt64](repeating: 0, count: max(needed, 2 * words.count) - words.count)
        }
    }

    /// Advances the instant of each row by a column of distances.
    ///
    /// - Parameter isIncluded: Whether the instants are part of the identities.
    mutating func advance(by column: Span<Int>, isIncluded: Bool) {
        Self.advance(column, &instants)
        guard isIncluded else { return }
        reserve(1)
        if isEven {
            Self.add(instants, count, toEach: depth, &words, &lengths)
        } else {
            Self.add(instants, count, &words, &lengths)
        }
        depth += 1
    }

    /// Whether the last instants of all rows are in a range of at most 2^62 seconds around 1970.
    func areInstants(in range: Range<Int>) -> Bool {
        let instants = instants.span
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        // Negative as soon as one is outside, even if a difference overflows.
        var outside = 0
        for row in 0..<count { outside |= (instants[row] &- first) | (last &- instants[row]) }
        return outside >= 0
    }

    private static func advance(_ column: Span<Int>, _ instants: inout [Int]) {
        var instants = instants.mutableSpan
        for row in column.indices { instants[row] &+= column[row] }
    }

    /// Adds the instants as the word with this number of each message.
    private static func add(
        _ instants: [Int], _ count: Int, toEach number: Int, _ words: inout [UInt64], _ lengths: inout [Int]
    ) {
        let instants = instants.span.extracting(0..<count)
        var words = words.mutableSpan
        var lengths = lengths.mutableSpan
        let first = number * count
        for row in instants.indices {
            words[first &+ row] = UInt64(bitPattern: Int64(instants[row]))
            lengths[row] &+= 8
        }
    }

    private static func add(_ instants: [Int], _ count: Int, _ words: inout [UInt64], _ lengths: inout [Int])
    {
        var words = words.mutableSpan
        var lengths = lengths.mutableSpan
        for row in 0..<count {
            append(UInt64(bitPattern: Int64(instants[row])), 8, row, count, &words, &lengths)
        }
    }

    /// Calls `body` with the distance of the instant of each row from that of the row before.
    ///
    /// - Parameter anchor: The instant before the first row; becomes that of the last one.
    mutating func withDistances(from anchor: inout Int, _ body: (Span<Int>) -> Void) {
        Self.subtract(&anchor, instants, count, from: &distances)
        body(distances.span.extracting(0..<count))
    }

    private static func subtract(
        _ anchor: inout Int, _ instants: [Int], _ count: Int, from distances: inout [Int]
    ) {
        var distances = distances.mutableSpan
        for row in 0..<count {
            distances[row] = instants[row] - anchor
            anchor = instants[row]
        }
    }

    /// Adds the token of each row, after its length.
    mutating func add(_ column: Span<Int>, _ text: Span<UInt8>) {
        var longest = 0
        for row in column.indices { longest = max(longest, TokenPlace(code: column[row]).range.count) }
        reserve(longest / 8 + 2)
        isEven = false
        Self.add(column, text, &words, &lengths)
        depth += longest / 8 + 2
    }

    private static func add(
        _ column: Span<Int>, _ text: Span<UInt8>, _ words: inout [UInt64], _ lengths: inout [Int]
    ) {
        var words = words.mutableSpan
        var lengths = lengths.mutableSpan
        let count = column.count
        for row in 0..<count {
            let range = TokenPlace(code: column[row]).range
            let length = lengths[row]
            // Most are numbers, after nothing but times.
            if length & 7 == 0, range.count <= 8, range.lowerBound <= text.count - 8 {
                let place = length >> 3 * count + row
                words[place] = UInt64(range.count)
                words[place + count] =
                    text.word(at: range.lowerBound) & .max >> UInt64(truncatingIfNeeded: 64 - 8 * range.count)
                lengths[row] = length + 8 + range.count
                continue
            }
            append(UInt64(range.count), 8, row, count, &words, &lengths)
            var place = range.lowerBound
            while range.upperBound - place >= 8 {
                append(text.word(at: place), 8, row, count, &words, &lengths)
                place += 8
            }
            let rest = range.upperBound - place
            if rest > 0 {
                append(text.partialWord(at: place, count: rest), rest, row, count, &words, &lengths)
            }
        }
    }

    /// Appends up to eight bytes to the message of a row; the bits after them are zero.
    @inline(__always)
    private static func append(
        _ word: UInt64, _ bytes: Int, _ row: Int, _ count: Int, _ words: inout MutableSpan<UInt64>,
        _ lengths: inout MutableSpan<Int>
    ) {
        let place = lengths[row] >> 3 * count + row
        let used = lengths[row] & 7
        if used == 0 {
            words[place] = word
        } else {
            words[place] |= word << UInt64(8 * used)
            if used + bytes > 8 { words[place + count] = word >> UInt64(64 - 8 * used) }
        }
        lengths[row] += bytes
    }

    /// Adds a start of messages, all of which are of the same length and consist of whole words.
    mutating func add(start: SipHash128) { starts.append(start) }

    /// Returns the sum of the hashes of all messages.
    ///
    /// - Parameter places: For each message, the number of its start.
    mutating func sum(starts places: Span<Int>) -> UInt128 {
        precondition(places.count == count, "a start for each message")
        reserve(1)
        defer { if words.count > Self.mostKept { words = [] } }
        return SipHashes.sum(&words, lengths: &lengths, places: places, starts: starts)
    }
}
