public import HealthModel

extension HealthStore {
    /// Returns the samples of a type that have changed since an anchor.
    ///
    /// ```swift
    /// var anchor = try await old.changes(of: .heartRate).anchor
    /// while true {
    ///     let changes = try await new.changes(of: .heartRate, since: anchor, olderStore: old, limit: 1000)
    ///     anchor = changes.anchor
    ///     if changes.isEmpty { break }
    /// }
    /// ```
    ///
    /// Exports do not list what was deleted since an earlier one. If the older store is available, both are compared in
    /// the months that differ; exact duplicates count separately.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - anchor: The samples that are already known; none by default.
    ///   - olderStore: The store that the anchor was made from.
    ///   - limit: The maximum number of changes returned at a time; nil for all.
    /// - Throws: ``QueryError``; an error if a store cannot be read.
    @concurrent public func changes<Sample: HealthSample>(
        of type: SampleType<Sample>, since anchor: QueryAnchor = QueryAnchor(),
        olderStore: (any HealthStore)? = nil, limit: Int? = nil
    ) async throws -> SampleChanges<Sample> {
        guard anchor.type.isEmpty || anchor.type == type.identifier else {
            throw QueryError(.anchorOfOtherType, type.erased)
        }
        let present = try await MonthSums.of(type, in: self)
        var changes = SampleChanges<Sample>(anchor: anchor)
        changes.anchor.type = type.identifier
        var room = limit.map { max(1, $0) } ?? .max
        let changed = Set(present.keys).union(anchor.months.keys).sorted().filter {
            present[$0] ?? QueryAnchor.Sum() != anchor.months[$0] ?? QueryAnchor.Sum()
        }
        // Both stores are read once, starting at the first month that differs.
        var new = MonthReader(type, self, changed)
        var old = olderStore.map { MonthReader(type, $0, changed) }
        if !changed.allSatisfy({ anchor.months[$0] == nil }), let olderStore {
            guard StoreFingerprint(anchor.store).compare(try await olderStore.fingerprint()) == .same else {
                throw QueryError(.anchorOfOtherStore, type.erased)
            }
        }
        for month in changed {
            guard room > 0 else { return changes }
            let target = present[month] ?? QueryAnchor.Sum()
            let isKnown = anchor.months[month] != nil
            if isKnown, old == nil {
                changes.changedMonths.append(month)
                changes.anchor.set(target, in: month)
                continue
            }
            let before = isKnown ? try await old?.samples(of: month) ?? [] : []
            let (deleted, added) = Self.difference(before, try await new.samples(of: month))
            let page = anchor.page.flatMap { $0.month == month && $0.target == target ? $0 : nil }
            // The anchor may come from a file, so its numbers are not trusted.
            let returned = max(0, page?.returned ?? 0)
            let rest = max(0, deleted.count + added.count - returned)
            let now = deleted.dropFirst(returned).prefix(room)
            changes.deleted += now
            changes.added += added.dropFirst(max(0, returned - deleted.count)).prefix(room - now.count)
            if rest > room {
                changes.anchor.page = QueryAnchor.Page(
                    month: month, target: target, returned: returned + room)
                return changes
            }
            room -= rest
            changes.anchor.page = nil
            changes.anchor.set(target, in: month)
        }
        // Everything was returned: the anchor now describes this store.
        changes.anchor.page = nil
        changes.anchor.store = try await fingerprint().facts
        return changes
    }

    /// Returns the samples that are in only one of two lists, in their original order.
    private static func difference<Sample: HealthSample>(
        _ old: [Sample], _ new: [Sample]
    ) -> (deleted: [Sample], added: [Sample]) {
        let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
        let (inOld, inNew) = (Set(oldIDs), Set(newIDs))
        return (
            zip(old, oldIDs).filter { !inNew.contains($0.1) }.map(\.0),
            zip(new, newIDs).filter { !inOld.contains($0.1) }.map(\.0)
        )
    }
}

extension QueryAnchor {
    fileprivate mutating func set(_ sum: Sum, in month: String) { months[month] = sum.count == 0 ? nil : sum }
}
