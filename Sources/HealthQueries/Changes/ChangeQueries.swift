public import HealthModel
import SampleBatches

extension HealthStore {
    /// Returns the samples of a type that have changed since an anchor.
    ///
    /// ```swift
    /// var anchor = QueryAnchor()
    /// while true {
    ///     let changes = try await new.changes(of: .heartRate, since: anchor, olderStore: old, limit: 1000)
    ///     anchor = changes.anchor
    ///     if changes.isEmpty { break }
    /// }
    /// ```
    ///
    /// Two exports of a phone have no list of what was deleted between them. Where the older one is there, both are
    /// compared in the months that differ; an exact duplicate counts as often as it is there.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - anchor: What is known already; by default nothing.
    ///   - olderStore: The store that the anchor was made from.
    ///   - limit: The most changes that are returned at a time; nil for all.
    /// - Throws: ``QueryAnchorError``; what prevents a store from being read.
    @concurrent public func changes<Sample: HealthSample>(
        of type: SampleType<Sample>, since anchor: QueryAnchor = QueryAnchor(),
        olderStore: (any HealthStore)? = nil, limit: Int? = nil
    ) async throws -> SampleChanges<Sample> {
        guard anchor.type.isEmpty || anchor.type == type.identifier else {
            throw QueryAnchorError(.otherType)
        }
        let present = try await MonthSums.of(type, in: self)
        var changes = SampleChanges<Sample>(anchor: anchor)
        changes.anchor.type = type.identifier
        var room = limit.map { max(1, $0) } ?? .max
        for month in Set(present.keys).union(anchor.months.keys).sorted() {
            let target = present[month] ?? QueryAnchor.Sum()
            guard target != anchor.months[month] ?? QueryAnchor.Sum() else { continue }
            guard room > 0 else { return changes }
            if olderStore == nil, anchor.months[month] != nil {
                changes.changedMonths.append(month)
                changes.anchor.set(target, in: month)
                continue
            }
            var old: [Sample] = []
            if anchor.months[month] != nil, let olderStore {
                let facts = try await olderStore.fingerprint()
                guard StoreFingerprint(anchor.store).compare(facts) == .same else {
                    throw QueryAnchorError(.otherStore)
                }
                old = try await MonthSums.samples(type, in: olderStore, month)
            }
            let new = try await MonthSums.samples(type, in: self, month)
            let (deleted, added) = Self.difference(old, new)
            let returned =
                anchor.page.flatMap { $0.month == month && $0.target == target ? $0.returned : nil } ?? 0
            let rest = max(0, deleted.count + added.count - returned)
            changes.deleted += deleted.dropFirst(returned).prefix(room)
            changes.added += added.dropFirst(max(0, returned - deleted.count))
                .prefix(room - min(room, max(0, deleted.count - returned)))
            if rest > room {
                changes.anchor.page = QueryAnchor.Page(
                    month: month, target: target, returned: returned + room)
                return changes
            }
            room -= rest
            changes.anchor.page = nil
            changes.anchor.set(target, in: month)
        }
        // Everything was returned: from now on it is known from this store.
        changes.anchor.page = nil
        changes.anchor.store = try await fingerprint().facts
        return changes
    }

    /// Returns the samples that only one of two lists has, in their orders.
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

/// The samples of a type by the months of their starts in UTC.
enum MonthSums: Sendable {
    /// The name for samples without a start.
    private static let undated = "undated"

    static func of<Sample: HealthSample>(
        _ type: SampleType<Sample>, in store: any HealthStore
    ) async throws -> [String: QueryAnchor.Sum] {
        var sums: [String: IdentitySum] = [:]
        for try await samples in store.samples(type) {
            try Task.checkCancellation()
            samples.forEachIdentity { start, identity in
                sums[start.map { name($0) } ?? undated, default: IdentitySum()].add(identity)
            }
        }
        return sums.mapValues { QueryAnchor.Sum(count: $0.count, identities: $0.hexadecimal) }
    }

    private static func name(_ seconds: Int) -> String {
        SpanRule.months(1).name(of: SpanRule.months(1).span(of: seconds))
    }

    /// Returns the samples of a month, or those without a start.
    static func samples<Sample: HealthSample>(
        _ type: SampleType<Sample>, in store: any HealthStore, _ month: String
    ) async throws -> [Sample] {
        guard let first = CivilDate(Array("\(month)-01".utf8).span),
            let range = SpanRule.months(1).range(around: first.start.seconds)
        else { return try await store.samples(type).all().filter { $0.startDate == nil } }
        let instants =
            Timestamp(
                seconds: range.lowerBound, offsetMinutes: 0)..<Timestamp(
                seconds: range.upperBound, offsetMinutes: 0)
        return try await store.samples(type, in: .instants(instants)).all()
    }
}
