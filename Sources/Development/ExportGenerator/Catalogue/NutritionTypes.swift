extension Catalogue {
    static let nutritionTypes: [RecordProfile] =
        [
            nutrient("EnergyConsumed", "kcal", 80_000...900_000, digits: 1, weight: 6),
            nutrient("Carbohydrates", "g", 2_000...90_000, digits: 2),
            nutrient("FatTotal", "g", 500...40_000, digits: 2),
            nutrient("FatSaturated", "g", 100...12_000, digits: 2),
            nutrient("Protein", "g", 500...45_000, digits: 2),
            nutrient("Sugar", "g", 100...40_000, digits: 2),
            nutrient("Fiber", "g", 100...9_000, digits: 2),
            nutrient("Sodium", "mg", 5_000...900_000, digits: 14),
            nutrient("Potassium", "mg", 20_000...700_000, digits: 14),
            nutrient("Calcium", "mg", 10_000...400_000, digits: 1),
            nutrient("Cholesterol", "mg", 1_000...200_000, digits: 1),
            nutrient("VitaminC", "mg", 500...90_000, digits: 1),
            nutrient("Caffeine", "mg", 30_000...190_000, digits: 1),
        ] + [
            .quantity(
                "DietaryWater", "mL", .integer(100...750), weight: 8, since: 2015, from: [.diary],
                every: 7200)
        ]

    private static func nutrient(
        _ name: String, _ unit: String, _ amount: ClosedRange<Int>, digits: Int, weight: Int = 3
    ) -> RecordProfile {
        .quantity(
            "Dietary" + name, unit, .decimal(amount, digits: digits), weight: weight, from: [.diary],
            every: 14_400, .food, .meal, .tags)
    }
}
