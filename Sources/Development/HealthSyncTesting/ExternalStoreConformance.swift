import HealthArchive
import HealthModel
import HealthQueries
public import HealthSync
import SampleBatches

/// Checks that an external store keeps to the contract of ``TransactionalStore``.
///
/// It needs no test framework. Each check returns the problems found, one line each:
///
/// ```swift
/// @Test func conformance() async throws {
///     let check = ExternalStoreConformance { try MyStore(path: "health") } identifiers: { try readBack() }
///     #expect(try await check.problems() == [])
/// }
/// ```
public struct ExternalStoreConformance<Store: TransactionalStore>: Sendable {
    private let open: @Sendable () async throws -> Store
    private let identifiers: @Sendable () async throws -> [String]
    private let mergesCopies: Bool

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - mergesCopies: Whether exact copies of a sample are one object.
    ///   - open: Opens the store, which is empty the first time; no other instance is open then.
    ///   - identifiers: Returns the identifiers of all objects, read in another way than by the store.
    public init(
        mergesCopies: Bool = false, open: @escaping @Sendable () async throws -> Store,
        identifiers: @escaping @Sendable () async throws -> [String]
    ) {
        self.open = open
        self.identifiers = identifiers
        self.mergesCopies = mergesCopies
    }

    /// Runs all checks.
    ///
    /// - Returns: The problems found; empty for a store that keeps to the contract.
    /// - Throws: Any error that the store throws.
    public func problems() async throws -> [String] {
        var problems = try await calls()
        problems += try await pages()
        problems += try await people()
        problems += try await exports()
        problems += try await interruptions()
        return problems
    }

    private static var person: String { "Anna" }
    /// The exports below have little in common.
    private static var terms: SubjectTerms {
        SubjectTerms(person: person, allowsOlder: true, allowsDeletions: true)
    }

    /// Checks the four calls.
    private func calls() async throws -> [String] {
        var problems: [String] = []
        let store = try await open()
        try await store.save(Subject(Self.person))
        let samples = try await SyncDocument(steps: 0..<5).samples()
        let objects = samples.compactMap { Store.Object($0, converter: nil) }
        try await store.begin(of: Self.person)
        if try await store.fetch(objects)?.isEmpty == false { problems.append("an empty store has objects") }
        try await store.add(objects)
        try await store.commit(saving: [])
        try await expect(samples.map(\.id), "added objects", &problems)
        if try await Set(store.fetch(objects)?.map(\.id) ?? []) != Set(objects.map(\.id)) {
            problems.append("fetch does not return what was added")
        }
        try await store.begin(of: Self.person)
        try await store.add(objects)
        try await store.commit(saving: [])
        try await expect(samples.map(\.id), "objects that were added twice", &problems)
        try await store.begin(of: Self.person)
        try await store.update(Array(objects.prefix(2)))
        try await store.delete(Array(objects.suffix(2)))
        try await store.commit(saving: [])
        try await expect(samples.dropLast(2).map(\.id), "objects after updates and deletions", &problems)
        try await store.begin(of: Self.person)
        try await store.delete(Array(objects.dropLast(2)))
        try await store.commit(saving: [])
        try await expect([], "objects after all were deleted", &problems)
        return problems
    }

    /// Checks the anchors.
    private func pages() async throws -> [String] {
        var problems: [String] = []
        let type = AnySampleType.stepCount
        let odd = AnySampleType("HKQuantityTypeIdentifier ../Odd,%\u{e9}")
        func key(_ type: AnySampleType, _ span: String) -> SampleBatch.Key {
            SampleBatch.Key(element: "Record", type: type.identifier, span: span, part: 0)
        }
        let first = AnchorPage(span: key(type, "2024-01"), number: 1, identities: [1, 1, .max])
        let second = AnchorPage(span: key(type, "2024-01"), number: 2, identities: [2])
        let other = AnchorPage(
            span: key(odd, "2024-01"), number: 1, identities: (0..<1000).map { UInt128($0) << 70 })
        var objects: [Store.Object] = []
        for type in [type, odd] {
            let samples = try await SyncDocument(steps: 0..<1, type: type).samples()
            objects += samples.compactMap { Store.Object($0, converter: nil) }
        }
        do {
            let store = try await open()
            if try await !store.anchoredTypes(of: Self.person).isEmpty {
                problems.append("an empty store has anchors")
            }
            // Pages stand for objects: without any of a type, a store need not keep them.
            try await store.begin(of: Self.person)
            try await store.add(objects)
            try await store.commit(saving: [])
            try await store.save([first, second, other], of: Self.person)
        }
        let store = try await open()
        if try await Set(store.anchoredTypes(of: Self.person)) != [type, odd] {
            problems.append("anchored types are not those saved")
        }
        for (type, pages) in [(type, [first, second]), (odd, [other])] {
            let found = try await store.pages(
                store.summaries(of: type, of: Self.person), of: Self.person)
            if found.sorted(by: { $0.number < $1.number }) != pages {
                problems.append("pages are not those that were saved")
            }
        }
        try await store.save(
            [
                AnchorPage(span: first.span, number: 1),
                AnchorPage(span: second.span, number: 2, identities: [3]),
            ], of: Self.person)
        if try await store.pages(
            store.summaries(of: type, of: Self.person), of: Self.person
        ).map(\.identities) != [[3]] {
            problems.append("a page was not replaced, or an empty one not removed")
        }
        try await store.removeAnchors(of: [odd], of: Self.person)
        if try await store.anchoredTypes(of: Self.person) != [type] {
            problems.append("anchors of the wrong types were removed")
        }
        try await store.removeAnchors(of: [type, odd], of: Self.person)
        if try await !store.anchoredTypes(of: Self.person).isEmpty {
            problems.append("anchors were not removed")
        }
        try await store.begin(of: Self.person)
        try await store.delete(objects)
        try await store.commit(saving: [])
        return problems
    }

