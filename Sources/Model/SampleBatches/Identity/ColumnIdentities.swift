import ByteText
import SipHash

/// Sums the identities of rows whose values are given column by column.
///
/// For some rows at a time, whose values are in the same columns: ``begin(contexts:contents:)``, then their columns in the order
/// of the contexts' slots, then ``finish()``.
package struct ColumnIdentities: ~Copyable {
    private var messages = IdentityMessages()
    /// For each context, the start of the identities of its rows.
    private let contexts: [SipHash128]
    /// The hash of each content, preceded by one for no content.
    private let contents: [UInt128]
    /// For each row, the number of the start of its identity.
    private var starts = [Int](repeating: 0, count: mostRows)
    /// Number of rows.
    private var count = 0

    /// The count and the sum of the identities so far.
    package private(set) var sum = IdentitySum()

    /// The most rows to be added at a time.
    package static let mostRows = 64

    /// Prepares for rows of an element with these contexts and contents.
    package init(element: String, contexts: [BatchContext], contents: [[UInt8]]) {
        self.contexts = contexts.map { $0.identityStart(inElement: element) }
        self.contents = [0] + contents.map { ContentIdentity.hash(of: $0) }
    }

    /// Begins with as many rows, up to ``mostRows``, as there are numbers of their contexts, and of their contents.
    package mutating func begin(contexts numbers: Span<Int>, contents contentNumbers: Span<Int>) {
        messages.begin(numbers.count)
        count = numbers.count
        var startCount = 0
        // Swapped out, so that the rest may change meanwhile.
        var numbersOfStarts: [Int] = []
        swap(&numbersOfStarts, &starts)
        defer { swap(&numbersOfStarts, &starts) }
        var starts = numbersOfStarts.mutableSpan
        var last = (context: -1, content: -1)
        for row in numbers.indices {
            let (context, content) = (numbers[row], contentNumbers[row])
            if context != last.context || content != last.content {
                addStart(context, content)
                last = (context, content)
                startCount += 1
            }
            starts[row] = startCount - 1
        }
    }

    private mutating func addStart(_ context: Int, _ content: Int) {
        var start = contexts[context]
        start.update(contents[content])
        messages.add(start: start)
    }

    /// Advances the instant of each row by a column of distances; the first one counts from 1970.
    package mutating func advance(by column: Span<Int>, isIncluded: Bool) {
        messages.advance(by: column, isIncluded: isIncluded)
    }

    /// Whether the instants after the last column of distances are all in a range of at most 2^62 seconds around 1970.
    package func areInstants(in range: Range<Int>) -> Bool { messages.areInstants(in: range) }

    /// Adds a column of tokens, given as the codes of their places in a text.
    package mutating func add(_ column: Span<Int>, _ text: Span<UInt8>) { messages.add(column, text) }

    /// Ends the rows.
    package mutating func finish() {
        let starts = starts
        sum.add(count, sum: messages.sum(starts: starts.span.extracting(0..<count)))
    }
}

extension BatchContext {
    /// Whether the values in each of its columns are part of the identities of its rows.
    package var areInIdentity: [Bool] { columns.map { RecordIdentity.includes(slots[$0.slot]) } }
}
