import HealthModel
import HealthQueries
import SampleBatches

/// The changes that bring the objects of one span in step with the source, in batches, and the pages after each batch.
struct SpanPlan {
    private let key: SampleBatch.Key
    private let type: AnySampleType
    /// The identities of the pages, by number; a page that became empty stays here.
    private var pages: [Int: [UInt128]]
    private let capacity: Int
    private var removed: ArraySlice<(id: SampleID, page: Int)>
    private var added: ArraySlice<IdentifiedSample>

    /// Compares the samples of a span with the pages of the target.
    ///
    /// - Parameters:
    ///   - key: Element, type and span.
    ///   - samples: The samples; nil if the source no longer has any.
    ///   - pages: All pages of the span.
    ///   - capacity: The number of identities up to which a page is filled.
    ///   - deletes: Whether to remove what the source does not have.
    ///   - isWanted: Returns whether to add a sample; nil for all.
    init(
        _ key: SampleBatch.Key, _ samples: SpanSamples?, _ pages: [AnchorPage], capacity: Int, deletes: Bool,
        where isWanted: ((AnySample) -> Bool)?
    ) {
        self.key = key
        self.capacity = capacity
        let type = key.sampleType
        self.type = type
        self.pages = Dictionary(pages.map { ($0.number, $0.identities) }) { $0 + $1 }
        let known = IdentityCounts(pages)
        let missing = samples?.samples(missingIn: known) ?? []
        added = (isWanted.map { isWanted in missing.filter { isWanted($0.sample) } } ?? missing)[...]
        let gone =
            pages.isEmpty || !deletes
            ? [] : known.copies(missingIn: samples?.identityCounts() ?? IdentityCounts())
        var places: [UInt128: [Int]] = [:]
        for identity in gone.map(\.identity) { places[identity] = [] }
        for page in pages {
            for identity in page.identities where places[identity] != nil {
                places[identity]?.append(page.number)
            }
        }
        // The last copies are removed, wherever they are listed.
        removed =
            gone.map { copy in
                let page = places[copy.identity]?.popLast() ?? 0
                return (SampleID(type: type, identity: copy.identity, ordinal: copy.ordinal), page)
            }[...]
    }

    /// Returns the next batch, deletions first, and the pages that it changes; nil after the last.
    mutating func next(_ size: Int) -> (batch: SyncBatch, pages: [AnchorPage])? {
        let gone = removed.prefix(size)
        let new = added.prefix(size - gone.count)
        guard !gone.isEmpty || !new.isEmpty else { return nil }
        removed = removed.dropFirst(gone.count)
        added = added.dropFirst(new.count)
        var changed: Set<Int> = []
        for (id, page) in gone {
            if let place = pages[page]?.firstIndex(of: id.identity) { pages[page]?.remove(at: place) }
            changed.insert(page)
        }
        var last = max(1, pages.keys.max() ?? 1)
        for sample in new {
            if pages[last, default: []].count >= capacity { last += 1 }
            pages[last, default: []].append(sample.id.identity)
            changed.insert(last)
        }
        let batch = SyncBatch(of: type, deleted: gone.map(\.id), added: Array(new))
        return (
            batch,
            changed.sorted().map { AnchorPage(span: key, number: $0, identities: pages[$0] ?? []) }
        )
    }
}

extension IdentityCounts {
    /// Counts the identities of pages.
    init(_ pages: [AnchorPage]) {
        self.init()
        for page in pages {
            for identity in page.identities { add(identity) }
        }
    }
}
