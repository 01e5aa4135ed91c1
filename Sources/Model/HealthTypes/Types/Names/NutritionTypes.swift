// Quantities of food and drink, under the titles of the Health app.
extension QuantityTypeNames {
    /// Blood Alcohol Content.
    public static var bloodAlcoholContent: Self { Self(known: "HKQuantityTypeIdentifierBloodAlcoholContent") }
    /// Biotin.
    public static var dietaryBiotin: Self { Self(known: "HKQuantityTypeIdentifierDietaryBiotin") }
    /// Caffeine.
    public static var dietaryCaffeine: Self { Self(known: "HKQuantityTypeIdentifierDietaryCaffeine") }
    /// Calcium.
    public static var dietaryCalcium: Self { Self(known: "HKQuantityTypeIdentifierDietaryCalcium") }
    /// Carbohydrates.
    public static var dietaryCarbohydrates: Self {
        Self(known: "HKQuantityTypeIdentifierDietaryCarbohydrates")
    }
    /// Chloride.
    public static var dietaryChloride: Self { Self(known: "HKQuantityTypeIdentifierDietaryChloride") }
    /// Dietary Cholesterol.
    public static var dietaryCholesterol: Self { Self(known: "HKQuantityTypeIdentifierDietaryCholesterol") }
    /// Chromium.
    public static var dietaryChromium: Self { Self(known: "HKQuantityTypeIdentifierDietaryChromium") }
    /// Copper.
    public static var dietaryCopper: Self { Self(known: "HKQuantityTypeIdentifierDietaryCopper") }
    /// Dietary Energy.
    public static var dietaryEnergyConsumed: Self {
        Self(known: "HKQuantityTypeIdentifierDietaryEnergyConsumed")
    }
    /// Monounsaturated Fat.
    public static var dietaryFatMonounsaturated: Self {
        Self(known: "HKQuantityTypeIdentifierDietaryFatMonounsaturated")
    }
    /// Polyunsaturated Fat.
    public static var dietaryFatPolyunsaturated: Self {
        Self(known: "HKQuantityTypeIdentifierDietaryFatPolyunsaturated")
    }
    /// Saturated Fat.
    public static var dietaryFatSaturated: Self { Self(known: "HKQuantityTypeIdentifierDietaryFatSaturated") }
    /// Total Fat.
    public static var dietaryFatTotal: Self { Self(known: "HKQuantityTypeIdentifierDietaryFatTotal") }
    /// Fiber.
    public static var dietaryFiber: Self { Self(known: "HKQuantityTypeIdentifierDietaryFiber") }
    /// Folate.
    public static var dietaryFolate: Self { Self(known: "HKQuantityTypeIdentifierDietaryFolate") }
    /// Iodine.
    public static var dietaryIodine: Self { Self(known: "HKQuantityTypeIdentifierDietaryIodine") }
    /// Iron.
    public static var dietaryIron: Self { Self(known: "HKQuantityTypeIdentifierDietaryIron") }
    /// Magnesium.
    public static var dietaryMagnesium: Self { Self(known: "HKQuantityTypeIdentifierDietaryMagnesium") }
    /// Manganese.
    public static var dietaryManganese: Self { Self(known: "HKQuantityTypeIdentifierDietaryManganese") }
    /// Molybdenum.
    public static var dietaryMolybdenum: Self { Self(known: "HKQuantityTypeIdentifierDietaryMolybdenum") }
    /// Niacin.
    public static var dietaryNiacin: Self { Self(known: "HKQuantityTypeIdentifierDietaryNiacin") }
    /// Pantothenic Acid.
    public static var dietaryPantothenicAcid: Self {
        Self(known: "HKQuantityTypeIdentifierDietaryPantothenicAcid")
    }
    /// Phosphorus.
    public static var dietaryPhosphorus: Self { Self(known: "HKQuantityTypeIdentifierDietaryPhosphorus") }
    /// Potassium.
    public static var dietaryPotassium: Self { Self(known: "HKQuantityTypeIdentifierDietaryPotassium") }
    /// Protein.
    public static var dietaryProtein: Self { Self(known: "HKQuantityTypeIdentifierDietaryProtein") }
    /// Riboflavin.
    public static var dietaryRiboflavin: Self { Self(known: "HKQuantityTypeIdentifierDietaryRiboflavin") }
    /// Selenium.
    public static var dietarySelenium: Self { Self(known: "HKQuantityTypeIdentifierDietarySelenium") }
    /// Sodium.
    public static var dietarySodium: Self { Self(known: "HKQuantityTypeIdentifierDietarySodium") }
    /// Dietary Sugar.
    public static var dietarySugar: Self { Self(known: "HKQuantityTypeIdentifierDietarySugar") }
    /// Thiamin.
    public static var dietaryThiamin: Self { Self(known: "HKQuantityTypeIdentifierDietaryThiamin") }
    /// Vitamin A.
    public static var dietaryVitaminA: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminA") }
    /// Vitamin B12.
    public static var dietaryVitaminB12: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminB12") }
    /// Vitamin B6.
    public static var dietaryVitaminB6: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminB6") }
    /// Vitamin C.
    public static var dietaryVitaminC: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminC") }
    /// Vitamin D.
    public static var dietaryVitaminD: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminD") }
    /// Vitamin E.
    public static var dietaryVitaminE: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminE") }
    /// Vitamin K.
    public static var dietaryVitaminK: Self { Self(known: "HKQuantityTypeIdentifierDietaryVitaminK") }
    /// Water.
    public static var dietaryWater: Self { Self(known: "HKQuantityTypeIdentifierDietaryWater") }
    /// Zinc.
    public static var dietaryZinc: Self { Self(known: "HKQuantityTypeIdentifierDietaryZinc") }
    /// Alcohol Consumption.
    public static var numberOfAlcoholicBeverages: Self {
        Self(known: "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages")
    }
}
