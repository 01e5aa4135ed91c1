import ByteText
import HealthModel
import HealthQueries
import SampleBatches
import Testing

@Suite("Sessions of sleep")
struct SleepSessionTests {
    /// 2025-02-19T22:13:00Z.
    private static let evening = 1_740_003_180

    private static func sample(
        _ stage: SleepAnalysisValue, _ start: Int, _ end: Int, source: String = "Watch"
    ) -> CategorySample {
        CategorySample(
            .sleepAnalysis, stage, start: Timestamp(seconds: evening + start, offsetMinutes: 0),
            end: Timestamp(seconds: evening + end, offsetMinutes: 0), source: Source(name: source))
    }

    /// Samples one after the other.
    private static func night(_ stages: [(SleepAnalysisValue, Int)]) -> [CategorySample] {
        var start = 0
        return stages.map { stage, length in
            defer { start += length }
            return sample(stage, start, start + length)
        }
    }

    @Test("have the times of their stages")
    func stages() throws {
        let samples = Self.night([
            (.asleepCore, 3600), (.asleepDeep, 3600), (.asleepCore, 3600), (.asleepREM, 3600),
            (.asleepDeep, 10800), (.awake, 300), (.asleepCore, 3300),
        ])
        let sessions = try samples.splitIntoSleepSessions()
        let session = try #require(sessions.first)
        #expect(sessions.count == 1 && session.duration == 8 * 3600)
        #expect(session.duration(of: .asleepCore) == 175 * 60)
        #expect(session.timeAsleep == 7 * 3600 + 55 * 60 && session.timeAwake == 300)
    }

    @Test("count what overlaps once")
    func overlap() throws {
        var samples = Self.night([
            (.asleepCore, 3600), (.asleepDeep, 3600), (.asleepCore, 3600), (.asleepREM, 3600),
        ])
        // The deep sleep begins half an hour before the REM sleep ends.
        samples += [
            Self.sample(.asleepDeep, 12600, 23400), Self.sample(.awake, 23400, 23700),
            Self.sample(.asleepCore, 23700, 27000),
        ]
        let sessions = try samples.splitIntoSleepSessions()
        let session = try #require(sessions.first)
        #expect(sessions.count == 1 && session.duration == 27000)
        #expect(session.duration(of: .asleepCore) == 175 * 60)
        #expect(session.timeAsleep == 7 * 3600 + 25 * 60)
        let sum = samples.reduce(0) { $0 + ($1.endDate?.seconds ?? 0) - ($1.startDate?.seconds ?? 0) }
        #expect(sum == 8 * 3600)
    }

    @Test("are awake only while no tracker recorded sleep", arguments: ["Watch", "Ring"])
    func awake(other: String) throws {
        let samples = [
            Self.sample(.inBed, 0, 9000), Self.sample(.asleepCore, 600, 3600),
            Self.sample(.awake, 3000, 4200, source: other), Self.sample(.awake, 4000, 4800),
            Self.sample(.asleepREM, 4500, 9000, source: other),
        ]
        let session = try #require(try samples.splitIntoSleepSessions().first)
        #expect(session.timeAwake == 900 && session.timeAsleep == 7500)
        #expect(session.timeAwake + session.timeAsleep == session.trackedTime)
    }

    /// A night of 31 samples as a watch records it.
    private static let watchNight: [CategorySample] = night([
        (.asleepCore, 750), (.asleepDeep, 300), (.asleepCore, 390), (.asleepDeep, 330), (.asleepCore, 30),
        (.awake, 30), (.asleepCore, 660), (.asleepDeep, 1350), (.asleepCore, 330), (.asleepREM, 630),
        (.asleepCore, 1140), (.asleepDeep, 1350), (.asleepCore, 930), (.asleepDeep, 390), (.asleepCore, 540),
        (.asleepREM, 870), (.awake, 60), (.asleepCore, 450), (.asleepREM, 90), (.asleepCore, 3180),
        (.awake, 90), (.asleepCore, 660), (.asleepREM, 2580), (.asleepCore, 3930), (.awake, 60),
        (.asleepCore, 180), (.asleepREM, 1350), (.awake, 60), (.asleepCore, 3690), (.awake, 840),
        (.asleepCore, 90),
    ])

