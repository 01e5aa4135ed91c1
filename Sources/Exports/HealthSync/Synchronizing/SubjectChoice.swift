import ByteText
import HealthArchive
import HealthModel
import HealthQueries
import SampleBatches

/// A target of a synchronisation, with the types that are synchronised with it.
struct SyncTarget: Sendable {
    let anchors: any AnchorStore
    var types: Set<AnySampleType> = []
    /// Whether all other types are, too.
    var hasAllTypes = false
    /// The types that are not, nevertheless.
    var excluded: Set<AnySampleType> = []

    func selects(_ type: AnySampleType) -> Bool {
        !excluded.contains(type) && (hasAllTypes || types.contains(type))
    }
}

/// Whose samples a source has, as a target knows the person, and what would change there.
struct SubjectChoice: Sendable {
    let target: SyncTarget
    private(set) var subject: Subject
    /// The same, as the target has it; nil if it does not.
    private(set) var known: Subject?
    /// What would change, by type; nil if the target knows nobody whose samples these may be.
    private(set) var changes: [AnySampleType: SyncCounts]?
    /// The spans that may differ; nil for all.
    private(set) var places: SpanPlaces?
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
            var all: [Subject] = []
            do { all = try await target.anchors.subjects() } catch let error as SyncError {
                guard isResetting, error.code == .unreadableAnchors else { throw error }
            }
            people.append(all)
            for subject in try candidates(all, terms) {
                sides.append((place, ComparedSubject(target, subject, deletes: !isPartial)))
            }
        }
        var exportDate: Int?
        if !sides.isEmpty {
            var compared = sides.map(\.side)
            try await ComparedSubject.compare(&compared, with: store, acceptingDamage: isResetting)
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
        if let name = terms.person, !people.contains(where: { $0.person == name }) {
            if let same = compared.first(where: { $0.isSame && $0.overlap.common > 0 }) {
                throw SyncError(.doubtful(.unnamed(same.subject.person)))
            }
            guard people.isEmpty || target.anchors.capacity != .one else {
                throw SyncError(.doubtful(.named(people[0].person)))
            }
            // It would share what belongs to those without a name.
            guard people.isEmpty || Subject(name).isNamed else { throw SyncError(.doubtful(.many)) }
            return SubjectChoice(
                target: target, subject: Subject(name), isFurtherPerson: !people.isEmpty)
        }
        let best = compared.max { $0.overlap.common < $1.overlap.common }
        // The only person is asked for by an export without samples, too.
        let isOnly = people.count == 1 && !isPartial && best?.overlap.found == 0
        guard let best, terms.person != nil || best.isSame && (best.overlap.common > 0 || isOnly) else {
            return try unknown(target, people, compared, isPartial: isPartial)
        }
        // Where nothing is left, there is nothing to go back from.
        if best.overlap.held > 0 {
            do throws(SubjectDoubt) {
                try terms.check(best.subject, exportDate, isPartial ? SampleOverlap() : best.selected)
            } catch { throw SyncError(.doubtful(error)) }
        }
        var subject = best.subject
        subject.exportDate = exportDate ?? subject.exportDate
        return SubjectChoice(
            target: target, subject: subject, known: best.subject, changes: best.changes,
            places: best.places)
    }

    /// Decides about samples of which a target has none, and that no name was given for.
    private static func unknown(
        _ target: SyncTarget, _ people: [Subject], _ compared: [ComparedSubject], isPartial: Bool
    ) throws(SyncError) -> SubjectChoice {
        // Someone without a name of whom nothing is there, perhaps since the first run was interrupted.
        if let free = compared.first(where: { !$0.subject.isNamed && $0.isEmpty }) {
            return SubjectChoice(
                target: target, subject: free.subject, known: free.subject, changes: free.changes,
                places: free.places,
                isFurtherPerson: people.count > 1)
        }
        // Without samples, a part or damage, it may be anybody's.
        let isUnclear = isPartial || compared.contains { $0.isUnreadable || $0.overlap.found == 0 }
        if isUnclear, !people.isEmpty { throw SyncError(.doubtful(.many)) }
        let hasRoom =
            switch target.anchors.capacity {
            case .one: people.isEmpty
            case .named: people.allSatisfy(\.isNamed)
            case .several: true
            }
        guard hasRoom else { throw SyncError(.doubtful(.other(.samples))) }
        return SubjectChoice(target: target, subject: .unnamed(), isFurtherPerson: !people.isEmpty)
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
    /// The spans of the same types that differ; nil if the anchors are damaged, so that the rest was not compared.
    private(set) var places: SpanPlaces? = SpanPlaces()
    /// The pages of the target; after the sums were compared, those of the spans that must be read.
    private var summaries: [SampleBatch.Key: [AnchorPage.Summary]] = [:]
    /// The spans of which both have samples, but not the same.
    private var mixed = SpanPlaces()

    init(_ target: SyncTarget, _ subject: Subject, deletes: Bool) {
        self.target = target
        self.subject = subject
        self.deletes = deletes
    }

    /// Whether enough samples are in both.
    var isSame: Bool { overlap.share >= SampleOverlap.leastShare }
    /// Whether the anchors are damaged.
    var isUnreadable: Bool { places == nil }
    /// Whether the target has nothing of the person.
    var isEmpty: Bool { overlap.held == 0 && !isUnreadable }

    /// Compares people with a source, first by the sums of spans.
    ///
    /// - Parameter acceptsDamage: Whether to go on if the anchors of a person cannot be read.
    static func compare(
        _ sides: inout [ComparedSubject], with store: any HealthStore,
        acceptingDamage acceptsDamage: Bool = false
    ) async throws {
        func each(_ body: (inout ComparedSubject) async throws -> Void) async throws {
            for place in sides.indices where !sides[place].isUnreadable {
                do { try await body(&sides[place]) } catch let error as SyncError {
                    guard acceptsDamage, error.code == .unreadableAnchors else { throw error }
                    sides[place].places = nil
                }
            }
        }
        try await each { side in
            let (anchors, person) = (side.target.anchors, side.subject.person)
            side.summaries = try await anchors.summaries(of: anchors.anchoredTypes(of: person), of: person)
        }
        let types = sides.reduce(into: Set<AnySampleType>()) { types, side in
            types.formUnion(side.target.types)
            types.formUnion(side.summaries.keys.map(\.sampleType))
        }
        let hasAll = sides.contains { $0.target.hasAllTypes }
        let found = try await store.sums(of: hasAll ? nil : Array(types))
        var mixed = SpanPlaces()
        try await each { side in
            side.compare(found)
            mixed.formUnion(side.mixed)
        }
        if !mixed.isEmpty {
            for try await span in store.spans(BatchQuery(mixed)) {
                try Task.checkCancellation()
                try await each { try await $0.compare(span) }
            }
        }
        try await each { side in
            for (key, pages) in side.summaries { side.add(key.sampleType, held: pages.sum.count, found: 0) }
        }
    }

    /// Counts where the sums tell how many samples are in both: all, or none.
    private mutating func compare(_ found: [SpanSum]) {
        let difference = StoreDifference(from: summaries.sums, to: found)
        places = difference.places { !$0.isSame && target.selects($0.type) }
        mixed = difference.places { !$0.isSame && !$0.isOneSided }
        for part in difference.parts where part.isSame || part.isOneSided {
            let common = part.isSame ? part.newer.count : 0
            add(part.type, held: part.older.count, found: part.newer.count, common: common)
        }
        summaries = summaries.filter { mixed.contains($0.key) }
    }

    /// Counts what a span of the source has in common with the pages of the target.
    private mutating func compare(_ span: SpanSamples) async throws {
        guard mixed.contains(span.key) else { return }
        let known = summaries.removeValue(forKey: span.key) ?? []
        let (held, sum) = (known.sum, span.identitySum())
        var common = held == sum ? sum.count : 0
        if !known.isEmpty, held != sum {
            let identities = IdentityCounts(try await target.anchors.pages(known, of: subject.person))
            common = held.count - identities.copies(missingIn: span.identityCounts()).count
        }
        add(span.type, held: held.count, found: sum.count, common: common)
    }

    private mutating func add(_ type: AnySampleType, held: Int, found: Int, common: Int = 0) {
        func add(to overlap: inout SampleOverlap) {
            overlap.held += held
            overlap.found += found
            overlap.common += common
        }
        add(to: &overlap)
        guard target.selects(type) else { return }
        add(to: &selected)
        var counts = SyncCounts()
        counts.added = found - common
        counts.deleted = deletes ? held - common : 0
        if !counts.isEmpty { changes[type, default: SyncCounts()] += counts }
    }
}
