import ArchiveManifest
import CivilTime
import HealthModel
import HealthQueries
import SampleBatches

/// A target of a synchronisation, with the types that are synchronised with it.
struct SyncTarget: Sendable {
    let anchors: any AnchorStore
    var types: Set<AnySampleType> = []
    /// Whether all other types are, too.
    var hasAllTypes = false

    func selects(_ type: AnySampleType) -> Bool { hasAllTypes || types.contains(type) }
}

/// Whose samples a source has, as a target knows the person, and what would change there.
struct SubjectChoice: Sendable {
    let target: SyncTarget
    private(set) var subject: Subject
    /// The same, as the target has it; nil if it does not.
    private(set) var known: Subject?
    /// What would change, by type; nil if the target knows nobody whose samples these may be.
    private(set) var changes: [AnySampleType: SyncCounts]?
    /// Whether the target has samples of others, and none of this person.
    private(set) var isFurtherPerson = false

    /// The number of people at a target up to which each is compared with a source.
    private static let mostCompared = 16

    /// Finds out whose samples a source has, for each of some targets, in one pass at most.
    ///
    /// - Parameter isResetting: Whether anchors that cannot be read tell nothing, instead of ending this.
    /// - Throws: ``SyncError``, `doubtful` if the terms do not allow to go on; nothing was changed then.
    static func choices(
        _ targets: [SyncTarget], _ store: any HealthStore, _ terms: SubjectTerms, isPartial: Bool,
        isResetting: Bool
    ) async throws -> [SubjectChoice] {
        var sides: [(place: Int, side: ComparedSubject)] = []
        var people: [[Subject]] = []
        for (place, target) in targets.enumerated() {
            let all = try await target.anchors.subjects()
            people.append(all)
            for subject in try candidates(all, terms) {
                sides.append((place, ComparedSubject(target, subject, deletes: !isPartial)))
            }
        }
        var exportDate: Int?
        if !sides.isEmpty {
            var compared = sides.map(\.side)
            do { try await ComparedSubject.compare(&compared, with: store) } catch let error as SyncError {
                guard isResetting, error.code == .unreadableAnchors else { throw error }
                compared = []
            }
            sides = zip(sides, compared).map { ($0.place, $1) }
            exportDate = try await store.contents().exportDate?.seconds
        }
        return try targets.enumerated().map { place, target in
            try choice(
                of: target, people[place], sides.filter { $0.place == place }.map(\.side), exportDate, terms,
                isPartial: isPartial)
        }
    }

    /// Returns the people whose samples the source may have.
    private static func candidates(
        _ people: [Subject], _ terms: SubjectTerms
    ) throws(SyncError) -> [Subject] {
        if let name = terms.person {
            if let known = people.first(where: { $0.person == name }) { return [known] }
            return people.filter { !$0.isNamed }
        }
        guard people.count <= mostCompared else { throw SyncError(.doubtful(.many)) }
        return people
    }

    private static func choice(
        of target: SyncTarget, _ people: [Subject], _ compared: [ComparedSubject], _ exportDate: Int?,
        _ terms: SubjectTerms, isPartial: Bool
    ) throws(SyncError) -> SubjectChoice {
        let best = compared.max { $0.overlap.common < $1.overlap.common }
        // One of several people is told by samples that are there; the only one, also by there being none.
        let isSame =
            best.map {
                $0.overlap.share >= SampleOverlap.leastShare && (people.count == 1 || $0.overlap.common > 0)
            } ?? false
        if let name = terms.person, !people.contains(where: { $0.person == name }) {
            if let best, isSame, best.overlap.common > 0 {
                throw SyncError(.doubtful(.unnamed(best.subject.person)))
            }
            guard people.isEmpty || target.anchors.capacity != .one else {
                throw SyncError(.doubtful(.named(people[0].person)))
            }
            return SubjectChoice(
                target: target, subject: Subject(name), isFurtherPerson: !people.isEmpty)
        }
        // Anchors that cannot be read tell nothing, and leave a person who is known by the name alone.
        if compared.isEmpty, let known = people.first(where: { $0.person == terms.person }) ?? people.first,
            people.count == 1 || terms.person != nil
        {
            return SubjectChoice(target: target, subject: known, known: known)
        }
        guard let best, isSame || terms.person != nil else {
            // Without samples, it may be anybody's.
            if best?.overlap.found == 0 { throw SyncError(.doubtful(.many)) }
            let hasRoom =
                switch target.anchors.capacity {
                case .one: people.isEmpty
                case .named: people.allSatisfy(\.isNamed)
                case .several: true
                }
            guard hasRoom else { throw SyncError(.doubtful(.other(.samples))) }
            return SubjectChoice(target: target, subject: .unnamed(), isFurtherPerson: !people.isEmpty)
        }
        // Where nothing is left, there is nothing to go back from.
        let newest = best.overlap.held > 0 ? best.subject.exportDate : nil
        do throws(SubjectDoubt) {
            try terms.check(
                Subject(best.subject.person, exportDate: newest), exportDate,
                isPartial ? SampleOverlap() : best.selected)
        } catch { throw SyncError(.doubtful(error)) }
        var subject = best.subject
        subject.exportDate = exportDate ?? subject.exportDate
        return SubjectChoice(target: target, subject: subject, known: best.subject, changes: best.changes)
    }
}

