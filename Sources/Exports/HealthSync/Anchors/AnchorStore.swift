public import HealthModel

/// Where the anchors of a target rest.
///
/// Anchors say which types and times someone has samples of, so they rest in the target itself, which has the samples,
/// or encrypted.
public protocol AnchorStore: Sendable {
    /// Returns the types that have pages.
    func anchoredTypes() async throws -> [AnySampleType]

    /// Returns the summaries of the pages of a type, in any order.
    func summaries(of type: AnySampleType) async throws -> [AnchorPage.Summary]

    /// Returns the pages with these summaries, which are of one span.
    ///
    /// - Throws: ``SyncError`` if a page is damaged or missing.
    func pages(_ summaries: [AnchorPage.Summary]) async throws -> [AnchorPage]

    /// Saves pages, durably and in place of those with the same span and number; removes those without identities.
    func save(_ pages: [AnchorPage]) async throws

    /// Removes all pages of some types, so that everything is synchronised again.
    func removeAnchors(of types: [AnySampleType]) async throws
}
