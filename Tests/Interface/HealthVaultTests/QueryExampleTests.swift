import ByteText
import FolderTesting
import HealthStoreTesting
import HealthVault
import SystemIO
import Testing

// The examples about statistics, sleep and changes, as they stand in the documentation of HealthQueries.

/// A document with these elements, exported on a Friday.
private func document(_ elements: String) -> String {
    """
    <HealthData locale="en_GB">
     <ExportDate value="2024-03-08 10:00:00 +0100"/>
    \(elements)
    </HealthData>
    """
}

private func store(of elements: String) -> InMemoryStore { InMemoryStore(document: document(elements)) }

/// Steps that a source has counted on a day in March 2024.
private func steps(_ value: Int, _ source: String, _ day: Int, _ start: String, _ end: String) -> String {
    """
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" unit="count" \
    startDate="2024-03-0\(day) \(start):00 +0100" endDate="2024-03-0\(day) \(end):00 +0100" value="\(value)"/>

    """
}

/// A heart rate at an instant.
private func heartRate(_ value: Int, _ instant: String) -> String {
    """
    <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
    startDate="\(instant) +0100" endDate="\(instant) +0100" value="\(value)"/>

    """
}

/// A walk that a watch and a phone have counted, and one of the watch alone.
private let walks =
    steps(900, "iPhone", 4, "10:00", "10:20") + steps(600, "Watch", 4, "10:00", "10:10")
    + steps(400, "Watch", 5, "12:00", "12:05")

@Suite("The examples about statistics")
struct StatisticsExampleTests {
    @Test("add up the steps of each day")
    func steps() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: walks)

        let query = StatisticsQuery(.stepCount, by: .calendar(.day), in: .currentWeek)
        let result = try await store.statistics(query)
        for day in result.intervals {
            print(day.start.day, day.sum ?? 0, result.unit)
        }
        #expect(printed == ["2024-03-04 1050.0 count", "2024-03-05 400.0 count"])
    }

    @Test("merge sources in other ways")
    func merging() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: walks)

        for merge in [.priority(), .priority(["iPhone"]), .maximumSource, SourceMerge.none] {
            let query = StatisticsQuery(.stepCount, by: .calendar(.week), merge: merge)
            let weeks = try await store.statistics(query).intervals
            print(weeks.map { $0.sum ?? 0 }, merge.rule)
        }
        #expect(
            printed == [
                "[1450.0] priority: watch, iPhone, others",
                "[1300.0] priority: iPhone, watch, iPhone, others",
                "[1000.0] max-source: the source with the most in each interval",
                "[1900.0] none: all sources added up",
            ])
    }

    @Test("average heart rates by time")
    func averages() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: heartRate(60, "2024-03-07 08:00:00") + heartRate(120, "2024-03-07 08:05:00"))

        let query = StatisticsQuery(
            .heartRate, [.average, .maximum], by: .calendar(.day), in: .last(days: 7))
        for day in try await store.statistics(query).intervals {
            print(day.start.day, day.average ?? 0, day.maximum ?? 0)
        }
        #expect(printed == ["2024-03-07 100.0 120.0"])
    }

    @Test("convert a result")
    func conversion() async throws {
        let store = store(of: heartRate(60, "2024-03-07 08:00:00"))

        let result = try await store.statistics(StatisticsQuery(.heartRate))
        let perSecond = result.converted(to: .count / .second())
        #expect(result.unit == .count / .minute && result.intervals.map(\.average) == [60])
        #expect(perSecond?.intervals.map(\.average) == [1])
    }

    @Test("average levels by energy")
    func levels() throws {
        let level = EquivalentLevel.of([(seconds: 1800, level: 60), (seconds: 1800, level: 80)])
        #expect(abs(try #require(level) - 77.032914) < 1e-6)
    }

    @Test("count the sessions of a category")
    func categories() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let sessions = ["07:00:00", "07:05:00"].map { start in
            """
            <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="App" \
            startDate="2024-03-07 \(start) +0100" endDate="2024-03-07 07:08:00 +0100" \
            value="HKCategoryValueNotApplicable"/>

            """
        }
        let store = store(of: sessions.joined())

        for day in try await store.statistics(of: .mindfulSession).intervals {
            print(day.start.day, day.count, day.duration)
        }
        #expect(printed == ["2024-03-07 2 480"])
    }

    @Test("begin intervals with the range")
    func intervals() async throws {
        let store = store(of: walks)
        let day = try #require(CivilDate(year: 2024, month: 3, day: 1))

        let query = StatisticsQuery(.stepCount, by: .every(4, .day), in: .since(.day(day)))
        let starts = try await store.statistics(query).intervals.map(\.start.day)
        #expect(starts.map(\.description) == ["2024-03-01", "2024-03-05"])
    }
}

