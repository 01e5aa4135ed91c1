public import HealthArchive
public import HealthModel

/// Where the anchors of a target rest, and whose samples it has.
///
/// Anchors say which types and times someone has samples of, so they rest in the target itself, which has the samples,
/// or encrypted. Those of each person are apart.
public protocol AnchorStore: AnyObject, Sendable {
    /// How many people's samples the target can have.
    var capacity: SubjectCapacity { get }

    /// Returns the people whose samples the target has, in any order.
    func subjects() async throws -> [Subject]

    /// Saves a person, durably and in place of one with the same name; a person is saved before anything that belongs to it.
    func save(_ subject: Subject) async throws

    /// Returns the types that have pages.
    func anchoredTypes(of person: String) async throws -> [AnySampleType]

    /// Returns the summaries of the pages of a type, in any order.
    func summaries(of type: AnySampleType, of person: String) async throws -> [AnchorPage.Summary]

    /// Returns the pages with these summaries, which are of one span.
    ///
    /// - Throws: ``SyncError`` if a page is damaged or missing.
    func pages(_ summaries: [AnchorPage.Summary], of person: String) async throws -> [AnchorPage]

    /// Saves pages, durably and in place of those with the same span and number; removes those without identities.
    func save(_ pages: [AnchorPage], of person: String) async throws

    /// Removes all pages of some types, so that everything is synchronised again.
    func removeAnchors(of types: [AnySampleType], of person: String) async throws
}

/// How many people's samples a target can keep apart.
public enum SubjectCapacity: Sendable {
    /// Those of one person.
    case one
    /// Those of several people, of whom one may have no name.
    case named
    /// Those of several people.
    case several
}
