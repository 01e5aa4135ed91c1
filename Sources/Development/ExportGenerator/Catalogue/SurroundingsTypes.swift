extension Catalogue {
    /// Sound, light and water around the person.
    static let surroundingsTypes: [RecordProfile] = [
        .quantity(
            "EnvironmentalAudioExposure", "dBASPL", .decimal(38_000...92_000, digits: 4), weight: 260,
            since: 2019, from: [.watch], every: 1800, lasting: 600...1800),
        .quantity(
            "HeadphoneAudioExposure", "dBASPL", .decimal(48_000...88_000, digits: 4), weight: 160,
            since: 2019, from: [.phone], every: 300, lasting: 60...1200,
            MetadataTemplate("_HKPrivateSyntheticExposure", .integer(1...1), oneIn: 20)),
        .quantity(
            "EnvironmentalSoundReduction", "dBASPL", .decimal(8_000...27_000, digits: 4), weight: 12,
            since: 2022, from: [.phone], every: 1800, lasting: 600...1800),
        .quantity(
            "TimeInDaylight", "min", .integer(1...5), weight: 45, since: 2023, from: [.watch], every: 600,
            lasting: 300...300,
            MetadataTemplate("HKMaximumLightIntensity", .integer(900...64_000), unit: "lx")),
        .quantity(
            "UnderwaterDepth", "m", .decimal(200...12_000, digits: 14), weight: 3, since: 2022,
            from: [.watch], every: 3, lasting: 1...3),
        .quantity(
            "WaterTemperature", "degC", .decimal(14_000...27_000, digits: 2), weight: 2, since: 2022,
            from: [.watch], every: 60, MetadataTemplate("HKWaterSalinity", .integer(1...2))),
    ]
}
