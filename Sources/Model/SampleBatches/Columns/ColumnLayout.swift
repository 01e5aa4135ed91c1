import ByteText
import SipHash

/// How the rows of each context are written into columns.
///
/// It is not copyable, so that nothing is counted when a row is written.
struct ColumnLayout: ~Copyable, Sendable {
    /// The names of the columns in the order of their first use: attributes of the same name share a column.
    private(set) var names: [ExactName] = []
    /// The numbers of the names, if there are more than a few.
    private var numbers: [ExactName: Int] = [:]
    private static let few = 16
    /// The steps of all contexts, one context after another.
    private var steps: [Step] = []
    /// Where the steps of each context start and, after the last one, where they end.
    private var ends = [0]
    /// For each context, the start of the identities of its rows.
    private(set) var hashes: [SipHash128] = []

    /// How a value is written.
    private struct Step: Sendable {
        let column: Int32
        let kind: Kind

        enum Kind: UInt8 {
            case time
            /// A time that is not part of the identity.
            case ignoredTime
            case token
            case ignoredToken
            /// A token between shared texts, which is often the same in successive rows.
            case enclosed
        }
    }

    /// Adds the context with the next number.
    ///
    /// - Parameter last: The one before it, which mostly has the same names.
    mutating func add(_ context: BatchContext, inElement element: String, after last: BatchContext?) {
        hashes.append(context.identityStart(inElement: element))
        defer { ends.append(steps.count) }
        if let last, context.hasForm(of: last) {
            steps += steps[ends[ends.count - 2]...]
            return
        }
        for column in context.columns {
            let slot = context.slots[column.slot]
            let number = number(of: ExactName(slot.name))
            let kind: Step.Kind
            if case .enclosed = slot {
                kind = .enclosed
            } else if RecordIdentity.includes(slot) {
                kind = column.isTime ? .time : .token
            } else {
                kind = column.isTime ? .ignoredTime : .ignoredToken
            }
            steps.append(Step(column: Int32(ColumnBatch.firstColumn + number), kind: kind))
        }
    }

    /// Returns the number of names if a context were added.
    func nameCount(adding context: BatchContext) -> Int {
        let own = Set(context.columns.map { ExactName(context.slots[$0.slot].name) })
        return names.count + own.count(where: { knownNumber(of: $0) == nil })
    }

    private func knownNumber(of name: ExactName) -> Int? {
        names.count <= Self.few ? names.firstIndex(of: name) : numbers[name]
    }

    private mutating func number(of name: ExactName) -> Int {
        if let known = knownNumber(of: name) { return known }
        names.append(name)
        if names.count > Self.few {
            for number in numbers.count..<names.count { numbers[names[number]] = number }
        }
        return names.count - 1
    }

    /// Writes the values of some rows of a block, and adds them to the messages of their identities.
    ///
    /// - Parameters:
    ///   - text: The bytes with their tokens.
    ///   - anchor: The first instant of the last row that had any.
    func append(
        _ rows: Range<Int>, of block: RowBlock, _ text: Span<UInt8>, context: Int, anchor: inout Int,
        _ messages: inout IdentityMessages, to values: inout ByteColumns
    ) {
        let own = steps.span.extracting(ends[context]..<ends[context + 1])
        var isFirst = true
        for number in own.indices {
            let (column, kind) = (Int(own[number].column), own[number].kind)
            let cells = block.cells.span.extracting(block.column(number, rows))
            switch kind {
            case .time, .ignoredTime:
                messages.advance(by: cells, isIncluded: kind == .time)
                if isFirst {
                    messages.withDistances(from: &anchor) { values.append($0, to: column) }
                } else {
                    values.append(cells, to: column)
                }
                isFirst = false
            case .token, .ignoredToken:
                values.append(rows.count, of: text, to: column) { TokenPlace(code: cells[$0]).range }
                if kind == .token { messages.add(cells, text) }
            case .enclosed:
                for row in cells.indices {
                    let range = TokenPlace(code: cells[row]).range
                    let hasQuotes = !range.isEmpty && text[range.lowerBound] == UInt8(ascii: "\"")
                    let body = hasQuotes ? range.dropFirst().dropLast() : range
                    values.append(repetitive: text, quoting: body, to: column)
                }
            }
        }
    }
}
