import ByteSpans

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
    mutating func add(_ context: BatchContext, inElement element: String) {
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
        ends.append(steps.count)
        var hash = SipHash128()
        hash.update(context.identity(inElement: element))
        hashes.append(hash)
    }

    private mutating func number(of name: ExactName) -> Int {
        let known = names.count <= Self.few ? names.firstIndex(of: name) : numbers[name]
        if let known { return known }
        names.append(name)
        if names.count > Self.few {
            for number in numbers.count..<names.count { numbers[names[number]] = number }
        }
        return names.count - 1
    }

    /// Writes the values of a row.
    ///
    /// - Parameters:
    ///   - start: The start of its identity.
    ///   - anchor: The first instant of the last row that had any.
    /// - Returns: Its identity.
    @inline(__always)
    func append(
        _ cells: Span<Int>, _ text: Span<UInt8>, context: Int, _ start: SipHash128, anchor: inout Int,
        to values: inout ByteColumns
    ) -> UInt128 {
        let own = steps.span.extracting(ends[context]..<ends[context + 1])
        var hash = start
        var seconds = 0
        var isFirst = true
        for number in own.indices {
            let (column, kind) = (Int(own[number].column), own[number].kind)
            let cell = cells[number]
            switch kind {
            case .time, .ignoredTime:
                seconds += cell
                values.append(isFirst ? seconds - anchor : cell, to: column)
                if isFirst { anchor = seconds }
                isFirst = false
                if kind == .time { hash.update(UInt64(bitPattern: Int64(seconds))) }
            case .token, .ignoredToken:
                let range = TokenPlace(code: cell).range
                values.append(text, range, to: column)
                guard kind == .token else { continue }
                hash.update(UInt64(range.count))
                hash.update(text.extracting(range))
            case .enclosed:
                let place = TokenPlace(code: cell)
                values.append(repetitive: text, place.anyRange, quoted: place.lacksQuotes, to: column)
            }
        }
        return hash.finish()
    }
}
