public import ErrorKinds
public import HealthModel

/// A page of the changes from one store to another.
public struct StoreChanges: Sendable {
    /// The samples that only the older store has.
    public internal(set) var deleted: [IdentifiedSample] = []
    /// The samples that only the newer store has.
    public internal(set) var added: [IdentifiedSample] = []
    /// The anchor of the next page; after the last one, the anchor that stands for the newer store.
    public internal(set) var anchor: StoreAnchor

    /// Whether nothing has changed since the anchor.
    public var isEmpty: Bool { deleted.isEmpty && added.isEmpty }
}

/// An error thrown when an anchor does not fit the stores that it is used with.
public enum StoreAnchorError: ClassifiedError, Sendable, Equatable {
    /// The older store is not the one that the anchor stands for.
    case otherStore(name: String)
    /// The anchor is a page of the changes of another newer store.
    case otherPage
}

extension StoreAnchorError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { .failed }

    /// What happened, in a line.
    public var description: String {
        switch self {
        case .otherStore: "the anchor does not stand for this export or archive"
        case .otherPage: "the anchor is a page of the changes of another export or archive"
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
        let own = try await StoreAnchor(self, named: name)
        var changes = StoreChanges(anchor: own)
        if anchor.page == nil, anchor.fingerprint == own.fingerprint { return changes }
        guard try await anchor.matches(older) else { throw StoreAnchorError.otherStore(name: anchor.name) }
        if let page = anchor.page, page.newer != own.fingerprint { throw StoreAnchorError.otherPage }
        let returned = anchor.page?.returned ?? 0
        var skipped = 0
        var room = limit.map { max(1, $0) } ?? .max
        for try await span in differences(from: older, of: types) {
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
            changes.anchor = StoreAnchor(
                name: anchor.name, fingerprint: anchor.fingerprint,
                page: StoreAnchor.Page(
                    newer: own.fingerprint,
                    returned: returned + changes.deleted.count + changes.added.count))
            return changes
        }
        return changes
    }
}
