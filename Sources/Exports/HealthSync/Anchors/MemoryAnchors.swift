public import HealthArchive
public import HealthModel

/// Anchors that last as long as the process.
public actor MemoryAnchors: AnchorStore {
    private var people: [String: Subject] = [:]
    private var pages: [String: [AnchorPage]] = [:]

    /// Creates a store without anchors.
    public init() {}

    /// One: the objects of the store beside it are not told apart.
    public nonisolated var capacity: SubjectCapacity { .one }

    /// Returns the people.
    public func subjects() -> [Subject] { people.values.sorted { $0.person < $1.person } }

    /// Saves a person.
    public func save(_ subject: Subject) { people[subject.person] = subject }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) -> [AnySampleType] {
        Set(pages[person, default: []].map(\.span.sampleType)).sorted { $0.identifier < $1.identifier }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType, of person: String) -> [AnchorPage.Summary] {
        pages[person, default: []].filter { $0.span.sampleType == type }.map(\.summary)
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) -> [AnchorPage] {
        pages[person, default: []].filter { page in
            summaries.contains { $0.span == page.span && $0.number == page.number }
        }
    }

    /// Saves pages.
    public func save(_ new: [AnchorPage], of person: String) {
        pages[person, default: []].removeAll { page in
            new.contains { $0.span == page.span && $0.number == page.number }
        }
        pages[person, default: []] += new.filter { !$0.identities.isEmpty }
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) {
        pages[person]?.removeAll { types.contains($0.span.sampleType) }
    }
}
