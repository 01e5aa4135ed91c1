import ByteText
import HealthModel
import HealthQueries
import HealthStoreTesting
import Synchronization
import Testing

@testable import HealthReport

@Suite("Reports")
struct ReportTests {
    private static func store(_ records: String = "") -> InMemoryStore {
        InMemoryStore(
            document: """
                <HealthData locale="en_GB">
                <ExportDate value="2024-07-01 12:00:00 +0200"/>
                \(records)
                </HealthData>
                """)
    }

    /// Returns a quantity of a day, at noon.
    private static func quantity(_ type: String, _ value: String, _ unit: String, _ day: Int) -> String {
        let date = CivilDate(daysSince1970: day)
        return """
            <Record type="HKQuantityTypeIdentifier\(type)" sourceName="x" unit="\(unit)" \
            startDate="\(date) 12:00:00 +0200" endDate="\(date) 12:00:00 +0200" value="\(value)"/>

            """
    }

    private static func text(_ records: String, _ request: ReportRequest = ReportRequest()) async throws
        -> String
    {
        String(decoding: try await ReportPage.make(of: store(records), request).bytes, as: UTF8.self)
    }

    private static func sleep(
        _ start: String, _ end: String, _ stage: String = "AsleepCore", source: String = "Watch"
    ) -> String {
        """
        <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="\(source)" startDate="\(start) +0000" \
        endDate="\(end) +0000" value="HKCategoryValueSleepAnalysis\(stage)"/>

        """
    }

