extension Catalogue {
    static let bodyTypes: [RecordProfile] = [
        .quantity(
            "BodyMassIndex", "count", .decimal(21_000...26_000, digits: 2), weight: 6, from: [.scale],
            every: secondsPerDay, .scaleLink),
        .quantity("Height", "cm", .integer(171...172), weight: 1, from: [.health], .userEntered),
        .quantity(
            "BodyMass", "kg", .decimal(64_000...78_000, digits: 2), weight: 9,
            from: [.scale, .scale, .health], every: secondsPerDay, .scaleLink, .createdAt),
        .quantity(
            "BodyFatPercentage", "%", .decimal(180...260, digits: 3), weight: 6, from: [.scale],
            every: secondsPerDay, .scaleLink),
        .quantity(
            "LeanBodyMass", "kg", .decimal(50_000...58_000, digits: 2), weight: 5, from: [.scale],
            every: secondsPerDay, .scaleLink),
        .quantity(
            "WaistCircumference", "cm", .integer(78...92), weight: 1, since: 2017, from: [.health],
            .userEntered),
        .quantity(
            "BodyTemperature", "degC", .decimal(36_100...39_200, digits: 1), weight: 2, from: [.meter],
            every: 14_400, MetadataTemplate("HKBodyTemperatureSensorLocation", .integer(3...7))),
        .quantity(
            "BasalBodyTemperature", "degC", .decimal(36_100...37_200, digits: 2), weight: 2, from: [.health],
            every: secondsPerDay, .userEntered),
        .quantity(
            "AppleSleepingWristTemperature", "degC", .decimal(34_000...37_000, digits: 4), weight: 4,
            since: 2022, from: [.watch], every: secondsPerDay, lasting: 21_600...32_400,
            .algorithmVersion),
        .quantity(
            "BloodGlucose", "mmol<180.1558800000541>/L", .decimal(3_900...11_000, digits: 1), weight: 20,
            from: [.meter, .meter, .health], every: 900,
            MetadataTemplate("HKBloodGlucoseMealTime", .integer(1...2), oneIn: 3), .meal),
        .quantity(
            "InsulinDelivery", "IU", .decimal(500...8_000, digits: 2), weight: 4, since: 2017, from: [.meter],
            every: 14_400, MetadataTemplate("HKInsulinDeliveryReason", .integer(1...2)),
            MetadataTemplate("com.example.pump.EventKey", .integer(100_000...999_999))),
        .quantity(
            "InhalerUsage", "count", .integer(1...2), weight: 1, from: [.health], .userEntered),
    ]
}
