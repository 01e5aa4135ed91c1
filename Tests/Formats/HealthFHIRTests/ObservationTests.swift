import ByteText
import HealthFHIR
import HealthModel
import SampleBatches
import Testing

@Suite("observations of samples")
struct ObservationTests {
    typealias Fixture = ObservationFixture

    @Test("a blood pressure is a panel with two components")
    func bloodPressure() throws {
        let members = [
            try Fixture.quantity(.bloodPressureSystolic, "120", "mmHg"),
            try Fixture.quantity(.bloodPressureDiastolic, "80", "mmHg"),
        ]
        let text = try Fixture.text(CorrelationSample(.bloodPressure, members, start: Fixture.start))
        #expect(text.contains("85354-9") && text.contains("StructureDefinition/bp"))
        for (code, value) in [("8480-6", 120), ("8462-4", 80)] {
            #expect(text.contains(code))
            #expect(
                text.contains(
                    #""value":\#(value),"unit":"mmHg","system":"http://unitsofmeasure.org","code":"mm[Hg]""#))
        }
    }

    @Test("the threshold of a heart rate event is a component")
    func threshold() throws {
        let sample = CategorySample(
            .lowHeartRateEvent, NotApplicableValue.notApplicable, start: Fixture.start,
            metadata: ["HKHeartRateEventThreshold": "47 count/min"])
        let text = try Fixture.text(sample)
        #expect(
            text.contains(#""component":[{"code":{"coding":[{"system":"http://loinc.org","code":"8867-4""#))
        #expect(text.contains(#""value":47,"#))
        #expect(text.contains(#""valueString":"HKCategoryTypeIdentifierLowHeartRateEvent""#))
    }

    @Test("times have the offset of the zone in which the sample was recorded")
    func zone() throws {
        // 2024-04-01 09:00 in Los Angeles is 16:00 UTC.
        let start = Timestamp(seconds: 1_711_987_200, offsetMinutes: 120)
        let text = try Fixture.text(
            Fixture.quantity(
                .stepCount, "5", "count", seconds: 1800, metadata: ["HKTimeZone": "America/Los_Angeles"]))
        #expect(
            text.contains(
                #""effectivePeriod":{"start":"2024-04-01T09:00:00-07:00","end":"2024-04-01T09:30:00-07:00"}"#),
            "\(text)")
        let other = try Fixture.text(.stepCount, "5", "count", metadata: ["HKTimeZone": "Nowhere/At_All"])
        #expect(other.contains(#""effectiveDateTime":"\#(start.iso)""#))
    }

    @Test("a state of mind has a component for each of its parts", arguments: [(1, 1, 5), (3, 3, 9)])
    func stateOfMind(_ labels: Int, _ associations: Int, _ components: Int) throws {
        func entry(_ key: String, _ value: String) -> ElementNode {
            var node = ElementNode(name: "MetadataEntry")
            node.attributes = [("key", key), ("value", value)].map {
                ElementNode.Attribute($0, Array($1.utf8))
            }
            return node
        }
        let children =
            [entry("HKStateOfMindKind", "2"), entry("HKStateOfMindValenceClassification", "5")]
            + (0..<labels).map { entry("HKStateOfMindLabel", "\($0)") }
            + (0..<associations).map { entry("HKStateOfMindAssociation", "\($0)") }
        let row = Fixture.row("Record", [("type", "HKDataTypeStateOfMind"), ("value", "0.27")], children)
        let text = try Fixture.text(UntypedRecord(row: row))
        let component = try #require(text.split(separator: #""component":"#).last)
        #expect(component.split(separator: #"{"code":{"coding""#).count - 1 == components, "\(text)")
        #expect(text.contains(#""value":0.27,"#))
    }

    @Test(
        "numbers that are not finite are no resource",
        arguments: ["inf", "-inf", "nan", "Infinity", "1e999", "", "abc"])
    func notFinite(_ value: String) throws {
        let row = Fixture.row(
            "Record", [("type", "HKQuantityTypeIdentifierStepCount"), ("unit", "count"), ("value", value)])
        #expect(throws: FHIRError(.notMapped(.unreadableValues), "stepCount")) {
            try FHIRMapper().resources(of: AnySample(row: row))
        }
    }

    @Test("a number that is not finite in another unit is left out")
    func tooLargeInAnotherUnit() throws {
        let event = CategorySample(
            .lowHeartRateEvent, NotApplicableValue.notApplicable, start: Fixture.start,
            metadata: ["HKHeartRateEventThreshold": "1e308 count/s"])
        let text = try Fixture.text(event)
        #expect(text.contains(#""value":1e+308,"#), "\(text)")
        #expect(!text.contains("inf") && !text.contains("8867-4"), "\(text)")
        let height = Fixture.row(
            "Record", [("type", "HKQuantityTypeIdentifierHeight"), ("unit", "m"), ("value", "1e308")])
        #expect(throws: FHIRError(.notMapped(.unreadableValues), "height")) {
            try FHIRMapper().resources(of: AnySample(row: height))
        }
    }

