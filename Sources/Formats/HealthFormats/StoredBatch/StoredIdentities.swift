import ByteText
package import SampleBatches

/// What a stored batch contains, in sum.
package struct StoredIdentity: Sendable {
    /// What the batch contains.
    package let key: SampleBatch.Key
    /// Whether its samples were in an earlier export but are not in the newest.
    package let isGone: Bool
    /// The count and the sum of the identities of its rows.
    package let sum: IdentitySum
}

extension RowAssembly {
    /// Returns the count and the sum of the identities of the rows, without assembling them.
    ///
    /// - Throws: `FormatError` wherever ``batch(_:_:_:)`` does.
    func identity(
        element: String, _ contexts: [BatchContext], _ contents: [[UInt8]]
    ) throws(FormatError) -> IdentitySum {
        try checkPositions()
        var identities = ColumnIdentities(element: element, contexts: contexts, contents: contents)
        let included = contexts.map(\.areInIdentity)
        let groups = layout.groups(longestToken: values.longestToken)
        let (tokens, all) = (values.text, values.numbers)
        let (text, numbers) = (tokens.span, all.span)
        let (contextNumbers, contentNumbers) = (
            numbers.extracting(0..<count), numbers.extracting(count..<(2 * count))
        )
        var next = starts
        var instants = [Int](repeating: 0, count: ColumnIdentities.mostRows)
        // The first instant of the last row that had one.
        var anchor = 0
        var row = 0
        while row < count {
            let context = contextNumbers[row]
            let group = groups[context]
            var end = row + 1
            while end < count, end - row < group.most, groups[contextNumbers[end]].number == group.number {
                end += 1
            }
            identities.begin(
                contexts: contextNumbers.extracting(row..<end),
                contents: contentNumbers.extracting(row..<end))
            var isFirst = true
            for (step, isIncluded) in zip(layout.steps(of: context), included[context]) {
                let place = next[step.column]
                next[step.column] += end - row
                let column = numbers.extracting(place..<(place + end - row))
                if let writable = step.instants {
                    if isFirst {
                        Self.addUp(column, &anchor, to: &instants)
                        let firsts = instants.span.extracting(0..<column.count)
                        identities.advance(by: firsts, isIncluded: isIncluded)
                    } else {
                        identities.advance(by: column, isIncluded: isIncluded)
                    }
                    isFirst = false
                    guard identities.areInstants(in: writable) else { throw FormatError(.inconsistent) }
                } else {
                    if step.isEnclosed { try Self.checkEnclosed(column, text) }
                    if isIncluded { identities.add(column, text) }
                }
            }
            identities.finish()
            row = end
        }
        return identities.sum
    }

    /// Adds each distance to the sum of those before it.
    private static func addUp(_ distances: Span<Int>, _ sum: inout Int, to sums: inout [Int]) {
        var sums = sums.mutableSpan
        for row in distances.indices {
            sum &+= distances[row]
            sums[row] = sum
        }
    }

    private static func checkEnclosed(_ column: Span<Int>, _ text: Span<UInt8>) throws(FormatError) {
        for row in column.indices {
            guard text[TokenPlace(code: column[row]).range.lowerBound] == UInt8(ascii: "\"") else {
                throw FormatError(.inconsistent)
            }
        }
    }
}

/// Contexts whose rows are read in the same way.
private struct ContextGroup {
    /// The number of the first of them.
    let number: Int
    /// The most rows to be read together.
    let most: Int

    /// The most words of messages at a time: rows may have megabytes.
    private static let mostWords = 1 << 18

    init(_ steps: [StepLayout.Step], number: Int, longestToken: Int) {
        self.number = number
        let words = (longestToken / 8 + 2) * steps.count + 1
        // Where two values of a row are in the same column, those of successive rows do not follow each other.
        let isRegular = Set(steps.map(\.column)).count == steps.count
        most = isRegular ? min(max(1, Self.mostWords / words), ColumnIdentities.mostRows) : 1
    }
}

extension StepLayout {
    /// Returns the group of each context.
    fileprivate func groups(longestToken: Int) -> [ContextGroup] {
        var groups: [[Step]: ContextGroup] = [:]
        return (0..<contextCount).map { context in
            let own = Array(steps(of: context))
            let group = groups[own] ?? ContextGroup(own, number: context, longestToken: longestToken)
            groups[own] = group
            return group
        }
    }
}
