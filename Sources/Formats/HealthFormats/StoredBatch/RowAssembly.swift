import ByteText
import SampleBatches

/// Reassembles the rows of a stored batch from its columns.
struct RowAssembly {
    let count: Int
    let layout: StepLayout
    /// First the contexts of all rows, then their contents, their positions, and the other columns.
    private(set) var values: ColumnValues
    /// For each other column, the index of its first value.
    private(set) var starts: [Int] = []

    /// The assumed minimum size of a line without its texts, in bytes.
    static let shortestLine = 64

    /// The places of a batch's arrays in its text.
    struct Places {
        let position: Range<Int>
        let context: Range<Int>
        let content: Range<Int>
        let columns: [ExactName: Range<Int>]
    }

    /// Reads the columns of `count` rows.
    ///
    /// - Parameter memory: An array whose memory is used for the values.
    /// - Throws: `FormatError` or `JSONError`.
    init(
        _ json: [UInt8], _ places: Places, count: Int, element: String, contexts: [BatchContext],
        contents: [[UInt8]], lines: Int, using memory: consuming [Int] = []
    ) throws {
        self.count = count
        layout = StepLayout(contexts, Array(places.columns.keys))
        values = try ColumnValues(json, using: memory)
        // Rows are no more than there is text for; all else that is read may be repeated.
        guard count <= places.context.count / 2 else { throw FormatError(.inconsistent) }
        try values.readIntegers(count, places.context, mayRepeat: false)
        let kinds = try ColumnKinds(layout, columns: places.columns.count, contexts: values.numbers)
        try values.readIntegers(count, places.content)
        // Each text in a column belongs to one row, where it may appear twice.
        let texts = contexts.contains(where: \.mayBeOdd) ? 2 : 1
        var size = try size(BatchContext.lineSize(ofElement: element), contexts, contents)
        for array in places.columns.values { size.add(texts * array.count) }
        guard size.value <= lines else { throw FormatError(.tooLarge) }
        // Each value has its share in the size.
        values.reserve(kinds.counts.reduce(3 * count) { $0 + $1.integers + $1.tokens })
        try values.readIntegers(count, places.position)
        let orders = kinds.orders(layout, contexts: values.numbers[..<count])
        for (number, array) in places.columns.values.enumerated() {
            starts.append(values.numbers.count)
            if kinds.counts[number].isMixed {
                try values.read(areIntegers: orders[number], array)
            } else if kinds.counts[number].tokens > 0 {
                try values.readTokens(kinds.counts[number].tokens, array)
            } else {
                try values.readIntegers(kinds.counts[number].integers, array)
            }
        }
        for _ in 0..<texts { size.add(values.repeatedBytes) }
        guard size.value <= lines else { throw FormatError(.tooLarge) }
    }

    /// Returns the most bytes that the rows, written as NDJSON, can have beside the texts in columns.
    ///
    /// - Throws: `FormatError` if a row has a content that does not exist.
    private func size(
        _ elementSize: Int, _ contexts: [BatchContext], _ contents: [[UInt8]]
    ) throws(FormatError) -> LengthSum {
        var size = LengthSum()
        for row in 0..<count {
            size.add(contexts[values.numbers[row]].lineSize)
            size.add(elementSize)
            let content = values.numbers[count + row]
            guard content >= 0, content <= contents.count else { throw FormatError(.inconsistent) }
            if content > 0 { size.add(contents[content - 1].count) }
        }
        return size
    }

    /// Checks that positions ascend, and are possible.
    func checkPositions() throws(FormatError) {
        let distances = values.numbers.span.extracting((2 * count)..<(3 * count))
        var position = 0
        for row in distances.indices {
            guard distances[row] >= (row == 0 ? 0 : 1), distances[row] < SampleBatch.positionLimit - position
            else { throw FormatError(.inconsistent) }
            position += distances[row]
        }
    }

