import ByteText
import HealthArchive
import HealthModel
import HealthQueries
import SampleBatches
import Tables

/// Brings the tables of answers of a database in step with its samples, after these.
///
/// All answers of the types that are synchronised are computed again: a sample may change another day, since the sources of
/// a type are ranked by their earliest ones, and the day of an export is complete with the next one. The database compares
/// them, and only rows that differ are touched. The tables and the zone, which says that they are in step, change in one
/// transaction.
struct AnswerRun {
    private let target: any AnswerTarget
    private let selects: (AnySampleType) -> Bool
    private let store: any HealthStore
    private let person: String
    private let contents: StoreContents
    private let known: Subject?
    /// The types of which samples were changed; nil for all.
    private let changed: Set<AnySampleType>?
    private let isPartial: Bool
    /// The types whose answers could not be computed or stored.
    private var failed: Set<AnySampleType> = []

    /// Prepares for a person.
    ///
    /// - Parameters:
    ///   - target: The database.
    ///   - choice: The person, as it was known before samples were changed.
    ///   - store: The source.
    ///   - isPartial: Whether the source is a part of an export.
    ///   - isResetting: Whether everything is compared again.
    init(
        _ target: any AnswerTarget, _ choice: SubjectChoice, with store: any HealthStore, isPartial: Bool,
        isResetting: Bool
    ) async throws {
        self.target = target
        self.store = store
        self.isPartial = isPartial
        selects = { choice.target.selects($0) }
        person = choice.subject.person
        known = choice.known
        contents = try await store.contents()
        changed = isResetting ? nil : choice.changes.map { Set($0.keys) }
    }

    private var zone: String { contents.days.zone }

    /// Returns whether nothing differs; a part of an export tells nothing about what it lacks.
    private func isCurrent(_ subject: Subject) -> Bool {
        guard changed?.isEmpty == true, let known, let knownZone = known.zone else { return false }
        return isPartial || knownZone == zone && known.exportDate == subject.exportDate
    }

    /// Brings the tables in step, and saves the person.
    ///
    /// - Returns: The types whose answers are not those of the samples.
    mutating func update(_ subject: Subject) async throws -> Set<AnySampleType> {
        var subject = subject
        guard !isCurrent(subject) else {
            subject.zone = known?.zone
            if subject != known { try await target.save(subject) }
            return []
        }
        let anchored = try await target.anchoredTypes(of: person).filter(Self.hasAnswers)
        let computed = try await computable(anchored)
        // The answers about the other types are those that were there, in step or not.
        let isInStep = known?.zone == zone
        try await target.begin(of: person)
        do {
            try await replaceDailyValues(computed, anchored)
            try await replaceNights(computed, anchored)
            try await replaceWorkouts(computed, anchored)
            try await replaceElectrocardiograms()
            let stale = anchored.filter { type in
                let isLeft = !computed.contains(type) || failed.contains(type)
                return isLeft && !(isInStep && changed?.contains(type) == false)
            }
            subject.zone = stale.isEmpty ? zone : nil
            try await target.save(subject)
            try await target.commit(saving: [])
            try await target.analyze()
            return Set(stale.filter(selects)).union(failed.intersection([.electrocardiogram]))
        } catch {
            await target.rollBack()
            throw error
        }
    }

    private static func hasAnswers(_ type: AnySampleType) -> Bool {
        SampleType<QuantitySample>(type.identifier) != nil || type == .sleepAnalysis || type == .workout
    }

    /// Returns the selected types of which the source has all samples that the target has.
    private func computable(_ types: [AnySampleType]) async throws -> Set<AnySampleType> {
        let selected = types.filter(selects)
        guard isPartial else { return Set(selected) }
        // Days of another zone are no part of those that are there.
        if let before = known?.zone, before != zone { return [] }
        let parts = Dictionary(grouping: try await store.sums(of: selected), by: \.type)
        var computable: Set<AnySampleType> = []
        for type in selected {
            let identities = (parts[type] ?? []).map(\.identity)
            let held = try await target.summaries(of: type, of: person).sum
            // Without a sum, samples are missing.
            let found = identities.reduce(into: IdentitySum()) { sum, part in part.map { sum.add($0) } }
            if !identities.contains(nil), found == held { computable.insert(type) }
        }
        return computable
    }

