extension Catalogue {
    /// Returns the sleep types, with stages since iOS 16; the sleep goal is neither a quantity nor a category.
    static func sleepTypes(_ context: ExportContext) -> [RecordProfile] {
        let stages: ValueShape =
            context.version < .v12
            ? .members(of: "SleepAnalysis", "InBed", "Asleep", "Awake")
            : .members(
                of: "SleepAnalysis", "InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepCore",
                "AsleepDeep", "AsleepREM")
        return [
            .category(
                "SleepAnalysis", stages, weight: 180, from: [.watch, .watch, .watch, .phone], every: 1500,
                lasting: 300...2700, MetadataTemplate("HKTimeZone", .text([context.home.name]))
            ).atNight(),
            .quantity(
                "AppleSleepingBreathingDisturbances", "count", .decimal(200...9_000, digits: 4), weight: 4,
                since: 2024, from: [.watch], every: secondsPerDay, lasting: 21_600...32_400
            ).atNight(),
            RecordProfile(
                type: "HKDataTypeSleepDurationGoal", unit: nil, value: .none, weight: 1, since: 2020,
                origins: [.health], gap: 30 * secondsPerDay, duration: 0...0, metadata: []),
        ]
    }
}
