extension SampleBatch {
    /// Returns the count and the sum of the identities of the batch's rows.
    public func identitySum() -> IdentitySum {
        let starts = contexts.map { context in
            var hash = SipHash128()
            hash.update(context.identity(inElement: key.element))
            return hash
        }
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
            case .instant(let seconds, _): hash.update(UInt64(bitPattern: Int64(seconds)))
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