    @Test("add up a night of 31 samples, in whatever order they come", arguments: 0..<31)
    func realNight(turn: Int) throws {
        let samples = Self.watchNight[turn...] + Self.watchNight[..<turn].reversed()
        let sessions = try samples.splitIntoSleepSessions()
        let session = try #require(sessions.first)
        #expect(sessions.count == 1 && session.samples.count == 31)
        #expect(session.trackedTime == 7 * 3600 + 35 * 60 + 30)
        #expect(session.timeAwake == 19 * 60)
        #expect(session.timeAsleep == 7 * 3600 + 16 * 60 + 30)
        #expect(session.duration(of: .asleepCore) == 4 * 3600 + 42 * 60 + 30)
        #expect(session.duration(of: .asleepDeep) == 3720 && session.duration(of: .asleepREM) == 5520)
    }

    @Test("end with a gap of the threshold, and not with a second less", arguments: [60, 3600, 7200])
    func threshold(seconds: Int) throws {
        for (gap, count) in [(seconds - 1, 1), (seconds, 2), (seconds + 1, 2)] {
            let samples = [
                Self.sample(.asleepCore, 0, 600), Self.sample(.asleepREM, 600 + gap, 1200 + gap),
            ]
            #expect(try samples.splitIntoSleepSessions(threshold: seconds).count == count)
        }
    }

    @Test("merge where a sample bridges them")
    func bridge() throws {
        let samples = [
            Self.sample(.asleepCore, 0, 600), Self.sample(.asleepCore, 9000, 9600),
            Self.sample(.inBed, 300, 9300),
        ]
        let session = try #require(try samples.splitIntoSleepSessions().first)
        #expect(session.duration == 9600 && session.timeInBed == 9000 && session.timeAsleep == 1200)
    }

    @Test("last until the latest end, whichever sample started last")
    func latestEnd() throws {
        let samples = [Self.sample(.inBed, 0, 30000), Self.sample(.asleepCore, 600, 1200)]
        let session = try #require(try samples.splitIntoSleepSessions().first)
        #expect(session.duration == 30000 && session.timeAsleep == 600)
        #expect(session.day(in: .utc) == "2025-02-20")
    }

    @Test("have samples without a length as well")
    func instants() throws {
        let samples = [
            Self.sample(.asleepCore, 0, 600), Self.sample(.awake, 300, 300), Self.sample(.awake, 700, 700),
        ]
        let sessions = try samples.splitIntoSleepSessions()
        #expect(sessions.count == 1 && sessions.first?.duration == 700 && sessions.first?.timeAwake == 0)
    }

    @Test("are those of each source where that is asked for")
    func sources() throws {
        let samples = [
            Self.sample(.asleepCore, 0, 600), Self.sample(.asleepCore, 0, 600, source: "Ring"),
            Self.sample(.asleepCore, 600, 900, source: "Ring"),
        ]
        let together = try samples.splitIntoSleepSessions()
        #expect(together.map(\.sources) == [["Ring", "Watch"]] && together.map(\.timeAsleep) == [900])
        let apart = try samples.splitIntoSleepSessions(separateBySource: true)
        #expect(apart.map(\.sources) == [["Ring"], ["Watch"]] && apart.map(\.timeAsleep) == [900, 600])
    }

    @Test("are none without samples, and refuse samples of another type")
    func others() throws {
        #expect(try [CategorySample]().splitIntoSleepSessions().isEmpty)
        let headache = CategorySample(
            .headache, SeverityValue.mild, start: Timestamp(seconds: 0, offsetMinutes: 0))
        #expect(throws: QueryError.self) { try [headache].splitIntoSleepSessions() }
    }

