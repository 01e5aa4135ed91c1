import ByteText
import HealthModel
import SampleBatches
import Testing

@Suite("Samples")
struct SampleReadingTests {
    private static let start = Timestamp(seconds: 1_717_200_000, offsetMinutes: 120)
    private static let end = Timestamp(seconds: 1_717_203_600, offsetMinutes: 120)
    private static let watch = Device(name: "Apple Watch", model: "Watch", hardwareVersion: "Watch6,2")

    private static func heartRate(
        _ value: String = "61.50", start: Timestamp = start,
        source: Source = Source(name: "Uhr", version: "9"),
        device: Device? = watch, creationDate: Timestamp? = nil, metadata: Metadata = ["k": "v"]
    ) throws -> QuantitySample {
        QuantitySample(
            .heartRate, try #require(Quantity(value, .count / .minute)), start: start, source: source,
            device: device, creationDate: creationDate, metadata: metadata)
    }

    @Test("of a quantity keep the text of the number")
    func quantity() throws {
        let sample = try Self.heartRate()
        #expect(sample.quantity?.text == "61.50" && sample.value == 61.5)
        #expect(sample.unit == .count / .minute)
        #expect(abs(try #require(sample.value(in: .count / .second())) - 1.025) < 1e-12)
        #expect(sample.value(in: .meter()) == nil)
        #expect(sample.startDate == Self.start && sample.endDate == Self.start && sample.creationDate == nil)
        #expect(sample.source == Source(name: "Uhr", version: "9") && sample.device == Self.watch)
        #expect(sample.sampleType == .heartRate && sample.element == "Record")
    }

    @Test("of a category are read as the values of an enumeration")
    func category() {
        let sample = CategorySample(
            .sleepAnalysis, SleepAnalysisValue.asleepREM, start: Self.start, end: Self.end)
        #expect(sample.valueName == "HKCategoryValueSleepAnalysisAsleepREM" && sample.rawValue == 5)
        #expect(sample.value(as: SleepAnalysisValue.self) == .asleepREM)
        #expect(sample.value(as: SeverityValue.self) == nil)
    }

    @Test("of a correlation have both members")
    func correlation() throws {
        func half(_ type: SampleType<QuantitySample>, _ value: Double) -> QuantitySample {
            QuantitySample(type, Quantity(value, .millimeterOfMercury), start: Self.start)
        }
        let sample = CorrelationSample(
            .bloodPressure, [half(.bloodPressureSystolic, 120), half(.bloodPressureDiastolic, 80)],
            start: Self.start, metadata: ["a": "b"])
        #expect(sample.quantity(of: .bloodPressureSystolic) == Quantity(120, .millimeterOfMercury))
        #expect(sample.quantity(of: .bloodPressureDiastolic) == Quantity(80, .millimeterOfMercury))
        #expect(sample.quantity(of: .heartRate) == nil && sample.members.count == 2)
        #expect(sample.members.map(\.sampleType) == [.bloodPressureSystolic, .bloodPressureDiastolic])
        #expect(sample.metadata == ["a": "b"])
    }

    @Test("of a workout have duration, statistics, events and parts")
    func workout() throws {
        func statistics(_ type: SampleType<QuantitySample>, _ sum: Quantity) -> WorkoutStatistics {
            WorkoutStatistics(type, startDate: Self.start, endDate: Self.end, sum: sum)
        }
        let distance = statistics(.distanceCycling, Quantity(12.5, .meter(.kilo)))
        let energy = statistics(.activeEnergyBurned, Quantity(300, .kilocalorie))
        let event = WorkoutEvent(
            .pause, date: Self.start, duration: Quantity(2, .minute), metadata: ["x": "y"])
        let part = WorkoutActivity(
            uuid: "1", startDate: Self.start, endDate: Self.end, duration: Quantity(58, .minute),
            statistics: [energy], events: [event], metadata: ["p": "q"])
        let workout = Workout(
            .cycling, start: Self.start, end: Self.end, duration: Quantity(58, .minute),
            statistics: [distance, energy], events: [event], activities: [part], metadata: ["m": "n"])
        #expect(workout.activityType == .cycling && workout.duration == Quantity(58, .minute))
        #expect(workout.totalDistance == Quantity(12.5, .meter(.kilo)))
        #expect(workout.totalEnergyBurned == Quantity(300, .kilocalorie))
        #expect(workout.events == [event] && workout.activities.map(\.uuid) == ["1"])
        #expect(workout.activities.first?.events == [event])
        #expect(workout.activities.first?.statistics.map(\.type) == [.activeEnergyBurned])
        #expect(workout.statistics.map(\.sum) == [distance.sum, energy.sum])
        #expect(workout.metadata == ["m": "n"] && workout.routes.isEmpty)
    }