    @Test(
        "an electrocardiogram with a sampling frequency that no device has is no resource",
        arguments: ["0.000000000000000000000001", "1000000000000000000000000"])
    func impossibleFrequency(_ rate: String) throws {
        let recording = try Fixture.electrocardiogram(rate: rate)
        #expect(recording.samplingFrequency != nil)
        #expect(throws: FHIRError(.notMapped(.unreadableStarts), "electrocardiogram")) {
            try FHIRMapper().resources(of: recording)
        }
    }

    @Test(
        "numbers are written as they are, as far as JSON allows",
        arguments: [
            ("-0", "0"), ("-0.0", "0"), ("61.50", "61.50"), ("1e2", "100"), (".5", "0.5"), ("+5", "5"),
            ("-3.25", "-3.25"),
        ])
    func numbers(_ value: String, _ expected: String) throws {
        let row = Fixture.row(
            "Record", [("type", "HKQuantityTypeIdentifierStepCount"), ("unit", "count"), ("value", value)])
        #expect(try Fixture.text(AnySample(row: row)).contains(#""value":\#(expected),"#))
    }

    @Test("a batch leaves out what has no resource, and counts it")
    func gaps() throws {
        var builder = SampleBatchBuilder(
            key: SampleBatch.Key(element: "Unheard", type: "Of", span: "", part: 1))
        let context = builder.number(of: BatchContext(slots: [.text(name: "value")]))
        var values = RowValues()
        values.append(token: [0x35].span)
        builder.append(
            RowHead(context: context, content: 0, position: 1), start: nil, values: values)
        let result = FHIRMapper().resources(of: builder.batch)
        #expect(result.resources.isEmpty)
        #expect(result.gaps.counts == [.unmappedTypes: 1])
    }

    @Test("a mapping replaces the codes of a type")
    func mapping() throws {
        var mapper = FHIRMapper()
        mapper.mapping[.stepCount] = FHIRTypeMapping(
            codings: [FHIRCoding(system: "http://example.org", code: "steps")],
            unit: FHIRUnit(.count, code: "1", name: "steps"))
        let sample = try Fixture.quantity(.stepCount, "5", "count")
        let text = try Fixture.text(sample, mapper)
        #expect(
            text.contains(
                #"{"system":"http://example.org","code":"steps"},{"system":"http://developer.apple.com"#))
        #expect(!text.contains("55423-8"))
    }

    @Test(
        "a questionnaire's answers give its score and its risk",
        arguments: [
            ("GAD7", "2;3;0;1;1;0;2", 9, 2), ("PHQ9", "2;3;0;1;1;0;2;3;1", 13, 3),
        ])
    func questionnaire(_ name: String, _ answers: String, _ score: Int, _ risk: Int) throws {
        let row = Fixture.row(
            "Record", [("type", "HKScoredAssessmentTypeIdentifier" + name), ("value", answers)])
        let text = try Fixture.text(UntypedRecord(row: row))
        #expect(text.contains(#""valueQuantity":{"value":\#(score),"#), "\(text)")
        #expect(text.contains(#""valueInteger":\#(risk)"#))
        #expect(text.contains(name == "GAD7" ? "70274-6" : "44261-6"))
    }

    @Test("a stage of sleep has its duration")
    func sleep() throws {
        let end = Timestamp(seconds: Fixture.start.seconds + 5400, offsetMinutes: 120)
        let text = try Fixture.text(
            CategorySample(.sleepAnalysis, SleepAnalysisValue.asleepDeep, start: Fixture.start, end: end))
        #expect(
            text.contains(
                #"{"system":"https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis","code":"4","display":"asleep deep"}"#
            ), "\(text)")
        #expect(text.contains("93831-6") && text.contains(#""value":90,"unit":"min""#))
    }

    @Test("the id and the identifier are the identity of the sample")
    func identity() throws {
        let sample = try Fixture.quantity(.stepCount, "5", "count")
        let resources = try FHIRMapper().resources(of: sample)
        #expect(resources.map(\.type) == ["Device", "Observation"])
        #expect(resources[1].id == sample.id.description)
        #expect(resources[1].identifier?.query == "identifier=urn:healthvault:sample|\(resources[1].id)")
        let text = String(decoding: resources[1].json, as: UTF8.self)
        #expect(text.contains(#""device":{"reference":"Device/\#(resources[0].id)"}"#))
    }

    @Test(
        "references are in the form that is asked for",
        arguments: [
            (FHIRReferenceStyle.relative, "Device/"), (.urn, "urn:uuid:"),
            (.conditional, "Device?identifier=urn:healthvault:device|"),
        ])
    func references(_ style: FHIRReferenceStyle, _ start: String) throws {
        var mapper = FHIRMapper()
        mapper.references = style
        let resources = try mapper.resources(of: Fixture.quantity(.stepCount, "5", "count"))
        let text = String(decoding: resources[1].json, as: UTF8.self)
        #expect(text.contains(#""device":{"reference":"\#(start)"#))
        if style == .urn { #expect(text.contains(resources[0].fullURL)) }
    }
}
