extension Catalogue {
    static let heartTypes: [RecordProfile] = [
        .quantity(
            "HeartRate", "count/min", .integer(47...176), weight: 2300, since: 2015,
            from: [.watch, .watch, .watch, .watch, .watch, .watch, .watch, .meter], every: 290,
            .motionContext),
        .quantity(
            "OxygenSaturation", "%", .decimal(910...1000, digits: 2), weight: 90, from: [.watch], every: 1800,
            .pressure),
        .quantity(
            "RespiratoryRate", "count/min", .decimal(11_000...21_000, digits: 1), weight: 110, since: 2017,
            from: [.watch], every: 900, lasting: 0...180),
        .quantity(
            "RestingHeartRate", "count/min", .integer(48...66), weight: 14, since: 2017, from: [.watch],
            every: secondsPerDay, lasting: 60_000...86_000),
        .quantity(
            "WalkingHeartRateAverage", "count/min", .decimal(88_000...124_000, digits: 1), weight: 14,
            since: 2017, from: [.watch], every: secondsPerDay, lasting: 30_000...50_000),
        .quantity(
            "VO2Max", "mL/min·kg", .decimal(31_000...48_000, digits: 4), weight: 4, since: 2017,
            from: [.watch], every: 4 * secondsPerDay, MetadataTemplate("HKVO2MaxTestType", .integer(2...2))),
        .quantity(
            "HeartRateRecoveryOneMinute", "count/min", .decimal(15_000...45_000, digits: 13), weight: 4,
            since: 2022, from: [.watch], every: 4 * secondsPerDay,
            MetadataTemplate("HKHeartRateRecoveryTestType", .integer(2...2)),
            MetadataTemplate(
                "HKHeartRateRecoveryMaxObservedRecoveryHeartRate", .integer(110...170), unit: "count/min"),
            MetadataTemplate("HKHeartRateRecoveryActivityType", .integer(37...52))),
        .quantity(
            "AtrialFibrillationBurden", "%", .decimal(10...40, digits: 3), weight: 2, since: 2022,
            from: [.watch], every: 7 * secondsPerDay, lasting: 604_800...604_800),
        .quantity(
            "HeartRateVariabilitySDNN", "ms", .decimal(14_000...120_000, digits: 4), weight: 170, since: 2017,
            from: [.watch], every: 7200, lasting: 55...65, .algorithmVersion
        ).withHeartbeats(),
    ]
}
