import ByteText
import HealthStoreTesting
import HealthVault
import Testing

// The examples about samples and queries for them, as they stand in the documentation of HealthModel.

/// A store of a document with these elements, exported on a Friday.
private func store(of elements: String) -> InMemoryStore {
    InMemoryStore(
        document: """
            <HealthData locale="en_GB">
             <ExportDate value="2024-03-08 10:00:00 +0100"/>
            \(elements)
            </HealthData>
            """)
}

/// The times of a record: hours and minutes of a day in March 2024.
private func times(_ day: Int, _ start: String, _ end: String? = nil) -> String {
    let date = "2024-03-\(day < 10 ? "0" : "")\(day)"
    return "startDate=\"\(date) \(start):00 +0100\" endDate=\"\(date) \(end ?? start):00 +0100\""
}

/// A heart rate of a watch.
private func heartRate(_ value: Int, _ day: Int, _ time: String, pointer: String = "0x1a2b") -> String {
    """
    <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
    device="&lt;&lt;HKDevice: \(pointer)&gt;, name:Apple Watch, hardware:Watch6,2&gt;" \
    \(times(day, time)) value="\(value)"/>

    """
}

private let fuel = """
    <Record type="HKQuantityTypeIdentifierNikeFuel" sourceName="Watch" unit="count" \
    \(times(7, "08:00")) value="9"/>

    """

private let weights = """
    <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scales" unit="kg" \
    \(times(1, "07:00")) value="61.5"/>
    <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Phone" unit="kg" \
    \(times(5, "07:00")) value="62">
     <MetadataEntry key="HKWasUserEntered" value="1"/>
    </Record>

    """

private let sleep = """
    <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
    startDate="2024-03-06 23:00:00 +0100" endDate="2024-03-07 05:30:00 +0100" \
    value="HKCategoryValueSleepAnalysisAsleepCore"/>
    <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \(times(7, "05:30", "06:00")) \
    value="HKCategoryValueSleepAnalysisAwake"/>

    """

private let bloodPressure = """
    <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \(times(7, "07:00"))>
     <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
    \(times(7, "07:00")) value="118"/>
     <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Cuff" unit="mmHg" \
    \(times(7, "07:00")) value="76"/>
    </Correlation>

    """

private let workout = """
    <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5" durationUnit="min" \
    sourceName="Watch" \(times(7, "18:00", "18:32"))>
     <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" \
    \(times(7, "18:00", "18:32")) sum="5.2" unit="km"/>
     <WorkoutRoute sourceName="Watch" \(times(7, "18:00", "18:32"))>
      <FileReference path="/workout-routes/route_2024-03-07_6.32pm.gpx"/>
     </WorkoutRoute>
    </Workout>

    """

@Suite("The examples about samples")
struct ModelExampleTests {
    @Test("read samples span by span")
    func reading() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: heartRate(62, 7, "08:00") + heartRate(148, 7, "18:30"))

        for try await samples in store.samples(.heartRate) {
            for sample in samples {
                print(sample.startDate?.iso ?? "no start", sample.value(in: .count / .minute) ?? 0)
            }
        }
        #expect(printed == ["2024-03-07T08:00:00+01:00 62.0", "2024-03-07T18:30:00+01:00 148.0"])
    }

    @Test("read quantities with their sources")
    func quantities() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: weights)

        for weight in try await store.samples(.bodyMass).all() {
            let isManual = weight.metadata.wasUserEntered ?? false
            print(weight.value(in: .gram(.kilo)) ?? 0, weight.sourceName ?? "?", isManual)
        }
        #expect(printed == ["61.5 Scales false", "62.0 Phone true"])
    }

    @Test("read the values of a category")
    func categories() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: sleep)

        for stage in try await store.samples(.sleepAnalysis).all() {
            guard let value = stage.value(as: SleepAnalysisValue.self) else { continue }
            print(value.title, "until", stage.endDate?.iso ?? "?")
        }
        #expect(
            printed == [
                "asleep core until 2024-03-07T05:30:00+01:00", "awake until 2024-03-07T06:00:00+01:00",
            ])
    }

    @Test("read correlations")
    func correlations() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: bloodPressure)

        for reading in try await store.samples(.bloodPressure).all() {
            let systolic = reading.quantity(of: .bloodPressureSystolic)
            let diastolic = reading.quantity(of: .bloodPressureDiastolic)
            print(systolic?.value ?? 0, diastolic?.value ?? 0)
        }
        #expect(printed == ["118.0 76.0"])
    }

    @Test("read workouts")
    func workouts() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(
            of: workout + heartRate(62, 7, "08:00") + heartRate(135, 7, "18:10") + heartRate(148, 7, "18:30"))

        for workout in try await store.samples(.workout).all() {
            let kilometres = workout.totalDistance?.value(in: .meter(.kilo)) ?? 0
            let minutes = workout.duration?.value(in: .minute) ?? 0
            print(workout.activityType?.title ?? "?", kilometres, minutes)

            guard let start = workout.startDate, let end = workout.endDate else { continue }
            let heartRates = try await store.samples(.heartRate, in: .instants(start..<end)).all()
            print(heartRates.count, "heart rates")
        }
        #expect(printed == ["running 5.2 30.5", "2 heart rates"])
        let run = try #require(try await store.samples(.workout).first())
        #expect(run.routes.first?.filePath == "workout-routes/route_2024-03-07_6.32pm.gpx")
    }

    @Test("know the same sample in another export")
    func identifiers() async throws {
        let older = store(of: heartRate(62, 7, "08:00"))
        let newer = store(of: heartRate(148, 7, "18:30") + heartRate(62, 7, "08:00", pointer: "0x7f"))

        let known = try await Set(older.samples(.heartRate).all().map(\.id))
        let added = try await newer.samples(.heartRate).all().filter { !known.contains($0.id) }
        #expect(added.map(\.value) == [148] && known.count == 1)
    }
}

