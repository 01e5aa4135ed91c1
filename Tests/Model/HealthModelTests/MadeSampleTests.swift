import ByteText
import ExportGenerator
import HealthModel
import Testing

@Suite("Samples that were made")
struct MadeSampleTests {
    private let start = Timestamp(seconds: 1_709_802_000, offsetMinutes: 60)
    private let end = Timestamp(seconds: 1_709_803_920, offsetMinutes: 60)
    private let watch = Source(name: "Anna’s Apple Watch", version: "10.1")

    @Test(
        "keep the text of their numbers",
        arguments: ["61.50", "61", "0.10", "-0", "007", "+5", ".5", "1e3", "1E-5", "123456789012345678"])
    func texts(text: String) throws {
        let quantity = try #require(Quantity(text, .count))
        let sample = QuantitySample(.heartRate, quantity, start: start)
        #expect(sample.quantity?.text == text && sample["value"] == text)
        #expect(sample.value == Double(text) && sample.quantity == quantity)
    }

    @Test("have every number that is finite", arguments: 0..<4)
    func numbers(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<500 {
            let value = Double(bitPattern: random.next())
            let sample = QuantitySample(.bodyMass, Quantity(value, .gram(.kilo)), start: start)
            #expect(sample.value == (value.isFinite ? value : nil), "\(value)")
            #expect(sample.quantity?.value == sample.value, "\(value)")
        }
        for value in [Double.nan, .infinity, -.infinity] {
            let sample = QuantitySample(.bodyMass, Quantity(value, .gram(.kilo)), start: start)
            #expect(sample.value == nil && sample.quantity == nil)
        }
    }

    @Test("have their unit, in which they convert to others")
    func units() throws {
        for text in ["", "count", "%", "count/min", "mL/min·kg", "mmol<180.15588>/L", "kcal/hr·kg", "degF"] {
            let unit = try HealthUnit(text)
            let sample = QuantitySample(.bodyMass, Quantity(2.5, unit), start: start)
            #expect(sample.unit == unit && sample.quantity == Quantity(2.5, unit))
            #expect(sample.value(in: unit) == 2.5)
        }
        let weight = QuantitySample(.bodyMass, Quantity(2.5, .gram(.kilo)), start: start)
        #expect(abs((weight.value(in: .gram()) ?? 0) - 2500) < 1e-9 && weight.value(in: .meter()) == nil)
    }

    @Test("have times, source, device and metadata")
    func fields() {
        let device = Device(
            name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,2",
            softwareVersion: "10.1")
        let metadata = Metadata(
            [
                ("HKTimeZone", "Europe/Berlin"), ("k", ""), ("k", "<&\"\\\u{1}\n’"), ("", "2024"),
                ("n", "1.50"),
            ]
            .map { Metadata.Entry(key: $0, value: $1) })
        let created = Timestamp(seconds: 1_709_900_000, offsetMinutes: -570)
        let sample = QuantitySample(
            .bodyMass, Quantity(61.5, .gram(.kilo)), start: start, end: end, source: watch, device: device,
            creationDate: created, metadata: metadata)
        #expect(sample.sampleType == .bodyMass && sample.element == "Record")
        #expect(sample.startDate == start && sample.endDate == end && sample.creationDate == created)
        #expect(sample.source == watch && sample.sourceName == watch.name && sample.sourceVersion == "10.1")
        #expect(sample.device == device && sample.device?.hardwareVersion == "Watch6,2")
        #expect(sample.metadata == metadata && sample.metadata["k"] == "")
        let plain = QuantitySample(.bodyMass, Quantity(61.5, .gram(.kilo)), start: start)
        #expect(plain.startDate == start && plain.endDate == start && plain.creationDate == nil)
        #expect(plain.sourceName == "" && plain.sourceVersion == nil && plain.device == nil)
        #expect(plain.metadata.entries.isEmpty && plain.metadata.wasUserEntered == nil)
    }

    @Test("have all times that can be written", arguments: [-1439, -570, -1, 0, 1, 345, 1439])
    func times(offset: Int) {
        let writable = Timestamp.writable(offsetMinutes: offset)
        for seconds in [
            writable.lowerBound, -86_401, -86_400, -1, 0, 1, 951_782_399, 951_782_400,
            writable.upperBound - 1,
        ] {
            let time = Timestamp(seconds: seconds, offsetMinutes: offset)
            let later = Timestamp(seconds: min(seconds + 59, writable.upperBound - 1), offsetMinutes: 0)
            let sample = QuantitySample(.stepCount, Quantity(1, .count), start: time, end: time)
            #expect(sample.startDate == time && sample.endDate == time, "\(time)")
            guard Timestamp.writable(offsetMinutes: 0).contains(later.seconds) else { continue }
            let other = QuantitySample(
                .stepCount, Quantity(1, .count), start: time, end: later, creationDate: time)
            #expect(other.startDate == time && other.endDate == later && other.creationDate == time)
        }
    }

