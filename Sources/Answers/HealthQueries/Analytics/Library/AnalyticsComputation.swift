public import ByteText
public import HealthArchive
public import HealthModel
import Synchronization
import SystemIO

/// Computing analytics from a store.
extension HealthStatsLibrary {
    /// Receives the progress, on the calling thread.
    public typealias ProgressCallback = @Sendable (InitializationProgress) -> Void

    /// The percentages at which the six phases end: reading, days, weeks, months, years, user.
    private struct Phases: Sendable {
        let ends: [Double]
        let isUpdate: Bool

        static let initial = Phases(ends: [10, 40, 60, 75, 90, 100], isUpdate: false)
        static let update = Phases(ends: [15, 40, 65, 85, 95, 100], isUpdate: true)

        func start(_ phase: Int) -> Double { phase == 0 ? 0 : ends[phase - 1] }

        func percentage(_ phase: Int, _ part: Double) -> Double {
            start(phase) + (ends[phase] - start(phase)) * min(1, part)
        }
    }

    /// Computes all analytics from a store.
    ///
    /// - Parameters:
    ///   - user: The user, whose times are updated.
    ///   - store: The store.
    ///   - progressCallback: Called with the progress.
    /// - Throws: ``AnalyticsError``; an error if the store cannot be read.
    @discardableResult
    public func initializeDatabase(
        for user: User, from store: any HealthStore, progressCallback: @escaping ProgressCallback = { _ in }
    ) throws -> AnalyticsUpdate {
        try compute(for: user, store, .initial, progressCallback)
    }

    /// Creates a user with the day of birth that a store states, and computes all analytics.
    ///
    /// The database is written once, when everything is computed: an existing one stays as it was until then.
    ///
    /// - Throws: ``AnalyticsError``; an error if the store cannot be read.
    @discardableResult
    public func initializeDatabase(
        from store: any HealthStore, terms: SubjectTerms = SubjectTerms(),
        progressCallback: @escaping ProgressCallback = { _ in }
    ) throws -> AnalyticsUpdate {
        try compute(for: nil, store, .initial, terms: terms, progressCallback)
    }

    /// Brings the analytics up to date with a store.
    ///
    /// Rows change wherever samples were added, changed or removed, however old they are. A store that was processed last is
    /// not read again.
    ///
    /// - Parameters:
    ///   - user: The user, whose times are updated; nil for the first one, who is created if there is none.
    ///   - store: The samples.
    ///   - terms: Whose data it is, and what may be done to the rows of earlier exports.
    ///   - progressCallback: Called with the progress.
    /// - Throws: ``AnalyticsError``, with `doubtful` if the terms do not allow it; an error if the store cannot be read.
    @discardableResult
    public func updateMissingData(
        for user: User? = nil, from store: any HealthStore, terms: SubjectTerms = SubjectTerms(),
        progressCallback: @escaping ProgressCallback = { _ in }
    ) throws -> AnalyticsUpdate {
        let user = try user ?? getAllUsers().first ?? createUser(birthdate: nil)
        let fingerprint = try CallerExecutor.run { try await store.fingerprint() }
        let known = try read { try $0.setting("fingerprint") }.map { StoreFingerprint(Self.facts($0)) }
        // Some facts of a document, such as its checksum, may be known only after reading it: all must be the same.
        if known == fingerprint {
            progressCallback(InitializationProgress(percentage: 100, currentTask: "No missing data"))
            let now = Timestamp(seconds: SystemClock.now(), offsetMinutes: 0)
            try change { database in
                if let known = try database.subject() {
                    if let name = terms.person, name != known.person, known.isNamed {
                        throw AnalyticsError(.doubtful(.named(known.person)), path: path)
                    }
                    try database.save(
                        Subject(
                            terms.person ?? known.person, exportDate: known.exportDate,
                            content: terms.content ?? known.content))
                }
                try Self.finish(user, database, at: now, path: path)
            }
            var update = AnalyticsUpdate()
            update.isUnchanged = true
            return update
        }
        return try compute(for: user, store, .update, terms: terms, progressCallback)
    }

