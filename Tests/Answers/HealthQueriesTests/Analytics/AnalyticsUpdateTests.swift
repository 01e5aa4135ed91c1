import ByteText
import Glibc
import HealthModel
import HealthQueries
import HealthStoreTesting
import Synchronization
import SystemIO
import Testing
import VaultCrypto

@Suite("Updates of analytics")
struct AnalyticsUpdateTests {
    private static let june = TestSamples.june

    /// The amounts of all rows, without the time of their computation.
    private static func amounts(_ library: HealthStatsLibrary) throws -> [[String]] {
        try AnalyticsPeriod.allCases.map { period in
            try library.rows(of: period).map { row in
                let amounts = Metric.allCases.map { "\(String(describing: row[$0]))" }
                return "\(row.startDate) \(row.endDate) \(amounts)"
            }
        }
    }

    @Test("equal a computation from scratch after late, changed and vanished samples", arguments: 0..<8)
    func incremental(seed: Int) throws {
        var dice = Dice(UInt64(seed))
        var samples = TestSamples.random(150, &dice)
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path, AnalyticsSettings(days: .utc))
            let user = try library.createUser(birthdate: nil)
            try library.initializeDatabase(for: user, from: samples.store)
            for step in 0..<6 {
                var edited = 0
                for _ in 0..<Int.random(in: 1...5, using: &dice) {
                    let place = Int.random(in: 0..<samples.items.count, using: &dice)
                    switch Int.random(in: 0..<4, using: &dice) {
                    case 0:
                        samples.items.append(TestSamples.item(&dice))
                        edited += 1
                    case 1:
                        samples.items[place] = TestSamples.item(&dice)
                        edited += 2
                    case 2:
                        samples.items.remove(at: place)
                        edited += 1
                    // Another export may list the same samples in another order.
                    default: samples.items.shuffle(using: &dice)
                    }
                }
                let store = samples.store
                let update =
                    step % 3 == 2
                    ? try library.refreshCurrentDay(for: user, from: store)
                    : try library.updateMissingData(for: user, from: store)
                let fresh = try HealthStatsLibrary(
                    creating: path.sibling("fresh\(step).sqlite"), AnalyticsSettings(days: .utc))
                try fresh.initializeDatabase(for: fresh.createUser(birthdate: nil), from: samples.store)
                #expect(try Self.amounts(library) == Self.amounts(fresh))
                // A sample is on two days at most, and the night that it joins or divides may end on a third one.
                for period in AnalyticsPeriod.allCases {
                    #expect(update.changedRows[period] ?? 0 <= 3 * edited)
                }
            }
        }
    }

    @Test("reach old days, and leave unchanged rows as they are")
    func lateSamples() throws {
        var samples = TestSamples()
        samples.steps("10", Self.june, Self.june + 60)
        samples.steps("20", Self.june + 9 * 86400, Self.june + 9 * 86400 + 60)
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path, AnalyticsSettings(days: .utc))
            let user = try library.createUser(birthdate: "1984-03-01")
            let first = samples.store
            try library.initializeDatabase(for: user, from: first)
            #expect(try library.updateMissingData(for: user, from: first).isUnchanged)
            samples.steps("7", Self.june + 3600, Self.june + 3660)
            let update = try library.updateMissingData(for: user, from: samples.store)
            #expect(update.changedRows == [.day: 1, .week: 1, .month: 1, .year: 1])
            #expect(try library.getDailyAnalytics(for: "2024-06-01")?.steps == 17)
            #expect(try library.getDailyAnalytics(for: "2024-06-01T23:59:59Z")?.steps == 17)
            // Computing everything twice adds no rows.
            try library.refreshAllData(for: user, from: samples.store)
            #expect(try library.rows(of: .week).count == 2 && library.rows(of: .month).count == 1)
            try library.clearDatabaseExceptUser(user)
            #expect(try library.getLatestDailyAnalytics() == nil && library.getHighscoreRecord() == nil)
            #expect(try library.getUser(by: user.userID)?.lastProcessedAt.iso == "1999-01-01T00:00:00+00:00")
            try library.updateMissingData(for: user, from: samples.store)
            #expect(try library.rows(of: .day).count == 2)
        }
    }

    @Test("report their six phases in order, on the calling thread")
    func progress() throws {
        var samples = TestSamples()
        samples.steps("10", Self.june, Self.june + 60)
        samples.sleep("AsleepCore", Self.june, Self.june + 3600)
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path)
            let user = try library.createUser(birthdate: nil)
            for (isFirst, ends) in [
                (true, [10.0, 40, 60, 75, 90, 100]), (false, [15.0, 40, 65, 85, 95, 100]),
            ] {
                let seen = Mutex<[Double]>([])
                let threads = Mutex<Set<pthread_t>>([])
                let report: HealthStatsLibrary.ProgressCallback = { step in
                    seen.withLock { $0.append(step.percentage) }
                    let thread = pthread_self()
                    threads.withLock { _ = $0.insert(thread) }
                }
                if isFirst {
                    try library.initializeDatabase(for: user, from: samples.store, progressCallback: report)
                } else {
                    samples.steps("11", Self.june + 60, Self.june + 120)
                    try library.updateMissingData(for: user, from: samples.store, progressCallback: report)
                }
                let percentages = seen.withLock { $0 }
                #expect(percentages == percentages.sorted() && percentages.first == 0)
                #expect(Set(ends).isSubset(of: percentages), "\(percentages)")
                #expect(threads.withLock { $0 } == [pthread_self()])
            }
        }
    }

    @Test("may be asked for by many tasks at once")
    func manyTasks() async throws {
        var samples = TestSamples()
        samples.steps("10", Self.june, Self.june + 60)
        let folder: BytePath = "/tmp/healthvault-tasks-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        try Folder.make(folder)
        defer { try? Folder.removeAll(folder) }
        let library = try HealthStatsLibrary(creating: folder / "a.sqlite")
        let user = try library.createUser(birthdate: nil)
        let store = samples.store
        // More than there are threads: each waits on the thread that it was given.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { try library.refreshCurrentDay(for: user, from: store) }
            }
            try await group.waitForAll()
        }
        #expect(try library.getLatestDailyAnalytics()?.steps == 10)
    }

    @Test("find the best days and the longest streaks")
    func records() throws {
        var samples = TestSamples()
        for (day, steps) in [(0, 5), (1, 9), (2, 9), (5, 3)] {
            let start = Self.june + day * 86400 + 3600
            samples.steps("\(steps)", start, start + 60)
            samples.sleep("AsleepCore", start, start + 60 * steps)
        }
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path, AnalyticsSettings(days: .utc))
            let user = try library.createUser(birthdate: nil)
            try library.initializeDatabase(for: user, from: samples.store)
            let records = try #require(try library.getHighscoreRecord())
            #expect(records.best[.steps]?.date == "2024-06-02" && records.best[.steps]?.value == 9)
            #expect(records.sleepStreak?.start == "2024-06-01" && records.sleepStreak?.days == 3)
            #expect(records.exerciseStreak == nil && records.energy == nil)
            #expect(try library.setUserFirstHealthKitRecord(user, from: samples.store) == "2024-06-01")
        }
    }

    @Test("keep users, the newest first")
    func users() throws {
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path)
            var user = try library.createUser(birthdate: "1984-03-01")
            #expect(user.usesMetric && user.receivesNotifications && !user.healthkitAuthorized)
            #expect(user.firstHealthKitRecord == "2014-09-01")
            user.healthkitAuthorized = true
            try library.updateUser(user)
            let again = try HealthStatsLibrary(opening: path)
            #expect(try again.getAllUsers() == [user] && again.getUser(by: user.userID) == user)
            try again.deleteUser(user)
            #expect(try again.getAllUsers().isEmpty)
            #expect(throws: AnalyticsError(.noSuchUser, path: path)) { try again.updateUser(user) }
            // The file is no longer the one that the first library knows.
            #expect(throws: AnalyticsError(.changed, path: path)) {
                _ = try library.createUser(birthdate: nil)
            }
        }
    }

    @Test("are kept in a file that only its owner can read, or encrypted")
    func files() throws {
        var samples = TestSamples()
        samples.steps("10", Self.june, Self.june + 60, source: "A readable name")
        for name in ["a.sqlite", "a.hvault"] as [BytePath] {
            try withDatabase(name) { path in
                let secret = HeldPassphrase(try Passphrase(preparing: Array("a long passphrase".utf8).span))
                let library = try HealthStatsLibrary(creating: path, passphrase: secret)
                try library.initializeDatabase(for: library.createUser(birthdate: nil), from: samples.store)
                let file = try FileDescriptor(opening: path, .read)
                let bytes = try file.bytes(at: 0, count: file.status().size)
                let isReadable = bytes.containsText("A readable name")
                #expect(isReadable == (name == "a.sqlite"))
                #expect(try Folder.entries(of: path.parent).map(\.name) == [path.name])
                let opened = try HealthStatsLibrary(opening: path, passphrase: secret)
                #expect(try opened.getLatestDailyAnalytics()?.steps == 10)
                #expect(throws: AnalyticsError(.existing, path: path)) {
                    _ = try HealthStatsLibrary(creating: path, passphrase: secret)
                }
            }
        }
    }
}

extension AnalyticsUpdateTests {
    @Test("leave a file of somebody else alone that has the name of the unfinished database")
    func foreignFiles() throws {
        try withDatabase { path in
            let foreign = path.sibling(path.name + ".part")
            let download = try FileDescriptor(opening: foreign, .create)
            try download.write(Array("half of a download".utf8).span, at: 0)
            #expect(throws: AnalyticsError(.inTheWay, path: foreign)) {
                _ = try HealthStatsLibrary(creating: path).createUser(birthdate: nil)
            }
            #expect(try FileDescriptor(opening: foreign, .read).status().size == 18)
        }
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain a text.
    fileprivate func containsText(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