    @Test("have the device with what is known of it", arguments: 0..<32)
    func devices(known: Int) {
        func part(_ bit: Int, _ text: String) -> String? { known & 1 << bit == 0 ? nil : text }
        let device = Device(
            name: part(0, "Apple Watch"), manufacturer: part(1, "Apple, Inc."), model: part(2, "Watch"),
            hardwareVersion: part(3, "Watch6,2"), softwareVersion: part(4, "10.1: beta"))
        let sample = QuantitySample(.stepCount, Quantity(1, .count), start: start, device: device)
        #expect(sample.device == device)
        #expect(sample.device?.properties.count == known.nonzeroBitCount)
    }

    @Test("have the values of their categories")
    func categories() throws {
        for type in AnySampleType.known where type.kind == .category {
            for member in try #require(type.categoryValues).members {
                let attributes = [("type", type.identifier), ("value", member.name)]
                let sample = CategorySample(row: SampleRow(TestRows.element("Record", attributes)))
                #expect(sample.valueName == member.name && sample.rawValue == member.rawValue)
            }
        }
        let deep = CategorySample(.sleepAnalysis, SleepAnalysisValue.asleepDeep, start: start, end: end)
        #expect(deep.sampleType == .sleepAnalysis && deep.startDate == start && deep.endDate == end)
        #expect(deep.value(as: SleepAnalysisValue.self) == .asleepDeep && deep.rawValue == 4)
        #expect(deep.value(as: SeverityValue.self) == nil)
        let heavy = CategorySample(.menstrualFlow, MenstrualFlowValue.heavy, start: start)
        #expect(heavy.valueName == "HKCategoryValueMenstrualFlowHeavy" && heavy.rawValue == 4)
        #expect(heavy.value(as: VaginalBleedingValue.self) == .heavy)
        #expect(heavy.value(as: MenstrualFlowValue.self) == .heavy)
    }

    @Test("have the samples that they consist of")
    func correlations() {
        let cuff = Source(name: "Cuff")
        let created = Timestamp(seconds: 1_709_802_060, offsetMinutes: 60)
        let device = Device(name: "Cuff", hardwareVersion: "1")
        let systolic = QuantitySample(
            .bloodPressureSystolic, Quantity(118, .millimeterOfMercury), start: start, source: cuff,
            device: device, creationDate: created, metadata: ["HKWasUserEntered": "1"])
        let diastolic = QuantitySample(
            .bloodPressureDiastolic, Quantity(76.5, .millimeterOfMercury), start: start, source: cuff)
        let reading = CorrelationSample(
            .bloodPressure, [systolic, diastolic], start: start, source: cuff, metadata: ["k": "v"])
        #expect(reading.sampleType == .bloodPressure && reading.element == "Correlation")
        #expect(reading.quantities == [systolic, diastolic])
        #expect(reading.quantity(of: .bloodPressureSystolic) == Quantity(118, .millimeterOfMercury))
        #expect(reading.quantity(of: .bloodPressureDiastolic) == Quantity(76.5, .millimeterOfMercury))
        #expect(reading.quantity(of: .heartRate) == nil)
        // An export has them once more, as samples of their own.
        #expect(reading.members.map(\.id) == [systolic.id, diastolic.id])
        #expect(reading.members.map(\.value) == ["118.0", "76.5"])
        #expect(reading.metadata == ["k": "v"] && reading.quantities[0].metadata.wasUserEntered == true)
        #expect(reading.quantities[0].device == device && reading.quantities[0].creationDate == created)
        #expect(CorrelationSample(.food, [], start: start).members.isEmpty)
    }

    @Test("are the same as others that say the same, wherever these come from")
    func equality() {
        func sample(_ value: Double) -> QuantitySample {
            QuantitySample(.stepCount, Quantity(value, .count), start: start, metadata: ["k": "v"])
        }
        #expect(sample(1) == sample(1) && sample(1).hashValue == sample(1).hashValue)
        #expect(sample(1) != sample(2) && Set([sample(1), sample(2), sample(1)]).count == 2)
    }
}