    /// Checks that people are kept, and what belongs to them apart.
    private func people() async throws -> [String] {
        var problems: [String] = []
        let store = try await open()
        let subjects = [Subject("Anna", exportDate: 1_717_200_000, content: "ab"), Subject("Ö \"; %")]
        let kept = store.capacity == .one ? Array(subjects.prefix(1)) : subjects
        for subject in kept {
            try await store.save(Subject(subject.person, exportDate: 1))
            try await store.save(subject)
        }
        let found = try await store.subjects().sorted { $0.person < $1.person }
        if found != kept { problems.append("people are not those that were saved") }
        guard kept.count > 1 else { return problems }
        let samples = try await SyncDocument(steps: 0..<2).samples()
        let objects = samples.compactMap { Store.Object($0, converter: nil) }
        for subject in kept {
            try await store.begin(of: subject.person)
            if try await store.fetch(objects)?.isEmpty == false {
                problems.append("someone has another's objects")
            }
            try await store.add(objects)
            try await store.commit(saving: [])
        }
        try await expect(samples.map(\.id) + samples.map(\.id), "objects of two people", &problems)
        for subject in kept {
            try await store.begin(of: subject.person)
            try await store.delete(objects)
            try await store.commit(saving: [])
        }
        try await expect([], "objects after those of both were deleted", &problems)
        return problems
    }

    /// Checks that the objects are those of one export after the other.
    private func exports() async throws -> [String] {
        var problems: [String] = []
        let documents = [
            SyncDocument(steps: 0..<40, copies: 3), SyncDocument(steps: 0..<40, copies: 3),
            SyncDocument(steps: 10..<60, copies: 1), SyncDocument(steps: 0..<0), SyncDocument(steps: 5..<9),
            SyncDocument(steps: 0..<0),
        ]
        for (number, document) in documents.enumerated() {
            let report = try await synchronize(document, batchSize: 7)
            try await expect(document.samples().map(\.id), "objects of export \(number)", &problems)
            let again = try await synchronize(document, batchSize: 1000)
            if !again.total.isEmpty { problems.append("export \(number) is not known when it comes again") }
            if number == 1, !report.total.isEmpty { problems.append("an equal export has changes") }
        }
        return problems
    }

    /// Checks that a synchronisation that ends after any batch is continued.
    private func interruptions() async throws -> [String] {
        var problems: [String] = []
        let documents = [
            SyncDocument(steps: 0..<12), SyncDocument(steps: 6..<15), SyncDocument(steps: 0..<0),
        ]
        for limit in 0..<6 {
            for document in documents {
                do {
                    let manager = SyncManager(batchSize: 3)
                    manager.delegate = FailingDelegate(after: limit)
                    manager.add([.stepCount], to: try await open())
                    manager.terms = Self.terms
                    _ = try await manager.synchronize(with: document.store)
                } catch is FailingDelegate.Failure {}
                _ = try await synchronize(document, batchSize: 3)
                try await expect(document.samples().map(\.id), "objects after an interruption", &problems)
            }
        }
        return problems
    }

    private func synchronize(_ document: SyncDocument, batchSize: Int) async throws -> SyncReport {
        let manager = SyncManager(batchSize: batchSize)
        manager.add([.stepCount], to: try await open())
        manager.terms = Self.terms
        return try await manager.synchronize(with: document.store)
    }

    private func expect(
        _ ids: some Sequence<SampleID>, _ what: String, _ problems: inout [String]
    ) async throws {
        let wanted = ids.filter { !mergesCopies || $0.ordinal == 0 }.map(\.description).sorted()
        let found = try await identifiers().sorted()
        if found != wanted {
            problems.append("\(what): \(found.count) instead of \(wanted.count), or others")
        }
    }
}

/// Fails once a number of batches have been synchronised, before or after the store's calls.
private final class FailingDelegate: SyncDelegate {
    struct Failure: Error {}
    private let counter: Counter
    private let limit: Int

    init(after limit: Int) {
        self.limit = limit
        counter = Counter()
    }

    private actor Counter {
        private var count = 0
        func next() -> Int {
            defer { count += 1 }
            return count
        }
    }

    func willSynchronize(_ batch: SyncBatch) async throws {
        if limit.isMultiple(of: 2), await counter.next() == limit / 2 { throw Failure() }
    }

    func willFinish(_ batch: SyncBatch) async throws {
        if !limit.isMultiple(of: 2), await counter.next() == limit / 2 { throw Failure() }
    }
}