/// A stage of sleep.
private func stage(_ value: String, _ source: String, _ start: String, _ end: String) -> String {
    """
    <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="\(source)" \
    startDate="2024-03-\(start):00 +0100" endDate="2024-03-\(end):00 +0100" \
    value="HKCategoryValueSleepAnalysis\(value)"/>

    """
}

/// A night that a watch and an app have recorded, and a nap.
private let nights =
    stage("InBed", "App", "06 22:30", "07 06:00")
    + stage("AsleepUnspecified", "App", "06 23:30", "07 03:30")
    + stage("AsleepCore", "Watch", "06 23:00", "07 02:00")
    + stage("AsleepDeep", "Watch", "07 02:00", "07 03:00")
    + stage("AsleepCore", "Watch", "07 14:00", "07 14:30")

@Suite("The examples about sleep")
struct SleepExampleTests {
    @Test("list nights and naps")
    func sessions() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: nights)

        let days = try await store.days()
        for session in try await store.sleepSessions(in: .last(days: 7)) {
            let minutes = session.timeAsleep / 60
            print(session.day(in: days), minutes, "minutes,", session.duration(of: .asleepDeep) / 60, "deep")
        }
        #expect(printed == ["2024-03-07 270 minutes, 60 deep", "2024-03-07 30 minutes, 0 deep"])
    }

    @Test("keep the sources apart")
    func sources() async throws {
        let store = store(of: nights)

        let stages = try await store.samples(.sleepAnalysis).all()
        let sessions = try stages.splitIntoSleepSessions(threshold: 2 * 3600, separateBySource: true)
        #expect(sessions.map(\.sources) == [["App"], ["Watch"], ["Watch"]])
        #expect(sessions.map { $0.timeAsleep / 60 } == [240, 240, 30])
    }
}

/// Ends a loop that has no end.
private struct Enough: Error {}

@Suite("The examples about changes")
struct ChangeExampleTests {
    private let before = store(
        of: heartRate(62, "2024-02-10 08:00:00") + heartRate(64, "2024-02-20 08:00:00"))
    private let after = store(
        of: heartRate(62, "2024-02-10 08:00:00") + heartRate(66, "2024-02-25 08:00:00")
            + heartRate(148, "2024-03-07 18:30:00"))

    @Test("find what is new")
    func additions() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let (older, newer) = (before, after)

        let anchor = try await older.changes(of: .heartRate).anchor
        let changes = try await newer.changes(of: .heartRate, since: anchor)
        print(changes.added.count, "new", changes.changedSpans)
        #expect(printed == ["1 new [\"2024-02\"]"])
        #expect(changes.added.map(\.value) == [148] && changes.deleted.isEmpty)
    }

    @Test("find what is new and what is gone, by comparing both stores")
    func differences() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let (older, newer) = (before, after)
        let anchor = try await older.changes(of: .heartRate).anchor

        let changes = try await newer.changes(of: .heartRate, since: anchor, in: older)
        print(changes.added.count, "new,", changes.deleted.count, "gone")
        #expect(printed == ["2 new, 1 gone"])
        #expect(changes.added.map(\.value) == [66, 148] && changes.deleted.map(\.value) == [64])
        #expect(changes.changedSpans == [])
    }

    @Test("come in pages")
    func pages() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        func twoDigits(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
        let records = (0..<2500).map { number in
            heartRate(60, "2024-03-07 10:\(twoDigits(number / 60)):\(twoDigits(number % 60))")
        }
        let store = store(of: records.joined())

        var anchor = StoreAnchor()
        while true {
            let page = try await store.changes(of: .heartRate, since: anchor, limit: 1000)
            if page.isEmpty { break }
            print(page.added.count)
            anchor = page.anchor
        }
        #expect(printed == ["1000", "1000", "500"])
    }

    @Test("can be followed")
    func updates() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export.xml"
        let file = try FileDescriptor(opening: path, .create)
        try file.write(Array(document(heartRate(62, "2024-03-08 08:00:00")).utf8).span)
        try file.close()
        var shown: [Double?] = []
        func show(_ samples: [QuantitySample]) throws {
            shown += samples.map(\.value)
            throw Enough()
        }

        do {
            let updates = StoreUpdates(every: .seconds(60)) { try ExportStore(path: path) }
            for try await samples in updates.continuousQuery(SampleQuery(.heartRate, in: .today)) {
                try show(samples)
            }
        } catch is Enough {}
        #expect(shown == [62])
    }
}