    /// Assembles the batch from the rows, and the contexts and contents that they refer to.
    ///
    /// - Throws: `FormatError` if numbers contradict each other.
    func batch(
        _ key: SampleBatch.Key, _ contexts: [BatchContext], _ contents: [[UInt8]]
    ) throws(FormatError) -> SampleBatch {
        try checkPositions()
        let tokens = values.text
        var builder = SampleBatchBuilder(key: key, text: tokens, repeated: values.repeatedBytes)
        let text = tokens.span
        let (steps, ends) = (layout.steps.span, layout.ends.span)
        let all = values.numbers
        let numbers = all.span
        let contextNumbers = contextNumbers(contexts, &builder)
        let contentNumbers = try contentNumbers(contents, &builder)
        let (count, starts) = (count, starts)
        try builder.append(count: count, values: numbers.count - 3 * count) {
            (output: inout OutputSpan<Int>, tally: inout RowTally) throws(FormatError) in
            var places = starts
            var next = places.mutableSpan
            var position = 0
            var times = InstantChain()
            for row in 0..<count {
                position += numbers[2 * count + row]
                let context = numbers[row]
                let content = contentNumbers[numbers[count + row]]
                tally.append(
                    RowHead(context: contextNumbers[context], content: content, position: position),
                    to: &output)
                times.startRow()
                for number in ends[context]..<ends[context + 1] {
                    let column = steps[number].column
                    let value = numbers[next[column]]
                    next[column] += 1
                    if let instants = steps[number].instants {
                        output.append(try times.cell(adding: value, instants))
                        guard steps[number].isStart else { continue }
                        tally.extendRange(to: times.last(offsetMinutes: steps[number].offsetMinutes))
                    } else {
                        let token = TokenPlace(code: value).range
                        if steps[number].isEnclosed, text[token.lowerBound] != UInt8(ascii: "\"") {
                            throw FormatError(.inconsistent)
                        }
                        output.append(value)
                        if steps[number].isStart {
                            tally.extendRange(to: contexts[context].start(ofToken: text.extracting(token)))
                        }
                    }
                }
            }
        }
        return builder.batch
    }

    /// Returns the builder's number for each context of the text; -1 if no row has it.
    ///
    /// Contexts are numbered by first use, regardless of which program wrote the text.
    private func contextNumbers(_ contexts: [BatchContext], _ builder: inout SampleBatchBuilder) -> [Int] {
        var numbers = [Int](repeating: -1, count: contexts.count)
        for context in values.numbers[..<count] where numbers[context] < 0 {
            numbers[context] = builder.add(contexts[context])
        }
        return numbers
    }

    /// Returns the builder's number for each content of the text, preceded by a 0 for no content; -1 if no row has it.
    private func contentNumbers(
        _ contents: [[UInt8]], _ builder: inout SampleBatchBuilder
    ) throws(FormatError) -> [Int] {
        var numbers = [0] + [Int](repeating: -1, count: contents.count)
        for content in values.numbers[count..<(2 * count)] {
            guard numbers.indices.contains(content) else { throw FormatError(.inconsistent) }
            if numbers[content] < 0 { numbers[content] = builder.add(content: contents[content - 1]) }
        }
        return numbers
    }
}

/// Converts the instants of successive rows from their form in columns to their form in cells.
private struct InstantChain {
    /// The first instant of the last row that had one.
    private var anchor = 0
    private var seconds = 0
    private var isFirst = true

    @inline(__always)
    mutating func startRow() {
        seconds = anchor
        isFirst = true
    }

    /// Adds the distance from the previous instant, and returns the cell: the instant itself for the first of a row,
    /// the distance for the others.
    @inline(__always)
    mutating func cell(adding distance: Int, _ writable: Range<Int>) throws(FormatError) -> Int {
        seconds &+= distance
        guard writable.contains(seconds) else { throw FormatError(.inconsistent) }
        guard isFirst else { return distance }
        isFirst = false
        anchor = seconds
        return seconds
    }

    /// Returns the instant that was added last.
    @inline(__always)
    func last(offsetMinutes: Int) -> Timestamp { Timestamp(seconds: seconds, offsetMinutes: offsetMinutes) }
}
