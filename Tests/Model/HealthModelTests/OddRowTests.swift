import ByteText
import ExportGenerator
import HealthModel
import SampleBatches
import Testing

@Suite("Odd rows")
struct OddRowTests {
    private func row(_ attributes: [(String, String)], children: [ElementNode] = []) -> SampleRow {
        SampleRow(TestRows.element("Record", attributes, children: children))
    }

    @Test(
        "without attributes have nothing to say",
        arguments: ["Record", "Correlation", "Workout", "ActivitySummary", "Me", "#text", "Tomorrow", ""])
    func noAttributes(element: String) {
        let sample = QuantitySample(row: SampleRow(ElementNode(name: element)))
        #expect(sample.element == element && sample.row.attributeNames == [] && !sample.row.hasContent)
        #expect(sample.value == nil && sample.unit == nil && sample.quantity == nil)
        #expect(sample.startDate == nil && sample.endDate == nil && sample.creationDate == nil)
        #expect(sample.source == nil && sample.device == nil && sample.metadata.entries.isEmpty)
        #expect(sample["value"] == nil && sample.row.time("startDate") == nil && sample.id.ordinal == 0)
    }

    @Test(
        "with a time that is none have no time, and keep its text",
        arguments: [
            "", "yesterday", "2024-02-30 12:00:00 +0100", "2024-02-29T12:00:00+01:00",
            "2024-02-29 12:00:00 +01:00", "2024-02-29 24:00:00 +0100", "2024-02-29 12:00:00 -0000",
            "0000-02-29 12:00:00 +0100", "2024-02-29 12:00:00", "1709204400", "２024-02-29 12:00:00 +0100",
        ])
    func noTimes(text: String) {
        let sample = QuantitySample(
            row: row([("startDate", text), ("endDate", text), ("creationDate", text)]))
        #expect(sample.startDate == nil && sample.endDate == nil && sample.creationDate == nil)
        for name in ["startDate", "endDate", "creationDate"] { #expect(sample[name] == text) }
        let nested = TestRows.element("WorkoutEvent", [("type", "HKWorkoutEventTypeLap"), ("date", text)])
        let event = Workout(row: row([], children: [nested])).events.first
        #expect(event?.type == .lap && event?.date == nil)
    }

    @Test("may have one of their times alone", arguments: ["startDate", "endDate", "creationDate"])
    func oneTime(name: String) {
        let sample = AnySample(row: row([(name, "2024-02-29 12:00:00 +0100"), ("value", "1")]))
        let time = Timestamp(seconds: 1_709_204_400, offsetMinutes: 60)
        #expect(sample.startDate == (name == "startDate" ? time : nil))
        #expect(sample.endDate == (name == "endDate" ? time : nil))
        #expect(sample.creationDate == (name == "creationDate" ? time : nil))
        #expect(sample[name] == "2024-02-29T12:00:00+01:00" && sample.row.time(name) == time)
    }

    @Test(
        "with a value that is no number have no number, and keep its text",
        arguments: [
            "", " ", "n/a", "1,5", "--1", "1.5.", "1 2", "1e999", "-1e999", "nan", "inf", "٣", "\u{0}",
        ])
    func noNumbers(text: String) {
        let row = row([("type", "HKQuantityTypeIdentifierHeartRate"), ("unit", "count/min"), ("value", text)])
        let sample = QuantitySample(row: row)
        #expect(sample.value == nil && sample.quantity == nil && sample.value(in: .count / .minute) == nil)
        #expect(sample["value"] == text && AnySample(row: row).value == text && row.number("value") == nil)
        #expect(UntypedRecord(row: row).value == nil && UntypedRecord(row: row).valueText == text)
    }

    @Test(
        "with a unit that is none have a value without a unit", arguments: ["bpm", " ", "count/", "\u{FFFD}"])
    func noUnits(text: String) {
        let sample = QuantitySample(row: row([("unit", text), ("value", "61")]))
        #expect(sample.value == 61 && sample.unit == nil && sample.quantity == nil)
        #expect(sample.value(in: .count) == nil && AnySample(row: sample.row).unit == text)
    }

    @Test("of categories may have numbers, or names that are not known")
    func categoryNumbers() {
        func sample(_ value: String) -> CategorySample {
            CategorySample(row: row([("type", "HKCategoryTypeIdentifierSleepAnalysis"), ("value", value)]))
        }
        #expect(sample("4").rawValue == 4 && sample("4").value(as: SleepAnalysisValue.self) == .asleepDeep)
        #expect(sample("99").rawValue == 99 && sample("99").value(as: SleepAnalysisValue.self) == nil)
        let nap = sample("HKCategoryValueSleepAnalysisNap")
        #expect(nap.rawValue == nil && nap.value(as: SleepAnalysisValue.self) == nil)
        #expect(nap.valueName == "HKCategoryValueSleepAnalysisNap")
        #expect(sample("").rawValue == nil && sample("4.0").rawValue == nil)
    }

    @Test(
        "may have texts that are not UTF-8",
        arguments: [
            [0xff], [0x36, 0xff], [0xc3], [0xed, 0xa0, 0x80], [0xed, 0xb2, 0x80], [0xf0, 0x9f, 0x98],
            [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80, 0x61, 0x80],
        ] as [[UInt8]])
    func malformed(text: [UInt8]) {
        let names = ["type", "sourceName", "device", "unit", "startDate", "endDate", "value", "other"]
        var element = ElementNode(name: "Record")
        element.attributes = names.map { ElementNode.Attribute($0, text) }
        var nested = element
        nested.name = "MetadataEntry"
        nested.attributes += [ElementNode.Attribute("key", text)]
        element.children = [.element(nested), .text(text), .element(nested)]
        let sample = QuantitySample(row: SampleRow(element))
        let written = String(decoding: text, as: UTF8.self)
        for name in names { #expect(sample[name] == written, "\(name)") }
        #expect(sample.value == nil && sample.startDate == nil && sample.unit == nil && sample.device == nil)
        #expect(sample.row.children == element.children)
        #expect(sample.metadata.entries.map(\.key) == [written, written])
        #expect(sample.id == QuantitySample(row: SampleRow(element)).id)
    }

    @Test("keep everything when they say something twice")
    func twice() {
        let row = row([("value", "1"), ("value", "2"), ("startDate", "x"), ("value", "3")])
        #expect(row.attributeNames == ["value", "value", "startDate", "value"] && row["value"] == "1")
        #expect(QuantitySample(row: row).value == 1)
    }

    @Test("with elements that are nested too deep have no content that can be read")
    func depth() {
        for (depth, isRead) in [(1, true), (64, true), (65, false), (100, false)] {
            var element = ElementNode(name: "MetadataEntry")
            for _ in 1..<depth {
                var outer = ElementNode(name: "MetadataEntry")
                outer.children = [.element(element)]
                element = outer
            }
            let sample = AnySample(row: row([], children: [element]))
            let expected: [ElementNode.Child] = isRead ? [.element(element)] : []
            #expect(sample.row.hasContent && sample.row.children == expected)
            #expect(sample.metadata.entries.count == (isRead ? 1 : 0))
        }
    }

    @Test("of any kind never end the program, and say what is written", arguments: 0..<16)
    func anything(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<100 {
            let element = OddElements.element(&random, depth: 0)
            #expect(problems(element) == [], "\(element)")
        }
    }

    /// Returns what is wrong with the samples that an element is read as.
    private func problems(_ element: ElementNode) -> [String] {
        let row = SampleRow(element)
        var problems: [String] = []
        func expect(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
        expect(row.element == element.name, "has another element")
        expect(row.attributeNames == element.attributes.map(\.name), "has other attributes")
        expect(row.children == element.children, "has another content")
        expect(row == SampleRow(element) && row.id == SampleRow(element).id, "is not the same twice")
        for name in Set(row.attributeNames) {
            let text = element.attributes.first { $0.name == name }?.text ?? []
            let written = String(decoding: text, as: UTF8.self)
            expect(row[name] == row.time(name)?.iso ?? written, "has another \(name)")
            expect(row.number(name)?.isFinite != false, "has a number that is not finite")
        }
        let quantity = QuantitySample(row: row)
        expect(quantity.value == row.number("value"), "has another value")
        expect(quantity.quantity == nil || quantity.quantity?.value == quantity.value, "has two quantities")
        read(row)
        return problems
    }

    /// Reads all that samples of all types have to say.
    private func read(_ row: SampleRow) {
        let quantity = QuantitySample(row: row)
        _ = (quantity.unit, quantity.source, quantity.device, quantity.startDate, quantity.endDate)
        _ = (quantity.metadata, quantity.heartbeats.map(\.secondsOfDay), quantity.description, row.hashValue)
        let category = CategorySample(row: row)
        _ = (category.rawValue, category.value(as: SleepAnalysisValue.self))
        let correlation = CorrelationSample(row: row)
        _ = (correlation.members.map(\.id), correlation.quantities.map(\.quantity))
        let workout = Workout(row: row)
        _ = (workout.activityType, workout.duration, workout.totalDistance, workout.totalEnergyBurned)
        _ = (workout.statistics, workout.events.map(\.type), workout.activities, workout.routes)
        let summary = ActivitySummary(row: row)
        _ = (summary.day, summary.activeEnergyBurned, summary.moveTime, summary.standHoursGoal)
        let prescription = VisionPrescription(row: row)
        _ = (prescription.rightEye?.sphere, prescription.leftEye?.axis, prescription.attachments)
        _ = (AudiogramSample(row: row).sensitivityPoints, HeartbeatSeries(row: row).heartbeats)
        let record = ClinicalRecord(row: row)
        _ = (record.resourceType, record.receivedDate, record.filePath, UntypedRecord(row: row).value)
    }
}

/// Elements that no export should have.
private enum OddElements {
    static func element(_ random: inout SplitMix64, depth: Int) -> ElementNode {
        var element = ElementNode(name: random.pick(from: depth == 0 ? roots : names))
        for _ in 0..<random.below(8) {
            element.attributes.append(ElementNode.Attribute(random.pick(from: attributes), text(&random)))
        }
        guard depth < 4 else { return element }
        for _ in 0..<random.below(4) {
            if random.below(6) == 0 {
                element.children.append(.text(text(&random)))
            } else {
                element.children.append(.element(Self.element(&random, depth: depth + 1)))
            }
        }
        return element
    }

    private static func text(_ random: inout SplitMix64) -> [UInt8] {
        guard random.below(8) == 0 else { return Array(random.pick(from: texts).utf8) }
        var bytes: [UInt8] = []
        for _ in 0..<random.below(30) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
        return bytes
    }

    private static let roots = [
        "Record", "Record", "Correlation", "Workout", "ActivitySummary", "Audiogram", "VisionPrescription",
        "ClinicalRecord", "Me", "#text", "record", "",
    ]
    private static let names = [
        "MetadataEntry", "Record", "WorkoutStatistics", "WorkoutEvent", "WorkoutActivity", "WorkoutRoute",
        "FileReference", "Location", "SensitivityPoint", "RightEye", "LeftEye", "Attachment",
        "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute", "metadata", "children", "x",
    ]
    private static let attributes = [
        "type", "type", "value", "value", "unit", "startDate", "endDate", "creationDate", "sourceName",
        "sourceVersion", "device", "key", "workoutActivityType", "duration", "durationUnit", "totalDistance",
        "totalDistanceUnit", "dateComponents", "activeEnergyBurned", "activeEnergyBurnedUnit", "date", "sum",
        "bpm", "time", "latitude", "longitude", "path", "sphere", "sphereUnit", "frequencyValue",
        "frequencyUnit", "leftEarMasked", "receivedDate", "dateIssued", "resourceFilePath", "element",
        "position", "metadata", "children", "attributes", "Value", "uuid", "",
    ]
    private static let texts = [
        "", " ", "0", "1", "-1", "61.50", "1e3", "1e999", "n/a", "nan", "418 cm", "count/min", "km", "kcal",
        "2024-02-29 12:00:00 +0100", "2024-02-30 12:00:00 +0100", "2024-02-29T12:00:00+01:00", "2024-02-29",
        "9999-12-31 23:59:59 -2359", "0001-01-01 00:00:00 +2359", "6:14:48.94 PM",
        "99:99:99,999999999999999999",
        "HKQuantityTypeIdentifierHeartRate", "HKCategoryTypeIdentifierSleepAnalysis",
        "HKQuantityTypeIdentifierDistanceCycling", "HKCategoryValueSleepAnalysisAsleepDeep",
        "HKWorkoutActivityTypeRunning", "HKWorkoutEventTypePause", "HKWasUserEntered",
        "<<HKDevice: 0x1a2b>, name:Watch, hardware:Watch6,2>", "<<HKDevice: 0x1a2b>", "<<HKDevice: 0x1>>",
        "<<HKDevice: >, :, ::, ,", "\"\\\u{8}\u{c}\n\t\r\u{0}\u{1f}\u{7f}", "’🙂\u{2028}", "/a/../b",
    ]
}
