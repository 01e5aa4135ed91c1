import ByteText
import SampleBatches

/// The kinds of values in the columns of a stored batch, derived from the contexts of its rows.
struct ColumnKinds {
    /// For each column, the number of its values of each kind.
    private(set) var counts: [Counts]

    struct Counts {
        var integers = 0
        var tokens = 0

        var isMixed: Bool { integers > 0 && tokens > 0 }
    }

    /// Counts the values of rows with these contexts.
    ///
    /// - Throws: `inconsistent` if a context, or the column of one of its slots, does not exist.
    init(_ layout: StepLayout, columns: Int, contexts: [Int]) throws(FormatError) {
        counts = [Counts](repeating: Counts(), count: columns)
        var uses = [Int](repeating: 0, count: layout.contextCount)
        for context in contexts {
            guard uses.indices.contains(context) else { throw FormatError(.inconsistent) }
            uses[context] += 1
        }
        for context in uses.indices where uses[context] > 0 {
            for step in layout.steps(of: context) {
                guard step.column >= 0 else { throw FormatError(.inconsistent) }
                if step.instants == nil {
                    counts[step.column].tokens += uses[context]
                } else {
                    counts[step.column].integers += uses[context]
                }
            }
        }
    }

    /// Returns, for each column of mixed kinds, whether each of its values is an integer; an empty array for other
    /// columns.
    func orders(_ layout: StepLayout, contexts: ArraySlice<Int>) -> [[Bool]] {
        var orders = [[Bool]](repeating: [], count: counts.count)
        guard counts.contains(where: \.isMixed) else { return orders }
        for context in contexts {
            for step in layout.steps(of: context) where counts[step.column].isMixed {
                orders[step.column].append(step.instants != nil)
            }
        }
        return orders
    }
}

/// The values in the columns of a stored batch, read a whole column at a time.
///
/// A loop over one kind of value costs less than a loop over rows with many kinds.
struct ColumnValues {
    /// The values of all columns, one column after another: integers as is, tokens as the code of a `TokenPlace`.
    private(set) var numbers: [Int] = []
    /// The state for reading tokens.
    private var tokens = Tokens()
    private let json: [UInt8]

    /// The text that the token places refer to.
    var text: [UInt8] { tokens.respelled.isEmpty ? json : json + tokens.respelled }

    /// The length of the longest token, in bytes.
    var longestToken: Int { tokens.longest }

    /// The number of bytes of the tokens that are repetitions of the one before them.
    var repeatedBytes: Int { tokens.repeatedBytes.value }

    struct Tokens {
        /// The tokens that the JSON spells differently from this program, concatenated; they follow the JSON in the
        /// text.
        fileprivate(set) var respelled: [UInt8] = []
        /// The length of the longest token, in bytes.
        fileprivate(set) var longest = 0
        /// The number of bytes of the tokens that are repetitions of the one before them.
        fileprivate(set) var repeatedBytes = LengthSum()

        /// Reads the next token, and returns its place.
        @inline(__always)
        mutating func next(
            _ cursor: inout ColumnCursor, _ text: Span<UInt8>, _ json: [UInt8]
        ) throws -> Range<Int> {
            let range = try cursor.plainToken(text) ?? anyToken(&cursor, json)
            longest = max(longest, range.count)
            return range
        }

        @inline(never)
        private mutating func anyToken(_ cursor: inout ColumnCursor, _ json: [UInt8]) throws -> Range<Int> {
            let token = try cursor.anyToken(json)
            guard let other = token.respelled else { return token.range }
            let start = json.count + respelled.count
            guard start + other.count < TokenPlace.limit else { throw FormatError(.inconsistent) }
            respelled += other
            return start..<(start + other.count)
        }
    }

    /// Makes an instance without columns.
    ///
    /// - Parameter memory: An array whose memory is used for the values.
    init(_ json: [UInt8], using memory: consuming [Int]) throws(FormatError) {
        guard json.count < TokenPlace.limit else { throw FormatError(.inconsistent) }
        self.json = json
        numbers = memory
        numbers.removeAll(keepingCapacity: true)
    }

    /// Reserves capacity for the total number of values.
    mutating func reserve(_ count: Int) { numbers.reserveCapacity(count) }

    /// Reads a column of exactly `count` integers.
    mutating func readIntegers(_ count: Int, _ array: Range<Int>, mayRepeat: Bool = true) throws {
        let json = json
        let text = json.span
        try read(count, array) { cursor, output, _ in
            try cursor.integers(count, text, json, mayRepeat: mayRepeat) { output.append($0) }
        }
    }

    /// Reads a column of exactly `count` numbers and strings.
    mutating func readTokens(_ count: Int, _ array: Range<Int>) throws {
        let json = json
        let text = json.span
        try read(count, array) { cursor, output, tokens in
            while output.count < count {
                let token = try tokens.next(&cursor, text, json)
                let place = TokenPlace(token).code
                output.append(place)
                // Pointers of devices are mostly those of the row before.
                while case let times = try cursor.repetitions(text, json, most: count - output.count),
                    times > 0
                {
                    output.append(repeating: place, count: times)
                    tokens.repeatedBytes.add(times * token.count)
                }
            }
        }
    }

    /// Reads a column in which some of the values are integers.
    mutating func read(areIntegers: [Bool], _ array: Range<Int>) throws {
        let json = json
        let text = json.span
        try read(areIntegers.count, array) { cursor, output, tokens in
            func next(_ cursor: inout ColumnCursor, _ isInteger: Bool) throws -> Int {
                try isInteger
                    ? cursor.integer(text, json) : TokenPlace(tokens.next(&cursor, text, json)).code
            }
            while output.count < areIntegers.count {
                let start = cursor
                let isInteger = areIntegers[output.count]
                let value = try next(&cursor, isInteger)
                output.append(value)
                // A value that is repeated may be an integer in one row and a token in another.
                var other: Int?
                while case let times = try cursor.repetitions(
                    text, json, most: areIntegers.count - output.count), times > 0
                {
                    for _ in 0..<times {
                        let isSame = areIntegers[output.count] == isInteger
                        if !isSame, other == nil {
                            var again = start
                            other = try next(&again, !isInteger)
                        }
                        let repeated = isSame ? value : other ?? value
                        if !areIntegers[output.count] {
                            tokens.repeatedBytes.add(TokenPlace(code: repeated).range.count)
                        }
                        output.append(repeated)
                    }
                }
            }
        }
    }

    /// Reads the values of an array.
    @inline(__always)
    private mutating func read(
        _ count: Int, _ array: Range<Int>,
        _ body: (inout ColumnCursor, inout OutputSpan<Int>, inout Tokens) throws -> Void
    ) throws {
        var cursor = ColumnCursor(array)
        // Swapped out to avoid a copy: no other property may be accessed while `numbers` is being modified.
        var tokens = Tokens()
        swap(&tokens, &self.tokens)
        defer { swap(&tokens, &self.tokens) }
        // Appending nothing would write to the memory that all empty arrays share.
        if count > 0 {
            try numbers.append(addingCapacity: count) { (output: inout OutputSpan<Int>) in
                try body(&cursor, &output, &tokens)
            }
        }
        try cursor.finish(json)
    }
}