@Suite("The examples about queries for samples")
struct SampleQueryExampleTests {
    @Test("list what is there")
    func contents() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: weights + heartRate(62, 7, "08:00"))

        for extent in try await store.sampleTypes() {
            print(extent.type.title, extent.count, extent.first?.day.description ?? "no date")
        }
        #expect(printed == ["Weight 2 2024-03-01", "Heart Rate 1 2024-03-07"])
    }

    @Test("choose a time")
    func ranges() async throws {
        let store = store(
            of: heartRate(62, 1, "08:00") + heartRate(70, 2, "00:00") + heartRate(148, 7, "18:30")
                + heartRate(64, 8, "08:00"))
        let day = try #require(CivilDate(year: 2024, month: 3, day: 7))

        let today = try await store.samples(.heartRate, in: .today).all()
        let lastSevenDays = try await store.samples(.heartRate, in: .last(days: 7)).all()
        let oneDay = try await store.samples(.heartRate, in: .day(day)).all()
        let untilThen = try await store.samples(.heartRate, in: .until(.day(day))).all()
        #expect(today.map(\.value) == [64] && lastSevenDays.map(\.value) == [70, 148, 64])
        #expect(oneDay.map(\.value) == [148] && untilThen.map(\.value) == [62, 70, 148])
    }

    @Test("choose by other properties")
    func predicates() async throws {
        let store = store(of: heartRate(62, 7, "08:00") + heartRate(148, 7, "18:30") + weights)

        let isFast = SamplePredicate.value(.atLeast, Quantity(100, .count / .minute))
        let query = SampleQuery(.heartRate, in: .currentMonth, where: isFast && .source(.named("Watch")))
        let count = try await store.samples(query).count()
        #expect(count == 1)

        let measured = try await store.samples(.bodyMass, where: !.wasUserEntered).all()
        #expect(measured.map(\.value) == [61.5])
    }

    @Test("take the latest")
    func latest() async throws {
        let store = store(of: weights)

        let weight = try await store.samples(.bodyMass, sortedBy: .newestFirst, limit: 1).first()
        #expect(weight?.value == 62)
    }

    @Test("take what reaches into a day")
    func overlapping() async throws {
        let store = store(of: sleep)
        let day = try #require(CivilDate(year: 2024, month: 3, day: 7))

        let started = try await store.samples(.sleepAnalysis, in: .day(day)).count()
        let reached = try await store.samples(.sleepAnalysis, in: .day(day), matching: .overlapping).count()
        #expect(started == 1 && reached == 2)
    }

    @Test("use the days of the export, or others")
    func days() async throws {
        // Exported in summer: Apple writes the winter's times with the offset of the summer.
        let store = InMemoryStore(
            document: """
                <HealthData locale="de_DE">
                 <ExportDate value="2024-07-24 10:00:00 +0200"/>
                 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
                startDate="2024-01-15 00:30:00 +0200" endDate="2024-01-15 00:30:00 +0200" value="62"/>
                 <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scales" unit="kg" \
                startDate="2024-07-01 07:00:00 +0200" endDate="2024-07-01 07:00:00 +0200" value="61.5">
                  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
                 </Record>
                </HealthData>
                """)
        let day = try #require(CivilDate(year: 2024, month: 1, day: 14))

        let days = try await store.days()
        #expect(days.zone == "Europe/Berlin")
        #expect(try await store.samples(.heartRate, in: .day(day)).count() == 1)

        let query = SampleQuery(.heartRate, in: .day(day), days: Days(offsetMinutes: 120))
        let count = try await store.samples(query).count()
        #expect(count == 0)
    }

    @Test("ask for a type by its name")
    func names() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let store = store(of: weights)
        let name = "bodyMass"

        let type = try SampleType(AnySampleType.named(name))
        for sample in try await store.samples(type).all() {
            print(sample.value ?? "no value", sample.unit ?? "")
        }
        #expect(printed == ["61.5 kg", "62 kg"])
    }

    @Test("ask for a type that is not known")
    func unknownTypes() async throws {
        let store = store(of: fuel)

        var samples: [QuantitySample] = []
        if let fuel = SampleType<QuantitySample>("HKQuantityTypeIdentifierNikeFuel") {
            samples = try await store.samples(fuel).all()
        }
        #expect(samples.map(\.value) == [9])
    }
}