    /// The number of rows that are replaced at once.
    private static let rowsAtOnce = 5000

    private mutating func replaceDailyValues(
        _ computed: Set<AnySampleType>, _ anchored: [AnySampleType]
    ) async throws {
        let table = AnswerTables.dailyValues()
        var rows: [[SQLValue]] = []
        var types: [AnySampleType] = []
        for type in anchored where computed.contains(type) {
            guard let quantity = SampleType<QuantitySample>(type.identifier) else { continue }
            do {
                let result = try await store.statistics(StatisticsQuery(quantity, by: .calendar(.day)))
                rows += DailyTable.rows(result).map { table.row($0, of: person) }
            } catch is QueryError {
                // Of crafted samples, too many days.
                failed.insert(type)
                continue
            }
            types.append(type)
            if rows.count >= Self.rowsAtOnce {
                try await replace(rows, in: table.table, of: types, .only("type", types.map(\.identifier)))
                (rows, types) = ([], [])
            }
        }
        try await replace(rows, in: table.table, of: types, .only("type", types.map(\.identifier)))
        let all = anchored.map(\.identifier)
        try await replace([], in: table.table, of: [], .others("type", all))
    }

    private mutating func replaceNights(
        _ computed: Set<AnySampleType>, _ anchored: [AnySampleType]
    ) async throws {
        let table = AnswerTables.nights(contents.days)
        var rows: [[SQLValue]] = []
        if anchored.contains(.sleepAnalysis) {
            guard computed.contains(.sleepAnalysis) else { return }
            do {
                let nights = try await store.sleepTimes().sessions
                rows = nights.filter { $0.timeAsleep > 0 }.map { table.row($0, of: person) }
            } catch is QueryError {
                failed.insert(.sleepAnalysis)
                return
            }
        }
        try await replace(rows, in: table.table, of: [.sleepAnalysis], .all)
    }

    private mutating func replaceWorkouts(
        _ computed: Set<AnySampleType>, _ anchored: [AnySampleType]
    ) async throws {
        let table = AnswerTables.workouts()
        var rows: [[SQLValue]] = []
        if anchored.contains(.workout) {
            guard computed.contains(.workout) else { return }
            for try await workouts in store.samples(.workout) {
                rows += workouts.map { table.row($0, of: person) }
            }
        }
        try await replace(rows, in: table.table, of: [.workout], .all)
    }

    /// The number of electrocardiograms that are in memory.
    private static let recordingsAtOnce = 8

    /// Adds electrocardiograms that are not there, and removes those that the source lacks; a part of an export has no files.
    private mutating func replaceElectrocardiograms() async throws {
        guard selects(.electrocardiogram), !isPartial else { return }
        let table = AnswerTables.electrocardiograms(contents.days)
        var names: Set<String> = []
        let files = try await store.electrocardiogramFiles().files.filter { names.insert($0.path).inserted }
        // The file of a recording does not change.
        let isKept = changed != nil && known?.zone == zone
        let there = isKept ? Set(try await target.texts("file", in: table.table, of: person)) : []
        var rest = files.filter { !there.contains($0.path) }[...]
        while !rest.isEmpty {
            let next = rest.prefix(Self.recordingsAtOnce)
            rest = rest.dropFirst(next.count)
            var rows: [[SQLValue]] = []
            for file in next {
                try Task.checkCancellation()
                guard case .success(let recording) = try await store.electrocardiogram(in: file) else {
                    continue
                }
                rows.append(table.row((offset: 0, element: recording), of: person))
            }
            try await replace(
                rows, in: table.table, of: [.electrocardiogram], .only("file", next.map(\.path)))
        }
        try await replace(
            [], in: table.table, of: [.electrocardiogram], .others("file", files.map(\.path)))
    }

    /// Replaces rows; if the database cannot store one of them, the types count as failed.
    private mutating func replace(
        _ rows: [[SQLValue]], in table: SQLTable, of types: [AnySampleType], _ scope: AnswerScope
    ) async throws {
        do { try await target.replace(rows, in: table, of: person, scope) } catch let error as SyncError {
            guard case .unsuitable = error.code else { throw error }
            failed.formUnion(types)
        }
    }
}
