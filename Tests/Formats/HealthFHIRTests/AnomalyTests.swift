import HealthFHIR
import HealthModel
import Testing

/// What a reference implementation of this mapping gets wrong, one test for each.
@Suite("none of the anomalies of HealthKitOnFHIR")
struct AnomalyTests {
    typealias Fixture = ObservationFixture

    /// A type, a value as exports write it, and what the resource has and has not.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: SampleType<QuantitySample>
        let value: String
        let unit: String
        var has: [String] = []
        var hasNot: [String] = []

        init(
            _ title: String, _ type: SampleType<QuantitySample>, _ value: String, _ unit: String,
            has: [String], hasNot: [String] = []
        ) {
            testDescription = title
            (self.type, self.value, self.unit, self.has, self.hasNot) = (type, value, unit, has, hasNot)
        }
    }

    static let cases: [Case] = [
        Case(
            "1: the code of atrial fibrillation burden", .atrialFibrillationBurden, "0.02", "%",
            has: ["HKQuantityTypeIdentifierAtrialFibrillationBurden"], hasNot: ["WristTemperature"]),
        Case(
            "2: the code of cycling speed", .cyclingSpeed, "20", "km/hr",
            has: ["HKQuantityTypeIdentifierCyclingSpeed", #""code":"km/h""#], hasNot: ["ThresholdPower"]),
        Case(
            "3: the code of carbohydrates", .dietaryCarbohydrates, "5", "g",
            has: ["HKQuantityTypeIdentifierDietaryCarbohydrates"], hasNot: ["Carbohydates"]),
        Case(
            "4: the unit of waist circumference", .waistCircumference, "30", "in",
            has: [#""value":76.2,"#, #""code":"cm""#], hasNot: [#""code":"in""#]),
        Case(
            "5: the unit of insulin", .insulinDelivery, "2", "IU", has: [#""code":"[iU]""#],
            hasNot: [#""code":"IU""#]),
        Case(
            "6: the unit of physical effort", .physicalEffort, "2.5", "kcal/hr·kg",
            has: [#""value":2.5,"#, #""code":"kcal/(h.kg)""#]),
        Case(
            "8: the unit of sound levels", .environmentalAudioExposure, "71", "dBASPL",
            has: [#""code":"dB[SPL]""#]),
        Case(
            "11: the unit of counts", .stepCount, "12", "count",
            has: [#""unit":"steps","#, #""code":"{count}""#]),
        Case("12: percent", .bloodOxygen, "0.97", "%", has: [#""value":97,"#, #""code":"%""#]),
        Case("12: percent with more digits", .bodyFatPercentage, "0.29", "%", has: [#""value":29,"#]),
        Case("12: percent below one", .walkingAsymmetryPercentage, "0.0055", "%", has: [#""value":0.55,"#]),
        Case("12: all of it", .bloodOxygen, "1", "%", has: [#""value":100,"#]),
        Case(
            "13: fibre has no observable LOINC code", .dietaryFiber, "5", "g", has: [], hasNot: ["LP203183"]),
        Case(
            "14: blood alcohol is no mass", .bloodAlcoholContent, "0.0005", "%", has: [#""value":0.05,"#],
            hasNot: ["74859-0"]),
        Case("15: both codes of oxygen saturation", .bloodOxygen, "0.97", "%", has: ["2708-6", "59408-5"]),
        Case(
            "16: the category and the profile of vital signs", .heartRate, "61", "count/min",
            has: [#""code":"vital-signs""#, "StructureDefinition/heartrate"]),
        Case(
            "17: masses in kilograms", .bodyMass, "180", "lb",
            has: [#""value":81.6466266,"#, #""code":"kg""#]),
        Case("17: heights in centimetres", .height, "6", "ft", has: [#""value":182.88,"#, #""code":"cm""#]),
        Case(
            "18: rates per minute", .respiratoryRate, "0.25", "count/s",
            has: [#""value":15,"#, #""code":"/min""#]),
    ]

    @Test("anomaly", arguments: cases)
    func codesAndUnits(_ testCase: Case) throws {
        let text = try Fixture.text(testCase.type, testCase.value, testCase.unit)
        for part in testCase.has { #expect(text.contains(part), "\(text)") }
        for part in testCase.hasNot { #expect(!text.contains(part), "\(text)") }
        #expect(text.contains(testCase.type.identifier))
    }

    @Test("7 and 9: units in metadata are UCUM")
    func metadata() throws {
        let text = try Fixture.text(
            .heartRate, "61", "count/min",
            metadata: [
                "HKAverageMETs": "9.1 kcal/hr·kg", "HKMaximumLightIntensity": "9928 lx",
                "HKAudioExposureLevel": "97.8875 dBASPL", "HKWeatherHumidity": "6400 %",
                "HKWeatherCondition": "12",
            ])
        for part in [
            #""code":"kcal/(h.kg)""#, #""code":"lx""#, #""code":"dB[SPL]""#, #""value":64,"unit":"%""#,
            #""valueString":"snow""#,
        ] { #expect(text.contains(part), "\(text)") }
    }

    @Test("8: a hearing level is decibel with an annotation")
    func hearingLevel() { #expect(HealthUnit.decibelHearingLevel.ucumCode == "dB{HL}") }

    @Test("10: the sampling frequency is in Hz")
    func samplingFrequency() throws {
        let recording = try Fixture.electrocardiogram(rate: "2")
        let resources = try FHIRMapper().resources(of: recording)
        let text = String(decoding: try #require(resources.last).json, as: UTF8.self)
        #expect(
            text.contains(#""value":2,"unit":"Hz","system":"http://unitsofmeasure.org","code":"Hz""#),
            "\(text)")
        #expect(text.contains(#""period":500,"dimensions":1,"data":"0.123 1.123 "#), "\(text)")
        // 25 measurements are windows of 20 and 5.
        #expect(text.split(separator: "valueSampledData").count == 3)
        #expect(text.contains(#""display":"sinus rhythm""#))
    }
}
