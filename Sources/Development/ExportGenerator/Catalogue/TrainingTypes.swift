extension Catalogue {
    static let trainingTypes: [RecordProfile] = [
        .quantity(
            "RunningSpeed", "km/hr", .decimal(7_500...14_000, digits: 4), weight: 80, since: 2022,
            from: [.watch], every: 3, lasting: 2...3),
        .quantity(
            "RunningPower", "W", .integer(160...320), weight: 80, since: 2022, from: [.watch], every: 3,
            lasting: 2...3),
        .quantity(
            "RunningStrideLength", "m", .decimal(700...1_250, digits: 2), weight: 40, since: 2022,
            from: [.watch], every: 8, lasting: 2...12),
        .quantity(
            "RunningVerticalOscillation", "cm", .decimal(7_000...11_000, digits: 1), weight: 40, since: 2022,
            from: [.watch], every: 8, lasting: 2...12),
        .quantity(
            "RunningGroundContactTime", "ms", .integer(210...310), weight: 40, since: 2022, from: [.watch],
            every: 8, lasting: 2...12),
        .quantity(
            "CyclingSpeed", "km/hr", .decimal(9_000...38_000, digits: 4), weight: 35, since: 2023,
            from: [.watch], every: 5, lasting: 4...5),
        .quantity(
            "CyclingPower", "W", .integer(60...380), weight: 25, since: 2023, from: [.meter], every: 1),
        .quantity(
            "CyclingCadence", "count/min", .integer(58...104), weight: 25, since: 2023, from: [.meter],
            every: 1),
        .quantity(
            "WorkoutEffortScore", "appleEffortScore", .integer(1...9), weight: 2, since: 2024,
            from: [.health], every: secondsPerDay, lasting: 1_800...5_400, .userEntered),
        .quantity(
            "EstimatedWorkoutEffortScore", "appleEffortScore", .integer(2...8), weight: 2, since: 2024,
            from: [.watch], every: secondsPerDay, lasting: 1_800...5_400),
    ]
}
