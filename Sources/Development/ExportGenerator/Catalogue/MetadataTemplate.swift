/// A metadata entry that some records of a type have.
struct MetadataTemplate {
    private let head: [UInt8]
    private let tail: [UInt8]
    private let value: ValueShape
    private let oneIn: Int
    private let times: Int

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The form of its values.
    ///   - unit: The unit, written after the value and a space.
    ///   - oneIn: One in this many records has the entry.
    ///   - times: How often the key occurs in a record that has it.
    init(_ key: String, _ value: ValueShape, unit: String = "", oneIn: Int = 1, times: Int = 1) {
        head = Array("  <MetadataEntry key=\"\(ByteText.escaped(key))\" value=\"".utf8)
        tail = Array("\(ByteText.escaped(unit.isEmpty ? "" : " \(unit)"))\"/>\n".utf8)
        self.value = value
        self.oneIn = oneIn
        self.times = times
    }

    /// Creates the entry that the catalogue calls by this name.
    init(named name: String) {
        guard let template = Self.named[name] else { preconditionFailure("no metadata \(name)") }
        self = template
    }

    /// Draws whether a record has the entry.
    func occurs(_ chance: inout SplitMix64) -> Bool {
        oneIn == 1 || chance.oneIn(oneIn)
    }

    func append(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        for _ in 0..<times {
            stream.text.append(head)
            value.append(&chance, to: &stream.text)
            stream.text.append(tail)
        }
        stream.records.metadataEntries += times
    }

    private static let named = [
        "algorithmVersion": Self("HKAlgorithmVersion", .integer(2...2)),
        "calibrated": Self("HKAppleDeviceCalibrated", .integer(0...1), oneIn: 4),
        "cycleStart": Self("HKMenstrualCycleStart", .integer(0...1)),
        "earliestData": Self("HKDateOfEarliestDataUsedForEstimate", .text(["2021-09-22 00:00:00 +0000"])),
        "effortEstimation": Self("HKPhysicalEffortEstimationType", .integer(1...2)),
        "exposureLevel": Self("HKAudioExposureLevel", .decimal(90_000...104_000, digits: 4), unit: "dBASPL"),
        "highThreshold": Self("HKHeartRateEventThreshold", .integer(120...120), unit: "count/min"),
        "insulinReason": Self("HKInsulinDeliveryReason", .integer(1...2)),
        "lightIntensity": Self("HKMaximumLightIntensity", .integer(900...64_000), unit: "lx"),
        "lowThreshold": Self("HKHeartRateEventThreshold", .integer(40...40), unit: "count/min"),
        "mealTime": Self("HKBloodGlucoseMealTime", .integer(1...2), oneIn: 3),
        "motionContext": Self("HKMetadataKeyHeartRateMotionContext", .integer(0...2)),
        "placementSide": Self("HKDevicePlacementSide", .integer(0...2)),
        "pressure": Self(
            "HKBarometricPressure", .decimal(95_000...104_000, digits: 9), unit: "cmHg", oneIn: 2),
        "recoveryActivity": Self("HKHeartRateRecoveryActivityType", .integer(37...52)),
        "recoveryRate": Self(
            "HKHeartRateRecoveryMaxObservedRecoveryHeartRate", .integer(110...170), unit: "count/min"),
        "recoveryTest": Self("HKHeartRateRecoveryTestType", .integer(2...2)),
        "sensorLocation": Self("HKBodyTemperatureSensorLocation", .integer(3...7)),
        "strokeStyle": Self("HKSwimmingStrokeStyle", .integer(0...5)),
        "syntheticExposure": Self("_HKPrivateSyntheticExposure", .integer(1...1), oneIn: 20),
        "testOfVO2Max": Self("HKVO2MaxTestType", .integer(2...2)),
        "userEntered": Self("HKWasUserEntered", .integer(1...1)),
        "waterSalinity": Self("HKWaterSalinity", .integer(1...2)),

        // Keys and values as third-party apps write them: free text, with spaces and entities.
        "createdAt": Self(
            "Created at", .text(["2019-02-12 16:23:53 +0000", "2021-07-01 06:00:00 +0000"])),
        "food": Self(
            "HKFoodType",
            .text([
                "Porridge", "Soup & Salad", "Burger \"Synthetic\"", "Protein > 20 g", "Sugar < 1 g",
                "Crème brûlée", "Käsespätzle",
            ])),
        "meal": Self("Meal", .text(["Breakfast", "Lunch", "Dinner", "Snacks & Sweets"])),
        "pumpEvent": Self("com.example.pump.EventKey", .integer(100_000...999_999)),
        "scaleLink": Self("Scale Link", .text(["https://scale.example.org/m?id=1&unit=kg"])),
        "tags": Self("Tag", .text(["home", "work", "R&D canteen", "<none>"]), oneIn: 3, times: 2),
    ]
}
