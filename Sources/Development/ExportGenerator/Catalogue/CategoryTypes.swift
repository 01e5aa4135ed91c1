extension Catalogue {
    static let categoryTypes: [RecordProfile] = [
        .category(
            "AppleStandHour", .members(of: "AppleStandHour", "Stood", "Idle"), weight: 110, since: 2015,
            from: [.watch], every: 3600, lasting: 3600...3600),
        .category(
            "MindfulSession", .none, weight: 6, since: 2016, from: [.watch, .diary], every: 43_200,
            lasting: 60...600),
        .category(
            "HandwashingEvent", .notApplicable, weight: 12, since: 2020, from: [.watch], every: 7200,
            lasting: 4...25),
        .category(
            "ToothbrushingEvent", .notApplicable, weight: 3, since: 2019, from: [.diary], every: 43_200,
            lasting: 90...150),
        .category(
            "EnvironmentalAudioExposureEvent",
            .members(of: "EnvironmentalAudioExposureEvent", "MomentaryLimit"), weight: 1, since: 2020,
            from: [.watch], lasting: 180...180,
            MetadataTemplate("HKAudioExposureLevel", .decimal(90_000...104_000, digits: 4), unit: "dBASPL")),
        .category(
            "HeadphoneAudioExposureEvent",
            .members(of: "HeadphoneAudioExposureEvent", "SevenDayLimit"), weight: 1, since: 2020,
            from: [.phone], lasting: 604_800...604_800),
        .category(
            "HighHeartRateEvent", .notApplicable, weight: 1, since: 2018, from: [.watch], lasting: 600...900,
            MetadataTemplate("HKHeartRateEventThreshold", .integer(120...120), unit: "count/min")),
        .category(
            "LowHeartRateEvent", .notApplicable, weight: 1, since: 2018, from: [.watch], lasting: 600...900,
            MetadataTemplate("HKHeartRateEventThreshold", .integer(40...40), unit: "count/min")),
        .category(
            "MenstrualFlow",
            .members(of: "MenstrualFlow", "Unspecified", "Light", "Medium", "Heavy", "None"), weight: 3,
            since: 2015, from: [.health], every: secondsPerDay,
            MetadataTemplate("HKMenstrualCycleStart", .integer(0...1)), .userEntered),
        .category(
            "OvulationTestResult",
            .members(
                of: "OvulationTestResult", "Negative", "LuteinizingHormoneSurge", "Indeterminate",
                "EstrogenSurge"),
            weight: 1, since: 2015, from: [.health], .userEntered),
        .category(
            "CervicalMucusQuality",
            .members(of: "CervicalMucusQuality", "Dry", "Sticky", "Creamy", "Watery", "EggWhite"), weight: 1,
            since: 2015, from: [.health], .userEntered),
    ]
}
