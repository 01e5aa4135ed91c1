extension Catalogue {
    static let activityTypes: [RecordProfile] = [
        .quantity(
            "StepCount", "count", .integer(3...940), weight: 950, from: [.phone, .watch], every: 420,
            lasting: 20...600),
        .quantity(
            "DistanceWalkingRunning", "km", .decimal(2...720, digits: 13), weight: 1050,
            from: [.phone, .watch], every: 420, lasting: 20...600),
        .quantity(
            "BasalEnergyBurned", "kcal", .decimal(900...24_000, digits: 3), weight: 1300, since: 2015,
            from: [.watch], every: 900, lasting: 600...1200),
        .quantity(
            "ActiveEnergyBurned", "kcal", .decimal(20...9_000, digits: 3), weight: 1900, since: 2015,
            from: [.watch], every: 160, lasting: 20...180),
        .quantity(
            "PhysicalEffort", "kcal/hr·kg", .decimal(1_000...9_000, digits: 1), weight: 900, since: 2023,
            from: [.watch], every: 240, lasting: 60...300,
            MetadataTemplate("HKPhysicalEffortEstimationType", .integer(1...2))),
        .quantity(
            "FlightsClimbed", "count", .integer(1...12), weight: 70, from: [.phone, .phone, .watch],
            every: 5400, lasting: 10...600),
        .quantity(
            "AppleExerciseTime", "min", .integer(1...1), weight: 130, since: 2016, from: [.watch], every: 60,
            lasting: 60...60),
        .quantity(
            "AppleStandTime", "min", .integer(1...5), weight: 220, since: 2019, from: [.watch], every: 900,
            lasting: 300...300),
        .quantity(
            "AppleMoveTime", "min", .integer(1...1), weight: 5, since: 2021, from: [.watch], every: 60,
            lasting: 60...60),
        .quantity(
            "DistanceCycling", "km", .decimal(5...420, digits: 13), weight: 70, from: [.watch, .phone],
            every: 60, lasting: 10...60),
        .quantity(
            "DistanceSwimming", "m", .decimal(20_000...50_000, digits: 1), weight: 8, since: 2016,
            from: [.watch], every: 60, lasting: 20...60),
        .quantity(
            "SwimmingStrokeCount", "count", .integer(8...40), weight: 8, since: 2016, from: [.watch],
            every: 60, lasting: 20...60, MetadataTemplate("HKSwimmingStrokeStyle", .integer(0...5))),
        .quantity(
            "DistanceDownhillSnowSports", "m", .decimal(200_000...2_900_000, digits: 2), weight: 2,
            since: 2017, from: [.watch], every: 900, lasting: 60...600),
    ]
}