    @Test("reach as far as a night in bed, from whose end the next gap counts", arguments: [3599, 3600])
    func nightInBed(gap: Int) throws {
        // The stage that starts last ends long before the time in bed does.
        let samples = [
            Self.sample(.inBed, 0, 30000), Self.sample(.asleepCore, 600, 1200),
            Self.sample(.asleepREM, 30000 + gap, 31000 + gap),
        ]
        let sessions = try samples.splitIntoSleepSessions()
        #expect(sessions.map(\.duration) == (gap < 3600 ? [31000 + gap] : [30000, 1000]))
        #expect(sessions.reduce(0) { $0 + $1.timeInBed } == 30000)
        #expect(sessions.reduce(0) { $0 + $1.timeAsleep } == 1600)
        #expect(sessions.reduce(0) { $0 + $1.trackedTime } == 1600)
    }

    @Test("are the same in whatever order the samples come", arguments: 0..<8)
    func order(turn: Int) throws {
        // Two samples have the same times, three the same start, and a nap is a session of its own.
        let samples = [
            Self.sample(.inBed, 0, 20000), Self.sample(.asleepCore, 0, 600),
            Self.sample(.asleepCore, 0, 600, source: "Ring"), Self.sample(.awake, 600, 600),
            Self.sample(.asleepDeep, 700, 9000), Self.sample(.asleepREM, 8000, 19000, source: "Ring"),
            Self.sample(.asleepCore, 50000, 51000), Self.sample(.asleepDeep, 51000, 52000),
        ]
        let turned = Array(samples[turn...] + samples[..<turn])
        for separate in [false, true] {
            let expected = try samples.splitIntoSleepSessions(separateBySource: separate)
            #expect(expected.count == (separate ? 4 : 2))
            #expect(try turned.splitIntoSleepSessions(separateBySource: separate) == expected)
            #expect(try turned.reversed().splitIntoSleepSessions(separateBySource: separate) == expected)
        }
    }

    @Test("are apart without the sample that bridges them, and when it is of another source")
    func withoutBridge() throws {
        let sides = [Self.sample(.asleepCore, 0, 600), Self.sample(.asleepCore, 9000, 9600)]
        #expect(try sides.splitIntoSleepSessions().map(\.duration) == [600, 600])
        for place in 0...2 {
            var samples = sides
            samples.insert(Self.sample(.inBed, 300, 9300, source: "Ring"), at: place)
            #expect(try samples.splitIntoSleepSessions().map(\.duration) == [9600])
            let apart = try samples.splitIntoSleepSessions(separateBySource: true)
            #expect(apart.map(\.sources) == [["Watch"], ["Ring"], ["Watch"]])
            #expect(apart.map(\.duration) == [600, 9000, 600])
        }
    }

    @Test("keep to the threshold for samples without a length too", arguments: [3599, 3600, 3601])
    func instantThreshold(gap: Int) throws {
        let count = gap < 3600 ? 1 : 2
        let instant = Self.sample(.awake, 600 + gap, 600 + gap)
        #expect(try [Self.sample(.asleepCore, 0, 600), instant].splitIntoSleepSessions().count == count)
        let later = Self.sample(.asleepCore, 600 + 2 * gap, 900 + 2 * gap)
        #expect(try [instant, later].splitIntoSleepSessions().count == count)
        #expect(try [instant].splitIntoSleepSessions().map(\.duration) == [0])
    }

