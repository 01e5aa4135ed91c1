extension Catalogue {
    static let mobilityTypes: [RecordProfile] = [
        .quantity(
            "WalkingSpeed", "km/hr", .decimal(2_400...6_100, digits: 3), weight: 90, since: 2020,
            from: [.phone], every: 1800, lasting: 3...40),
        .quantity(
            "WalkingStepLength", "cm", .integer(52...84), weight: 80, since: 2020, from: [.phone],
            every: 1800, lasting: 3...40),
        .quantity(
            "WalkingDoubleSupportPercentage", "%", .decimal(230...340, digits: 3), weight: 70, since: 2020,
            from: [.phone], every: 1800, lasting: 3...40, .calibrated),
        .quantity(
            "WalkingAsymmetryPercentage", "%", .decimal(0...180, digits: 2), weight: 45, since: 2020,
            from: [.phone], every: 3600, lasting: 60...600,
            MetadataTemplate("HKDevicePlacementSide", .integer(0...2))),
        .quantity(
            "StairAscentSpeed", "m/s", .decimal(200...620, digits: 14), weight: 35, since: 2020,
            from: [.watch], every: 5400, lasting: 3...20),
        .quantity(
            "StairDescentSpeed", "m/s", .decimal(200...720, digits: 14), weight: 35, since: 2020,
            from: [.watch], every: 5400, lasting: 3...20),
        .quantity(
            "SixMinuteWalkTestDistance", "m", .integer(420...500), weight: 1, since: 2020, from: [.watch],
            every: 7 * secondsPerDay, .calibrated),
        .quantity(
            "AppleWalkingSteadiness", "%", .decimal(820...1000, digits: 14), weight: 2, since: 2021,
            from: [.phone], every: 7 * secondsPerDay, lasting: 604_800...604_800,
            MetadataTemplate("HKDateOfEarliestDataUsedForEstimate", .text(["2021-09-22 00:00:00 +0000"]))),
        .quantity(
            "NumberOfTimesFallen", "count", .integer(1...1), weight: 1, from: [.health], .userEntered),
    ]
}
