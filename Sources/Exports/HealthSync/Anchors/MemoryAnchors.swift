public import HealthModel

/// Anchors that last as long as the process.
public actor MemoryAnchors: AnchorStore {
    private var pages: [AnchorPage] = []

    /// Creates a store without anchors.
    public init() {}

    /// Returns the types that have pages.
    public func anchoredTypes() -> [AnySampleType] {
        Set(pages.map(\.span.sampleType)).sorted { $0.identifier < $1.identifier }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType) -> [AnchorPage.Summary] {
        pages.filter { $0.span.sampleType == type }.map(\.summary)
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary]) -> [AnchorPage] {
        pages.filter { page in summaries.contains { $0.span == page.span && $0.number == page.number } }
    }

    /// Saves pages.
    public func save(_ new: [AnchorPage]) {
        pages.removeAll { page in new.contains { $0.span == page.span && $0.number == page.number } }
        pages += new.filter { !$0.identities.isEmpty }
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType]) {
        pages.removeAll { types.contains($0.span.sampleType) }
    }
}