    /// A sample as a source may write it: without a time, or with any value.
    private static func written(_ value: String, start: Int?, end: Int?) -> CategorySample {
        func attribute(_ name: String, _ text: String) -> ElementNode.Attribute {
            ElementNode.Attribute(name, Array(text.utf8))
        }
        func time(_ seconds: Int) -> String {
            var bytes: [UInt8] = []
            Timestamp(seconds: evening + seconds, offsetMinutes: 0).appendApple(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        var element = ElementNode(name: "Record")
        element.attributes = [
            attribute("type", "HKCategoryTypeIdentifierSleepAnalysis"), attribute("sourceName", "Watch"),
        ]
        if let start { element.attributes.append(attribute("startDate", time(start))) }
        if let end { element.attributes.append(attribute("endDate", time(end))) }
        element.attributes.append(attribute("value", value))
        return CategorySample(row: SampleRow(element))
    }

    @Test("have no samples without a start, and those without an end as instants")
    func missingTimes() throws {
        let core = "HKCategoryValueSleepAnalysisAsleepCore"
        let samples = [
            Self.sample(.asleepCore, 0, 600), Self.written(core, start: nil, end: 900),
            Self.written(core, start: 1000, end: nil),
        ]
        let sessions = try samples.splitIntoSleepSessions()
        #expect(sessions.map(\.samples.count) == [2] && sessions.map(\.duration) == [1000])
        #expect(sessions.map(\.timeAsleep) == [600] && sessions.map(\.trackedTime) == [600])
        #expect(try [samples[1]].splitIntoSleepSessions().isEmpty)
    }

    @Test("have samples with an unknown value, which count for no stage")
    func unknownValue() throws {
        let unknown = Self.written("HKCategoryValueSleepAnalysisDrowsy", start: 600, end: 9000)
        #expect(unknown.rawValue == nil)
        let samples = [
            Self.sample(.asleepCore, 0, 600), unknown, Self.sample(.asleepCore, 9000, 9600),
        ]
        let sessions = try samples.splitIntoSleepSessions()
        #expect(sessions.map(\.duration) == [9600] && sessions.map(\.timeAsleep) == [1200])
        let stages = SleepAnalysisValue.allCases.map { stage in
            sessions.reduce(0) { $0 + $1.duration(of: stage) }
        }
        #expect(stages.reduce(0, +) == 1200)
    }

    @Test("refuse another type wherever it is, and name the type only")
    func otherType() throws {
        let headache = CategorySample(
            .headache, SeverityValue.mild, start: Timestamp(seconds: Self.evening, offsetMinutes: 0))
        let sleep = Self.sample(.asleepCore, 0, 600)
        for samples in [[headache, sleep], [sleep, headache]] {
            let error = #expect(throws: QueryError.self) { try samples.splitIntoSleepSessions() }
            #expect(error?.type == headache.sampleType)
            #expect(error?.description == "a sample of headache is not a sample of sleep")
        }
    }

    @Test("of a store belong to the day on which they end, and are whole")
    func store() async throws {
        var document = TestDocument()
        for (name, start, end) in [
            ("AsleepCore", -7200, 3600), ("AsleepDeep", 3600, 7200), ("AsleepCore", 80000, 90000),
        ] {
            document.add(
                "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis" + name,
                from: TestDocument.june + start, to: TestDocument.june + end, unit: nil)
        }
        let nights = try await document.store.sleepSessions(in: .day("2024-06-01"), days: .utc)
        #expect(nights.map(\.timeAsleep) == [14400])
        #expect(try await document.store.sleepSessions(in: .day("2024-06-02"), days: .utc).count == 1)
        #expect(try await document.store.sleepSessions().count == 2)
    }

    @Test("of a store are those of all of its samples, whatever gap ends them", arguments: [false, true])
    func spans(separate: Bool) async throws {
        var dice = Dice(7)
        var document = TestDocument()
        for number in 0..<2000 {
            let start = Int.random(in: 0..<5 * 365 * 86400, using: &dice)
            document.add(
                "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
                from: TestDocument.june - start,
                to: TestDocument.june - start + Int.random(in: 0..<40_000, using: &dice),
                source: number % 3 == 0 ? "Phone" : "Watch", unit: nil)
        }
        let store = document.store
        var samples: [CategorySample] = []
        for try await span in store.samples(.sleepAnalysis) { samples += span }
        #expect(samples.count == 2000)
        for threshold in [-1, 3600, 86400, .max] {
            let sessions = try await store.sleepSessions(threshold: threshold, separateBySource: separate)
            #expect(
                try sessions
                    == samples.shuffled(using: &dice).splitIntoSleepSessions(
                        threshold: threshold, separateBySource: separate))
            if threshold == .max { #expect(sessions.count == (separate ? 2 : 1)) }
        }
    }
}