    @Test("have metadata of all kinds")
    func metadata() throws {
        let metadata: Metadata = [
            "HKTimeZone": "Europe/Berlin", "HKWasUserEntered": "1", "HKElevationAscended": "418 cm",
            "HKDateOfEarliestDataUsedForEstimate": "2012-02-12 16:23:53 +0000", "n": "2.5", "twice": "1",
        ]
        let read = try Self.heartRate(metadata: metadata).metadata
        #expect(read == metadata && read.timeZone == "Europe/Berlin" && read.wasUserEntered == true)
        #expect(read.quantity("HKElevationAscended") == Quantity(418, .meter(.centi)))
        #expect(read.date("HKDateOfEarliestDataUsedForEstimate")?.iso == "2012-02-12T16:23:53+00:00")
        #expect(read.number("n") == 2.5 && read.flag("n") == nil && read["none"] == nil)
    }

    @Test("have an identity that an export does not change")
    func identity() throws {
        let sample = try Self.heartRate()
        let later = try Self.heartRate(
            start: Timestamp(seconds: Self.start.seconds, offsetMinutes: -60),
            source: Source(name: "Uhr", version: "10"), creationDate: Self.end)
        #expect(sample.id == later.id)
        for other in [
            try Self.heartRate("61.5"), try Self.heartRate(start: Self.end),
            try Self.heartRate(source: Source(name: "uhr")), try Self.heartRate(device: nil),
            try Self.heartRate(metadata: ["k": "w"]), try Self.heartRate(metadata: [:]),
        ] { #expect(sample.id != other.id) }
        #expect(sample.id.description.count == 32)
    }

    @Test("that are exactly the same are told apart by their order")
    func duplicates() throws {
        var builder = SampleBatchBuilder(
            key: SampleBatch.Key(element: "Record", type: "T", span: "all", part: 1))
        // One that starts at another time is between them.
        for position in 1...5 {
            var reader = AttributeReader(element: "Record")
            reader.add(name: "type", text: Array("T".utf8))
            let second = position == 2 ? 1 : 0
            reader.add(name: "startDate", text: Array("2024-06-01 02:00:0\(second) +0200".utf8))
            reader.add(name: "value", text: Array((position == 4 ? "2" : "1").utf8))
            let context = builder.number(of: BatchContext(slots: reader.slots))
            builder.append(
                RowHead(context: context, content: 0, position: position), start: reader.start,
                values: reader.values)
        }
        let ids = builder.batch.samples.map(\.id)
        #expect(ids.map(\.ordinal) == [0, 0, 1, 0, 2])
        #expect(Set(ids).count == 5 && ids[0].identity == ids[4].identity)
        #expect(ids[0].identity != ids[1].identity && ids[0].identity != ids[3].identity)
        #expect(ids[2].description == ids[0].description + "-2")
    }

    @Test("that are odd are read as far as they can be, and never end the program")
    func oddities() {
        let texts: [[UInt8]] = [
            [], Array("n/a".utf8), [0xff, 0xfe], [0xed, 0xa0, 0x80], [0], Array("1e999".utf8),
            Array("2024-02-30 00:00:00 +0000".utf8), Array(repeating: 0x39, count: 400),
        ]
        let names = ["type", "unit", "value", "startDate", "endDate", "device", "sourceName", "startDate"]
        for text in texts {
            for name in names {
                var element = ElementNode(name: "Record")
                element.attributes = [
                    ElementNode.Attribute("type", Array("HKQuantityTypeIdentifierHeartRate".utf8)),
                    ElementNode.Attribute(name, text), ElementNode.Attribute("value", text),
                ]
                element.children = [.element(ElementNode(name: "MetadataEntry")), .text(text)]
                let row = SampleRow(element)
                let sample = QuantitySample(row: row)
                _ = (sample.value, sample.quantity, sample.startDate, sample.endDate, sample.device)
                _ = (sample.metadata, sample.id, sample.description, sample.heartbeats, sample.source)
                let workout = Workout(row: row)
                _ = (workout.duration, workout.statistics, workout.totalDistance, workout.activityType)
                _ = (CorrelationSample(row: row).members, CategorySample(row: row).rawValue)
                _ = (ActivitySummary(row: row).day, VisionPrescription(row: row).rightEye)
                _ = (AudiogramSample(row: row).sensitivityPoints, ClinicalRecord(row: row).filePath)
            }
        }
        let empty = AnySample(row: SampleRow(ElementNode(name: "Record")))
        #expect(empty.startDate == nil && empty.value == nil && empty.source == nil)
    }

    @Test("of questionnaires have a score and a level of risk")
    func assessments() throws {
        let anxiety = try #require(ScoredAssessment(.gad7, answers: [2, 3, 0, 1, 1, 0, 2]))
        #expect(anxiety.score == 9 && anxiety.risk == 2)
        let depression = try #require(ScoredAssessment(.phq9, answers: [2, 3, 0, 1, 1, 0, 2, 3, 1]))
        #expect(depression.score == 13 && depression.risk == 3)
        #expect(ScoredAssessment(.gad7, answers: [1, 2]) == nil)
        #expect(ScoredAssessment(.gad7, answers: [0, 0, 0, 0, 0, 0, 4]) == nil)
    }

    @Test(
        "say at what time of day a heart beat",
        arguments: [
            ("6:14:48.94 PM", 65688.94), ("8:00:01.00 AM", 28801), ("12:30:00.50 AM", 1800.5),
            ("17:07:00,29", 61620.29), ("6:14:48.94\u{202f}PM", 65688.94), ("08:00:00.00", 28800),
        ])
    func beats(text: String, seconds: Double) throws {
        let element = ElementNode(name: "InstantaneousBeatsPerMinute")
        var beat = element
        beat.attributes = [
            ElementNode.Attribute("bpm", Array("61".utf8)), ElementNode.Attribute("time", Array(text.utf8)),
        ]
        var list = ElementNode(name: "HeartRateVariabilityMetadataList")
        list.children = [.element(beat)]
        var record = ElementNode(name: "Record")
        record.children = [.element(list)]
        let heartbeat = try #require(QuantitySample(row: SampleRow(record)).heartbeats.first)
        #expect(heartbeat.beatsPerMinute == 61)
        #expect(abs(try #require(heartbeat.secondsOfDay) - seconds) < 1e-9)
    }

    @Test("of devices have the parts of their descriptions, without the pointer")
    func devices() throws {
        let text =
            "<<HKDevice: 0x2812f5540>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
            + "hardware:Watch6,12, software:10.3, creation date:2026-01-15 22:56:09 +0000>"
        let device = try #require(Device(parsing: text))
        #expect(device.name == "Apple Watch" && device.manufacturer == "Apple Inc.")
        #expect(device.hardwareVersion == "Watch6,12" && device.softwareVersion == "10.3")
        #expect(device == Device(parsing: text.replacing("0x2812f5540", with: "0x1")))
        #expect(Device(parsing: "Apple Watch") == nil && Device(parsing: "") == nil)
    }
}
