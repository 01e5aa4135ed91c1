import ByteSpans
import HealthModel

/// Puts the rows of a stored batch together again out of its columns.
struct RowAssembly {
    private let json: [UInt8]
    private let count: Int
    private let layout: StepLayout
    /// First the contexts of all rows, then their contents, their positions, and the other columns.
    private var values: ColumnValues
    /// For each other column the number of its first value.
    private var starts: [Int] = []

    /// Where the arrays of a batch stand in its text.
    struct Places {
        let position: Range<Int>
        let context: Range<Int>
        let content: Range<Int>
        let columns: [ExactName: Range<Int>]
    }

    /// How many values of a column are of each kind.
    private struct Kinds {
        var integers = 0
        var tokens = 0
    }

    /// Reads the columns of so many rows.
    ///
    /// - Throws: `FormatError` or `JSONError`.
    init(_ json: [UInt8], _ places: Places, count: Int, contexts: [BatchContext]) throws {
        self.json = json
        self.count = count
        layout = StepLayout(contexts, Array(places.columns.keys))
        values = try ColumnValues(json)
        try values.readIntegers(count, places.context)
        let kinds = try kinds(columns: places.columns.count)
        values.reserve(kinds.reduce(2 * count) { $0 + $1.integers + $1.tokens })
        try values.readIntegers(count, places.content)
        try values.readIntegers(count, places.position)
        for (number, array) in places.columns.values.enumerated() {
            starts.append(values.numbers.count)
            if kinds[number].tokens == 0 {
                try values.readIntegers(kinds[number].integers, array)
            } else if kinds[number].integers == 0 {
                try values.readTokens(kinds[number].tokens, array)
            } else {
                try values.read(areIntegers: areIntegers(number), array)
            }
        }
    }

    /// The kinds of values that all columns have, as the contexts of the rows say.
    private func kinds(columns: Int) throws(FormatError) -> [Kinds] {
        var uses = [Int](repeating: 0, count: layout.contextCount)
        for context in values.numbers {
            guard uses.indices.contains(context) else { throw FormatError(.inconsistent) }
            uses[context] += 1
        }
        var kinds = [Kinds](repeating: Kinds(), count: columns)
        for context in uses.indices where uses[context] > 0 {
            for step in layout.steps(of: context) {
                guard step.column >= 0 else { throw FormatError(.inconsistent) }
                if step.instants == nil {
                    kinds[step.column].tokens += uses[context]
                } else {
                    kinds[step.column].integers += uses[context]
                }
            }
        }
        return kinds
    }

    /// For each value of a column that has both kinds whether it is an integer.
    private func areIntegers(_ column: Int) -> [Bool] {
        values.numbers[..<count].flatMap { context in
            layout.steps(of: context).lazy.filter { $0.column == column }.map { $0.instants != nil }
        }
    }

    /// Adds the rows to a builder, with the contexts and contents that they point to.
    ///
    /// - Throws: `FormatError` where numbers contradict each other.
    func append(
        _ contexts: [BatchContext], _ contents: [[UInt8]], to builder: inout SampleBatchBuilder
    ) throws(FormatError) {
        let text = json.span
        let (steps, ends) = (layout.steps.span, layout.ends.span)
        let (all, others) = (values.numbers, values.tokens.respelled)
        let (numbers, respelled) = (all.span, others.span)
        let contextNumbers = contextNumbers(contexts, &builder)
        let contentNumbers = try contentNumbers(contents, &builder)
        let (count, starts) = (count, starts)
        try builder.append(
            count: count, room: values.tokens.size + (numbers.count - 3 * count) * Varint.longest
        ) { (output: inout OutputSpan<UInt8>, tally: inout RowTally) throws(FormatError) in
            var places = starts
            var next = places.mutableSpan
            var position = 0
            var anchor = 0
            for row in 0..<count {
                let distance = numbers[2 * count + row]
                guard distance >= (row == 0 ? 0 : 1), distance < SampleBatch.positionLimit - position else {
                    throw FormatError(.inconsistent)
                }
                position += distance
                let context = numbers[row]
                tally.append(
                    RowHead(
                        context: contextNumbers[context], content: contentNumbers[numbers[count + row]],
                        position: position), to: &output)
                var seconds = anchor
                var isFirst = true
                for number in ends[context]..<ends[context + 1] {
                    let column = steps[number].column
                    let value = numbers[next[column]]
                    next[column] += 1
                    guard let instants = steps[number].instants else {
                        let place = TokenPlace(code: value)
                        let source = place.isRespelled ? respelled : text
                        if steps[number].isEnclosed, source[place.range.lowerBound] != UInt8(ascii: "\"") {
                            throw FormatError(.inconsistent)
                        }
                        Varint.append(place.range.count, to: &output)
                        output.append(copying: source, place.range)
                        if steps[number].isStart { tally.note(start: Self.day(source, place.range)) }
                        continue
                    }
                    seconds &+= value
                    guard instants.contains(seconds) else { throw FormatError(.inconsistent) }
                    Varint.appendSigned(isFirst ? seconds : value, to: &output)
                    if isFirst { anchor = seconds }
                    isFirst = false
                    if steps[number].isStart {
                        tally.note(
                            start: Timestamp(seconds: seconds, offsetMinutes: steps[number].offsetMinutes))
                    }
                }
            }
        }
    }

    /// For each context of the text its number in the builder, where a row has it.
    private func contextNumbers(_ contexts: [BatchContext], _ builder: inout SampleBatchBuilder) -> [Int] {
        var numbers = [Int](repeating: -1, count: contexts.count)
        for context in values.numbers[..<count] where numbers[context] < 0 {
            numbers[context] = builder.number(of: contexts[context])
        }
        return numbers
    }

    /// For each content of the text, behind a 0 for none, its number in the builder, where a row has it.
    private func contentNumbers(
        _ contents: [[UInt8]], _ builder: inout SampleBatchBuilder
    ) throws(FormatError) -> [Int] {
        var numbers = [0] + [Int](repeating: -1, count: contents.count)
        for content in values.numbers[count..<(2 * count)] {
            guard numbers.indices.contains(content) else { throw FormatError(.inconsistent) }
            if numbers[content] < 0 { numbers[content] = builder.number(ofContent: contents[content - 1]) }
        }
        return numbers
    }

    /// The start of the day in a token.
    private static func day(_ text: Span<UInt8>, _ token: Range<Int>) -> Timestamp? {
        guard token.count > 2,
            let date = CivilDate(text.extracting((token.lowerBound + 1)..<(token.upperBound - 1)))
        else { return nil }
        return Timestamp(seconds: date.daysSince1970 * 86400, offsetMinutes: 0)
    }
}
