public import ByteText
public import HealthModel
import SampleBatches

/// A page of the changes from one store to another.
public struct StoreChanges: Sendable {
    /// The samples that only the older store has.
    public internal(set) var deleted: [IdentifiedSample] = []
    /// The samples that only the newer store has.
    public internal(set) var added: [IdentifiedSample] = []
    /// The months or half-years (`2024-05`, in UTC) that changed, but whose changes are unknown without the older store.
    public internal(set) var changedSpans: [String] = []
    /// The anchor of the next page; after the last one, the anchor that stands for the newer store.
    public internal(set) var anchor: StoreAnchor

    /// Whether nothing has changed since the anchor.
    public var isEmpty: Bool { deleted.isEmpty && added.isEmpty && changedSpans.isEmpty }
}

/// An error thrown when an anchor does not fit the stores that it is used with.
public enum StoreAnchorError: ClassifiedError, Sendable, Equatable {
    /// The older store is not the one that the anchor stands for.
    case otherStore(name: String)
    /// The anchor is a page of the changes of another newer store.
    case otherPage
    /// The anchor does not have the sums of this type.
    case otherType(AnySampleType)
}

extension StoreAnchorError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { .failed }

    /// What happened, in a line.
    public var description: String {
        switch self {
        case .otherStore: "the anchor does not stand for this export or archive"
        case .otherPage: "the anchor is a page of the changes of another export or archive"
        case .otherType: "the anchor is about another type of samples"
        }
    }
}

extension HealthStore {
    /// Returns the changes since an anchor, page by page until a page is empty.
    ///
    /// ```swift
    /// var anchor = try await StoreAnchor(old, named: "old.hvault")
    /// while true {
    ///     let page = try await new.changes(since: anchor, in: old, named: "new.hvault", limit: 1000)
    ///     if page.isEmpty { break }
    ///     anchor = page.anchor
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - anchor: The anchor.
    ///   - older: The store that the anchor stands for; not read if the anchor stands for this store.
    ///   - name: The name of this store, for the last anchor.
    ///   - types: The types; nil for all. Pages of one anchor must have the same types.
    ///   - limit: The maximum number of changes in a page; nil for all.
    /// - Throws: ``StoreAnchorError``; an error if a store cannot be read.
    public func changes(
        since anchor: StoreAnchor, in older: any HealthStore, named name: String,
        of types: [AnySampleType]? = nil, limit: Int? = nil
    ) async throws -> StoreChanges {
        try await page(since: anchor, in: older, StoreAnchor(self, named: name), of: types, limit)
    }

    /// Returns the samples of a type that have changed since an anchor, page by page until a page is empty.
    ///
    /// ```swift
    /// var anchor = try await old.changes(of: .heartRate).anchor
    /// while true {
    ///     let changes = try await new.changes(of: .heartRate, since: anchor, in: old, limit: 1000)
    ///     anchor = changes.anchor
    ///     if changes.isEmpty { break }
    /// }
    /// ```
    ///
    /// Exports do not list what was deleted since an earlier one. Without the older store, only those spans are known to have
    /// changed whose sums differ from those of the anchor; the samples of a span of which the anchor has none are new.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - anchor: The samples that are already known; none by default.
    ///   - older: The store that the anchor was made from; nil if it is not there any more.
    ///   - limit: The maximum number of changes in a page; nil for all.
    /// - Throws: ``StoreAnchorError``; an error if a store cannot be read.
    @concurrent public func changes<Sample: HealthSample>(
        of type: SampleType<Sample>, since anchor: StoreAnchor = StoreAnchor(),
        in older: (any HealthStore)? = nil, limit: Int? = nil
    ) async throws -> SampleChanges<Sample> {
        let isBeginning = anchor.fingerprint.isEmpty
        guard anchor.type == type.erased || isBeginning && anchor.type == nil else {
            throw StoreAnchorError.otherType(type.erased)
        }
        var own = try await StoreAnchor(self, named: "")
        own.type = type.erased
        let changes = try await page(
            since: anchor, in: isBeginning ? nil : older, own, of: [type.erased], limit)
        return SampleChanges(
            added: changes.added.map { Sample(row: $0.sample.row) },
            deleted: changes.deleted.map { Sample(row: $0.sample.row) },
            changedSpans: changes.changedSpans, anchor: changes.anchor)
    }

    /// - Parameters:
    ///   - older: The store that the anchor stands for; nil to compare with the sums in the anchor.
    ///   - own: The anchor that stands for this store.
    private func page(
        since anchor: StoreAnchor, in older: (any HealthStore)?, _ own: StoreAnchor,
        of types: [AnySampleType]?, _ limit: Int?
    ) async throws -> StoreChanges {
        var changes = StoreChanges(anchor: own)
        if anchor.page == nil, anchor.fingerprint == own.fingerprint {
            changes.anchor.sums = anchor.sums
            return changes
        }
        if let older, try await !anchor.matches(older) {
            throw StoreAnchorError.otherStore(name: anchor.name)
        }
        if let page = anchor.page, page.newer != own.fingerprint { throw StoreAnchorError.otherPage }
        let sums = try await sums(of: types)
        if own.type != nil { changes.anchor.sums = sums }
        let before = try await older?.sums(of: types) ?? anchor.sums
        let difference = StoreDifference(from: before, to: sums)
        // Without the older store, what a span has is known only if there was nothing before.
        let places = difference.places { !$0.isSame && (older != nil || $0.older.count == 0) }
        let returned = max(0, anchor.page?.returned ?? 0)
        var skipped = 0
        var room = limit.map { max(1, $0) } ?? .max
        for try await span in DifferenceSequence(older, self, in: { places }) {
            let deleted = span.deleted.dropFirst(returned - skipped)
            skipped = min(returned, skipped + span.deleted.count)
            let added = span.added.dropFirst(returned - skipped)
            skipped = min(returned, skipped + span.added.count)
            let isCut = deleted.count + added.count > room
            changes.deleted += deleted.prefix(room)
            room -= min(room, deleted.count)
            changes.added += added.prefix(room)
            room -= min(room, added.count)
            guard isCut else { continue }
            changes.anchor = anchor
            changes.anchor.type = own.type
            changes.anchor.page = StoreAnchor.Page(
                newer: own.fingerprint, returned: returned + changes.deleted.count + changes.added.count)
            return changes
        }
        if older == nil {
            changes.changedSpans = difference.parts.filter { !$0.isSame && $0.older.count > 0 }.flatMap(
                \.spans)
        }
        return changes
    }
}

/// A page of the changes of samples of one type.
public struct SampleChanges<Sample: HealthSample>: Sendable {
    /// The new samples.
    public let added: [Sample]
    /// The deleted samples, from the older store.
    public let deleted: [Sample]
    /// The months or half-years (`2024-05`, in UTC) that changed, but whose changes are unknown without the older store.
    public let changedSpans: [String]
    /// The anchor for the next page or, if nothing has changed, for the next query.
    public let anchor: StoreAnchor

    /// Whether nothing has changed since the anchor.
    public var isEmpty: Bool { added.isEmpty && deleted.isEmpty && changedSpans.isEmpty }
}