/// A person at a target beside a source: what both have in common, and what a synchronisation would change.
struct ComparedSubject: Sendable {
    let subject: Subject
    private let target: SyncTarget
    private let deletes: Bool
    /// What both have in common of all types.
    private(set) var overlap = SampleOverlap()
    /// The same of the types that are synchronised.
    private(set) var selected = SampleOverlap()
    private(set) var changes: [AnySampleType: SyncCounts] = [:]
    /// The types of the target that the source was not yet compared in.
    private var types: Set<AnySampleType> = []
    private var summaries: [SampleBatch.Key: [AnchorPage.Summary]] = [:]

    init(_ target: SyncTarget, _ subject: Subject, deletes: Bool) {
        self.target = target
        self.subject = subject
        self.deletes = deletes
    }

    /// Compares people with a source, in one pass over it.
    static func compare(_ sides: inout [ComparedSubject], with store: any HealthStore) async throws {
        var types: Set<AnySampleType> = []
        for place in sides.indices {
            try await sides[place].begin()
            types.formUnion(sides[place].types.union(sides[place].target.types))
        }
        let hasAll = sides.contains { $0.target.hasAllTypes }
        var last: AnySampleType?
        for try await span in store.spans(BatchQuery(types: hasAll ? nil : Array(types))) {
            try Task.checkCancellation()
            if span.type != last {
                for place in sides.indices { try await sides[place].begin(span.type, after: last) }
                last = span.type
            }
            let sum = span.identitySum()
            for place in sides.indices { try await sides[place].compare(span, sum) }
        }
        for place in sides.indices { try await sides[place].finish(after: last) }
    }

    private mutating func begin() async throws {
        types = Set(try await target.anchors.anchoredTypes(of: subject.person))
    }

    private mutating func begin(_ type: AnySampleType, after last: AnySampleType?) async throws {
        if let last { addGone(last) }
        if types.remove(type) != nil { try await load(type) }
    }

    private mutating func load(_ type: AnySampleType) async throws {
        let known = try await target.anchors.summaries(of: type, of: subject.person)
        summaries = Dictionary(grouping: known, by: \.span)
    }

    private mutating func compare(_ span: SpanSamples, _ sum: IdentitySum) async throws {
        let known = summaries.removeValue(forKey: span.key) ?? []
        var held = IdentitySum()
        for page in known { held.add(page.sum) }
        var counts = SyncCounts()
        if known.isEmpty || held != sum {
            let pages = known.isEmpty ? [] : try await target.anchors.pages(known, of: subject.person)
            counts = SpanPlan(span.key, span, pages, capacity: 1, deletes: true, where: nil).counts
        }
        add(span.type, held: held.count, found: span.count, counts)
    }

    /// Counts the spans of a type that the source does not have.
    private mutating func addGone(_ type: AnySampleType) {
        for page in summaries.values.joined() {
            var counts = SyncCounts()
            counts.deleted = page.sum.count
            add(type, held: page.sum.count, found: 0, counts)
        }
        summaries = [:]
    }

    /// Counts the types that the source does not have.
    private mutating func finish(after last: AnySampleType?) async throws {
        if let last { addGone(last) }
        for type in types {
            try await load(type)
            addGone(type)
        }
    }

    private mutating func add(_ type: AnySampleType, held: Int, found: Int, _ counts: SyncCounts) {
        func add(to overlap: inout SampleOverlap) {
            overlap.held += held
            overlap.found += found
            overlap.common += held - counts.deleted
        }
        add(to: &overlap)
        guard target.selects(type) else { return }
        add(to: &selected)
        var counts = counts
        if !deletes { counts.deleted = 0 }
        if !counts.isEmpty { changes[type, default: SyncCounts()] += counts }
    }
}
