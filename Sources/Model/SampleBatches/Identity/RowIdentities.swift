import SipHash

/// Computes the identities of single rows of a batch.
public struct RowIdentities: Sendable {
    private let batch: SampleBatch
    private let starts: [SipHash128]
    /// What each cell after the head contributes, the cells of one context after those of another.
    private let steps: [Step]
    /// For each context, the range of its steps.
    private let ranges: [Range<Int>]
    /// The hash of each content, preceded by one for no content.
    private let contents: [UInt128]

    /// Prepares to compute identities in a batch.
    public init(_ batch: SampleBatch) {
        self.batch = batch
        starts = batch.contexts.map { $0.identityStart(inElement: batch.key.element) }
        contents = [0] + batch.contents.map { ContentIdentity.hash(of: $0) }
        var steps: [Step] = []
        ranges = batch.contexts.map { context in
            let start = steps.count
            for column in context.columns {
                let isIncluded = RecordIdentity.includes(context.slots[column.slot])
                steps.append(
                    column.isTime ? isIncluded ? .time : .ignoredTime : isIncluded ? .token : .ignoredToken)
            }
            return start..<steps.count
        }
        self.steps = steps
    }

    /// What a cell contributes to the identity.
    private enum Step: UInt8 {
        case time
        /// Not part of the identity, but later instants are distances from it.
        case ignoredTime
        case token
        case ignoredToken
    }

    /// Returns the identity of the row that starts at a cell; it is the same in every export.
    public func identity(at cell: Int) -> UInt128 {
        let context = batch.cells[cell]
        var hash = starts[context]
        hash.update(contents[batch.cells[cell + 1]])
        let text = batch.text.span
        var place = cell + RowHead.cells
        var seconds = 0
        for step in ranges[context] {
            switch steps[step] {
            case .time:
                seconds += batch.cells[place]
                hash.update(UInt64(bitPattern: Int64(seconds)))
            case .ignoredTime: seconds += batch.cells[place]
            case .token:
                let range = TokenPlace(code: batch.cells[place]).range
                hash.update(UInt64(range.count))
                hash.update(text.extracting(range))
            case .ignoredToken: break
            }
            place += 1
        }
        return hash.finish()
    }
}

extension SampleBatch {
    /// Returns the count and the sum of the identities of the batch's rows.
    public func identitySum() -> IdentitySum {
        let starts = contexts.map { $0.identityStart(inElement: key.element) }
        let contentHashes = [0] + contents.map { ContentIdentity.hash(of: $0) }
        let included = contexts.flatMap { context in
            context.columns.map { RecordIdentity.includes(context.slots[$0.slot]) }
        }
        var sum = IdentitySum()
        var hash = SipHash128()
        // Most rows have the same context and content as the previous one.
        var last = (context: -1, content: -1, hash: hash)
        forEachRow { (row: Row) in
            if row.context != last.context || row.content != last.content {
                last = (row.context, row.content, starts[row.context])
                last.hash.update(contentHashes[row.content])
            }
            hash = last.hash
        } value: { row, _, value, bytes in
            guard included[row.column] else { return }
            switch value {
            case .instant(let seconds): hash.update(UInt64(bitPattern: Int64(seconds)))
            case .token(let range):
                hash.update(UInt64(range.count))
                hash.update(bytes.extracting(range))
            }
        } endRow: { _ in
            sum.add(hash.finish())
        }
        return sum
    }
}