    /// Removes all rows and computes them again.
    ///
    /// - Throws: ``AnalyticsError``; an error if the store cannot be read.
    @discardableResult
    public func refreshAllData(
        for user: User, from store: any HealthStore, progressCallback: @escaping ProgressCallback = { _ in }
    ) throws -> AnalyticsUpdate {
        try compute(for: user, store, .initial, clears: true, progressCallback)
    }

    /// Brings the analytics up to date, also if the store is the one that was processed last.
    ///
    /// Only rows that differ change, such as that of the day on which the export was made, with its week, month and year.
    ///
    /// - Throws: ``AnalyticsError``; an error if the store cannot be read.
    @discardableResult
    public func refreshCurrentDay(
        for user: User, from store: any HealthStore, progressCallback: @escaping ProgressCallback = { _ in }
    ) throws -> AnalyticsUpdate {
        try compute(for: user, store, .update, progressCallback)
    }

    /// Computes all rows, and writes them in one transaction.
    ///
    /// - Parameter clears: Whether to remove all rows first, so that those that stay the same count as changed.
    private func compute(
        for user: User?, _ store: any HealthStore, _ phases: Phases, clears: Bool = false,
        terms: SubjectTerms = SubjectTerms(), _ callback: @escaping ProgressCallback
    ) throws -> AnalyticsUpdate {
        try computing.withLock { _ in
            @Sendable func report(_ phase: Int, _ part: Double, _ task: String) {
                callback(
                    InitializationProgress(percentage: phases.percentage(phase, part), currentTask: task))
            }
            let settings = try settings()
            report(0, 0, "Reading samples")
            let typeCount = Double(AnalyticsSeries.types.count)
            let (result, characteristics) = try CallerExecutor.run {
                let pass = try await AnalyticsPass(store, settings, path: self.path) { type, number in
                    report(1, Double(number) / typeCount, "Computing days: \(type.title)")
                }
                return (pass, try await store.characteristics())
            }
            let days = settings.days ?? result.contents.days
            let amounts = result.days
            guard let firstDay = amounts.keys.min() else {
                let cells = try read { try $0.rows(.day) }.reduce(0) { $0 + $1.amounts.count }
                guard cells > 0 else { throw AnalyticsError(.noData, path: path) }
                throw AnalyticsError(.doubtful(.deletions(cells, of: cells)), path: path)
            }
            let subject = try subject(of: result, characteristics, zone: days.zone, phases.isUpdate, terms)
            let now = Timestamp(seconds: SystemClock.now(), offsetMinutes: 0)
            let updated = try change { database in
                var update = AnalyticsUpdate()
                (update.days, update.skipped) = (amounts.count, result.skipped)
                if clears { try database.removeRows() }
                for (phase, period) in AnalyticsPeriod.allCases.enumerated() {
                    report(phase + 1, period == .day ? 1 : 0, "Storing \(period.rawValue)s")
                    update.changedRows[period] = try database.replaceRows(
                        of: period, by: PeriodSums.of(amounts, by: period, settings.firstWeekday), at: now)
                }
                try database.set("zone", days.zone)
                try database.set("fingerprint", Self.text(result.contents.fingerprint.facts))
                try database.set("sources", SourceNames.text(result.sources.sorted()))
                try database.save(subject)
                report(5, 0, "Storing the database")
                try Self.finish(
                    user, database, at: now, firstDay: CivilDate(daysSince1970: firstDay),
                    birthdate: characteristics.dateOfBirth, path: path)
                return update
            }
            report(5, 1, "Done")
            return updated
        }
    }