    @Test("a store without samples gives a page without sections")
    func nothing() async throws {
        let page = try await ReportPage.make(of: Self.store())
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(ReportPage.documentStart) && text.contains("No data")
                && text.hasSuffix("</html>\n"))
    }

    @Test("the progress goes from type to type, up to all samples but those of the last")
    func progress() async throws {
        let counts = ["HeartRate": 3, "RestingHeartRate": 2, "StepCount": 4]
        let records = counts.sorted { $0.key < $1.key }.flatMap { type, count in
            (0..<count).map {
                Self.quantity(type, "60", type == "StepCount" ? "count" : "count/min", 19_000 + $0)
            }
        }
        let found = Mutex([(title: String, done: Int, total: Int)]())
        _ = try await ReportPage.make(of: Self.store(records.joined())) { title, done, total in
            found.withLock { $0.append((title, done, total)) }
        }
        let calls = found.withLock { $0 }
        #expect(calls.allSatisfy { $0.total == 9 })
        #expect(calls.map(\.done) == calls.map(\.done).sorted() && calls.first?.done == 0)
        for (title, count) in [("Heart Rate", 3), ("Resting Heart Rate", 2), ("Steps", 4)] {
            let own = try #require(calls.firstIndex { $0.title == title })
            let next = calls[own...].first { $0.title != title }
            #expect(next.map { $0.done - calls[own].done } ?? count == count)
        }
    }

    @Test("one sample is enough for a page")
    func oneSample() async throws {
        let store = Self.store(
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="&lt;img src=x&gt;" unit="count" \
            startDate="2024-06-30 10:00:00 +0200" endDate="2024-06-30 10:10:00 +0200" value="1234"/>
            """)
        let text = String(decoding: try await ReportPage.make(of: store).bytes, as: UTF8.self)
        #expect(text.contains("1,234") && text.contains("&lt;img src=x&gt;") && !text.contains("<img"))
    }

    /// Months of steps in the years 1 to 9998, and values that no axis has room for.
    @Test("dates and values as odd as they can be end no program")
    func oddities() async throws {
        let years = ["0001", "1969", "2023", "9998"]
        let values = ["5", "1e308", "-1e308", "nan", "0"]
        let kinds = ["StepCount", "HeartRate", "BodyMass", "OxygenSaturation"]
        var records = ""
        for year in years {
            for (kind, unit) in zip(kinds, ["count", "count/min", "kg", "%"]) {
                for value in values {
                    records += """
                        <Record type="HKQuantityTypeIdentifier\(kind)" sourceName="x" unit="\(unit)" \
                        startDate="\(year)-05-01 10:00:00 +0200" endDate="\(year)-06-20 10:00:00 +0200" \
                        value="\(value)"/>

                        """
                }
            }
            records += Self.sleep("\(year)-05-01 10:00:00", "\(year)-08-01 10:00:00")
            records += """
                <Workout workoutActivityType="x" duration="1e300" durationUnit="min" \
                startDate="\(year)-05-01 10:00:00 +0200" endDate="\(year)-05-01 10:00:00 +0200"/>

                """
        }
        let page = try await ReportPage.make(of: Self.store(records))
        #expect(page.sections.contains(.activity) && page.bytes.count < 3 << 20)
        for year in [1, 1969, 2023, 9998] {
            let day = try #require(CivilDate(year: year, month: 5, day: 20))
            _ = try await ReportPage.make(of: Self.store(records), ReportRequest(in: .day(day)))
        }
    }

    @Test("sleep at the same time each day has a regularity of 100, and at opposite times less than 0")
    func regularity() async throws {
        func index(_ records: String) async throws -> Double? {
            let nights = try await Self.store(records).sleepSessions().map { Night($0, .utc) }
            return SleepRegularity.index(nights, .utc)
        }
        let same = (10..<20).map { Self.sleep("2024-06-\($0) 00:00:00", "2024-06-\($0) 08:00:00") }.joined()
        #expect(try await index(same) == 100)
        // Nights without sleep are unknown: of those in bed alone, and of a nap on a day without another record.
        let inBed = (20..<25).map {
            Self.sleep("2024-06-\($0) 00:00:00", "2024-06-\($0) 08:00:00", "InBed")
        }
        let nap = Self.sleep("2024-06-25 14:00:00", "2024-06-25 15:00:00")
        let later = Self.sleep("2024-06-26 00:00:00", "2024-06-26 08:00:00")
        #expect(try await index(same + inBed.joined() + nap) == 100)
        #expect(try await index(same + nap + later) == 100)
        // From noon to noon, all but 210 minutes of a day are the opposite of those of the next.
        let opposite = (10..<20).map { day in
            day % 2 == 0
                ? Self.sleep(
                    "2024-06-\(day - 1 < 10 ? "0" : "")\(day - 1) 14:00:00", "2024-06-\(day) 00:30:00")
                : Self.sleep("2024-06-\(day) 02:00:00", "2024-06-\(day) 12:00:00")
        }
        let found = try #require(try await index(opposite.joined()))
        #expect(abs(found - (-100 + 200 * 210.0 / 1440)) < 0.01)
        #expect(try await index(Self.sleep("2024-06-10 00:00:00", "2024-06-10 08:00:00")) == nil)
    }

    @Test("the caption of sleep counts samples of sleep, and names their sources alone, as the chart does")
    func sleepSamples() async throws {
        let phone = Self.sleep("2024-06-10 00:00:00", "2024-06-10 08:00:00", "InBed", source: "Phone")
        let other = Self.sleep("2024-06-10 01:00:00", "2024-06-10 01:00:00", source: "Other")
        let watch =
            Self.sleep("2024-06-10 00:30:00", "2024-06-10 03:00:00")
            + Self.sleep("2024-06-10 03:00:00", "2024-06-10 03:10:00", "Awake")
            + Self.sleep("2024-06-10 03:10:00", "2024-06-10 07:00:00", "AsleepDeep")
            + Self.sleep("2024-06-10 14:00:00", "2024-06-10 14:30:00")
        let store = Self.store(phone + other + watch)
        let sessions = try await store.sleepSessions()
        let period = ReportPeriod(days: .utc, range: 0..<86400)
        let series = SleepSection(nights: sessions.map { Night($0, .utc) }, period: period).hours
        #expect(series.sampleCount == 3 && series.sources.map(\.name) == ["Watch"])
        #expect(sessions.first?.sources == ["Other", "Phone", "Watch"])
        let chart = SleepChart.chart(sessions, by: .day, .utc)
        #expect(chart.caption.contains("; sources: Watch; "))
    }

    @Test("a route is measured in metres, and its splits take the time of each kilometre")
    func routes() {
        // A degree of latitude has 111.195 km; 4 m/s to the north.
        let points = (0...600).map { second in
            """
            <trkpt lon="10.0" lat="\(50 + Double(second) * 4 / 111_195)"><ele>1</ele>\
            <time>2024-06-01T10:\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z\
            </time></trkpt>
            """
        }.joined()
        let route = RouteFile(
            gpx: Array("<gpx><trk><trkseg>\(points)<trkpt lat=\"95\" lon=\"x\"></trkpt>".utf8))
        #expect(route.points.count == 601)
        #expect(abs((route.distances.last ?? 0) - 2400) < 0.5)
        #expect(route.splits == [250, 250])
        #expect(RouteDrawing(route.places) != nil)
        #expect(RouteDrawing([(0, 0, 0), (0, 0, 0)]) == nil)
        #expect(RouteFile(gpx: Array("<trkpt".utf8)).points.isEmpty)
    }

    @Test("segments of a route are not joined: neither the way nor the time between them counts")
    func segments() {
        // 800 m to the north, 3 km and an hour further on 1,600 m more, at 4 m/s.
        func point(_ metres: Double, _ second: Int) -> String {
            """
            <trkpt lon="10.0" lat="\(50 + metres / 111_195)"><time>2024-06-01T\(10 + second / 3600):\
            \(String(100 + second / 60 % 60).dropFirst()):\(String(100 + second % 60).dropFirst())Z</time></trkpt>
            """
        }
        let first = (0...200).map { point(Double($0) * 4, $0) }
        let second = (0...400).map { point(3800 + Double($0) * 4, 3800 + $0) }
        let gpx =
            "<gpx><trk><trkseg>\(first.joined())</trkseg><trkseg>\(second.joined())</trkseg></trk></gpx>"
        let route = RouteFile(gpx: Array(gpx.utf8))
        #expect(
            route.points.map(\.segment) == [Int](repeating: 0, count: 201) + [Int](repeating: 1, count: 401))
        #expect(abs((route.distances.last ?? 0) - 2400) < 0.5)
        #expect(route.splits == [250, 250])
        var writer = MarkupWriter()
        RouteDrawing(route.places)?.write(to: &writer, identifier: "r", title: "Running")
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let path = text.split(separator: #"class="l s0" d=""#).last?.prefix { $0 != "\"" } ?? ""
        #expect(path.count { $0 == "M" } == 2, "\(text)")
    }

    @Test("a day on average is that of a period in which nearly every day has data")
    func averageDays() async throws {
        // 2024-06-30, the day before the export.
        let last = 19904
        let steps = (last - 99...last).map { Self.quantity("StepCount", "8000", "count", $0) }.joined()
        let some = (last - 49...last).map { Self.quantity("AppleExerciseTime", "30", "min", $0) }.joined()
        let falls =
            Self.quantity("NumberOfTimesFallen", "20", "count", last - 90)
            + Self.quantity("NumberOfTimesFallen", "11", "count", last - 1)
        let text = try await Self.text(steps + some + falls)
        #expect(text.contains("<h3>Steps: 8,000 a day on average</h3>"))
        #expect(text.contains("Exercise Minutes: 30 min a day on average, on 50 of 100 days with data</h3>"))
        #expect(text.contains("31 in total, on 2 of 100 days</h3>") && text.contains("By week, the total"))
        #expect(!text.contains("15.5 a day"))
    }

    @Test("years are compared if they are covered")
    func years() async throws {
        // From 2021-01-01 to 2024-01-15.
        let first = 18628
        let steps = (first..<first + 3 * 365 + 15).map { day in
            let year = CivilDate(daysSince1970: day).year
            return Self.quantity(
                "StepCount", "\([2021: 5000, 2022: 7000, 2023: 6000][year] ?? 20_000)", "count", day)
        }.joined()
        let request = ReportRequest(in: .until(.day(try #require(CivilDate(year: 2024, month: 1, day: 15)))))
        let text = try await Self.text(steps, request)
        #expect(text.contains("Steps by year: most in 2022, 7,000 a day") && text.contains(">2024*<"))
        #expect(text.contains("* less than nine tenths of the days have data"))
    }

    @Test("both halves of blood pressures are in one chart")
    func bloodPressures() async throws {
        let records = (19900...19902).map { day in
            Self.quantity("BloodPressureSystolic", "\(day - 19780)", "mmHg", day)
                + (day == 19901 ? "" : Self.quantity("BloodPressureDiastolic", "\(day - 19822)", "mmHg", day))
        }.joined()
        let text = try await Self.text(records)
        #expect(text.contains("Blood Pressure: 121/79 mmHg in the median"))
        #expect(text.ranges(of: "<h3>Blood Pressure").count == 1 && !text.contains("<h3>Systolic"))
        let alone = try await Self.text(Self.quantity("BloodPressureSystolic", "120", "mmHg", 19900))
        #expect(alone.contains("<h3>Systolic Blood Pressure: 120 mmHg"))
    }

    @Test("whom a report is about is said only if a name is given")
    func name() async throws {
        let records =
            "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1984-07-02\"/>"
            + Self.quantity("StepCount", "8000", "count", 19904)
        let plain = try await Self.text(records)
        #expect(plain.contains("<h1>Health report</h1>") && !plain.contains("1984"))
        let named = try await Self.text(records, ReportRequest(name: "A <b>"))
        #expect(named.contains("<h1>Health report of A &lt;b&gt;</h1>"))
        #expect(named.contains("born on 1984-07-02, aged 39 on the day of the export; "))
        let ageless = try await Self.text(
            Self.quantity("StepCount", "1", "count", 19904), ReportRequest(name: "A"))
        #expect(ageless.contains("<h1>Health report of A</h1>") && !ageless.contains("aged"))
    }

    @Test("a clinical record is named by the text of its code")
    func names() {
        func name(_ json: String) -> String? { ResourceSummary(of: Array(json.utf8), .utc).name }
        #expect(name(#"{"medicationCodeableConcept":{"text":"Placebo"}}"#) == "Placebo")
        #expect(name(#"{"code":{"coding":[{"code":"8867-4"}]},"a":[1,{"code":2}]}"#) == "8867-4")
        #expect(name(#"{"code":{"coding":[{"code":"1","display":"Pulse"}],"text":3}}"#) == "Pulse")
        #expect(name(#"{"code":[]}"#) == nil && name("{") == nil && name("") == nil)
    }

    @Test(
        "a clinical record is of the day on which it happened, was decided or was written down",
        arguments: [
            (#"{"recordedDate":"2025-01-03","onsetDateTime":"2024-12-31","id":"x"}"#, "2024-12-31"),
            (#"{"dateWritten":"2015-03"}"#, "2015-03"), (#"{"authoredOn":"2021"}"#, "2021"),
            (#"{"issued":"2025-05-02T23:30:00.123Z","effectivePeriod":{"end":"2025"}}"#, "2025-05-03"),
            (#"{"effectivePeriod":{"start":"2025-05-02T00:30:00+02:00"},"date":"2020-01-01"}"#, "2025-05-02"),
            (#"{"period":{"start":"2025-05-02T00:30+02:00"}}"#, "2025-05-02"),
            (#"{"date":"yesterday"}"#, nil), (#"{"date":"2025-13-01"}"#, nil),
            (#"{"date":["2025-01-01"]}"#, nil),
            (#"{"date":"2025-1"}"#, nil), ("{", nil),
        ])
    func dates(json: String, date: String?) {
        #expect(ResourceSummary(of: Array(json.utf8), Days(offsetMinutes: 120)).date == date)
    }

    @Test("the values of a category are listed with their numbers, the most frequent first")
    func values() async throws {
        func row(_ type: String, _ names: [String]) async throws -> String {
            let records = names.map { name in
                """
                <Record type="HKCategoryTypeIdentifier\(type)" sourceName="x" value="\(name)" \
                startDate="2024-06-20 10:00:00 +0200" endDate="2024-06-20 11:00:00 +0200"/>

                """
            }
            let page = try await ReportPage.make(of: Self.store(records.joined()))
            return String(decoding: page.bytes, as: UTF8.self)
        }
        let (stood, idle) = ("HKCategoryValueAppleStandHourStood", "HKCategoryValueAppleStandHourIdle")
        #expect(try await row("AppleStandHour", [idle, stood, stood]).contains(">stood 2, idle 1<"))
        #expect(try await row("AppleStandHour", [idle, stood]).contains(">idle 1, stood 1<"))
        let odd = (1...7).flatMap { [String](repeating: "v\($0)", count: $0) }
        #expect(try await row("AppleStandHour", odd).contains(">v7 7, v6 6, v5 5, v4 4, v3 3, and 2 more<"))
        #expect(try await !row("MindfulSession", ["HKCategoryValueNotApplicable"]).contains("pplicable"))
    }

    @Test("quantities and categories that nobody knows are among those of the body, and not without number")
    func unknownTypes() async throws {
        func record(_ type: String, _ value: String, day: Int = 20) -> String {
            """
            <Record type="\(type)" sourceName="Ring" unit="ms" startDate="2024-06-\(day) 10:00:00 +0200" \
            endDate="2024-06-\(day) 10:00:00 +0200" value="\(value)"/>

            """
        }
        let quantity = "HKQuantityTypeIdentifierInventedRhythm"
        let records =
            record(quantity, "41") + record(quantity, "43", day: 21)
            + record("HKCategoryTypeIdentifierInventedEvent", "HKCategoryValueInvented")
        for sections: Set<ReportSection> in [Set(ReportSection.allCases), [.body, .sources]] {
            let page = try await ReportPage.make(of: Self.store(records), ReportRequest(sections: sections))
            let text = String(decoding: page.bytes, as: UTF8.self)
            #expect(text.contains("Invented Rhythm: 42 ms in the median, from 41 to 43 ms"))
            #expect(text.contains(">Invented Event<") && page.sections.contains(.sources))
        }
        let heart = try await ReportPage.make(of: Self.store(records), ReportRequest(sections: [.heart]))
        #expect(heart.sections.isEmpty)
        let many = (0..<120).map { record("HKQuantityTypeIdentifierInvented\($0)", "1") }.joined()
        let page = try await ReportPage.make(of: Self.store(many), ReportRequest(sections: [.body]))
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains("20 more quantities that this program does not know"))
    }

    @Test("a report ends with the day of the export, and says what is later")
    func later() async throws {
        func steps(_ day: String, _ value: Int) -> String {
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
            startDate="\(day) 13:00:00 +0200" endDate="\(day) 13:10:00 +0200" value="\(value)"/>

            """
        }
        // The export is made at noon on 1 July: what is dated later on that day counts.
        let records = steps("2024-06-30", 300) + steps("2024-07-01", 200) + steps("2030-06-01", 7)
        func text(_ request: ReportRequest) async throws -> String {
            String(decoding: try await ReportPage.make(of: Self.store(records), request).bytes, as: UTF8.self)
        }
        let note = "Samples that are dated after the export, up to 2030-06-01, are left out: Steps."
        for sections: Set<ReportSection> in [Set(ReportSection.allCases), [.activity]] {
            let text = try await text(ReportRequest(sections: sections))
            #expect(text.contains("2024-06-30 to 2024-07-01") && text.contains("on 2 of 2 days"))
            #expect(text.ranges(of: note).count == 1)
        }
        let day = try #require(CivilDate(year: 2030, month: 6, day: 1))
        let asked = try await text(ReportRequest(in: .until(.day(day))))
        #expect(asked.contains("2024-06-30 to 2030-06-01") && !asked.contains("dated after"))
    }
}