    /// Returns whose data the rows will be about.
    ///
    /// The database has no samples, so that the amounts of days are compared in their place: those that are equal, and those
    /// that would no longer be there.
    ///
    /// - Throws: ``AnalyticsError``, with `doubtful` if an update is not allowed by the terms.
    private func subject(
        of result: AnalyticsPass, _ characteristics: Characteristics, zone: String, _ isUpdate: Bool,
        _ terms: SubjectTerms
    ) throws -> Subject {
        let (contents, amounts) = (result.contents, result.days)
        let (known, rows, users, sources, knownZone) = try read { database in
            (
                try database.subject(), try database.rows(.day), try database.users(),
                SourceNames.list(try database.setting("sources") ?? "[]"), try database.setting("zone")
            )
        }
        if isUpdate, let known, !rows.isEmpty {
            var (equal, present) = (SampleOverlap(), SampleOverlap())
            for row in rows {
                let found = amounts[row.startDate.daysSince1970]
                for (metric, amount) in row.amounts {
                    let now = found?[metric.place]
                    equal.held += 1
                    if now?.value == amount.value, now?.n == amount.n { equal.common += 1 }
                    if now != nil { present.common += 1 }
                }
            }
            equal.found = amounts.values.reduce(0) { $0 + $1.count { $0 != nil } }
            present.held = equal.held
            let before = SubjectFacts(
                dateOfBirth: users.lazy.compactMap(\.birthdate).first, sources: sources)
            // Another zone moves the samples of all days.
            let sign = before.sign(of: SubjectFacts(characteristics, sources: contents.sources)) {
                zone == knownZone ? equal.share : 1
            }
            do throws(SubjectDoubt) {
                if let name = terms.person, name != known.person, known.isNamed { throw .named(known.person) }
                if terms.person == nil || !known.isNamed, let sign { throw .other(sign) }
                try terms.check(known, contents.exportDate?.seconds, present)
            } catch { throw AnalyticsError(.doubtful(error), path: path) }
        }
        let name = terms.person ?? known?.person ?? Subject.unnamed().person
        return Subject(
            name, exportDate: contents.exportDate?.seconds ?? known?.exportDate, content: terms.content)
    }

    /// Stores the time of an update with a user, and what the store says about the person.
    private static func finish(
        _ user: User?, _ database: borrowing AnalyticsDatabase, at now: Timestamp, firstDay: CivilDate? = nil,
        birthdate: CivilDate? = nil, path: BytePath
    ) throws {
        var stored = User(userID: UserID(), firstInit: now)
        if let user {
            guard let found = try database.users().first(where: { $0.userID == user.userID }) else {
                throw AnalyticsError(.noSuchUser, path: path)
            }
            stored = found
        }
        stored.lastProcessedAt = now
        stored.birthdate = stored.birthdate ?? birthdate
        if let firstDay { stored.firstHealthKitRecord = firstDay }
        try database.save(stored)
    }

    private static func text(_ facts: [String: String]) -> String {
        SourceNames.text(facts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
    }

    private static func facts(_ text: String) -> [String: String] {
        let list = SourceNames.list(text)
        var facts: [String: String] = [:]
        for index in stride(from: 0, to: list.count - 1, by: 2) { facts[list[index]] = list[index + 1] }
        return facts
    }

    /// Removes all rows, and makes the user's next update process everything; users stay.
    public func clearDatabaseExceptUser(_ user: User) throws {
        var cleared = user
        cleared.lastProcessedAt = User.never
        let saved = cleared
        // Not while rows are computed, which would come back.
        try computing.withLock { _ in
            try change { database in
                try database.removeRows()
                try database.save(saved)
            }
        }
    }

    /// Stores the day of the earliest sample with the user.
    ///
    /// - Returns: The day; nil if the store has no samples with a start.
    @discardableResult
    public func setUserFirstHealthKitRecord(_ user: User, from store: any HealthStore) throws -> CivilDate? {
        let contents = try CallerExecutor.run { try await store.contents() }
        let days = try settings().days ?? contents.days
        let wanted = Set(AnalyticsSeries.types)
        let starts = contents.types.filter { wanted.contains($0.type) }.compactMap { $0.first?.seconds }
        guard let first = starts.min() else { return nil }
        var changed = user
        changed.firstHealthKitRecord = days.day(of: first)
        try updateUser(changed)
        return changed.firstHealthKitRecord
    }
}
