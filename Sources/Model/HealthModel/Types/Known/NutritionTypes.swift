// Food and drink.
extension QuantityTypeNames {
    /// Blood Alcohol Content.
    public static var bloodAlcoholContent: Self { discrete("%", .nutrition) }
    /// Biotin.
    public static var dietaryBiotin: Self { nutrient("mcg") }
    /// Caffeine.
    public static var dietaryCaffeine: Self { nutrient("mg", also: "caffeine") }
    /// Calcium.
    public static var dietaryCalcium: Self { nutrient("mg") }
    /// Carbohydrates.
    public static var dietaryCarbohydrates: Self { nutrient() }
    /// Chloride.
    public static var dietaryChloride: Self { nutrient("mg") }
    /// Dietary Cholesterol.
    public static var dietaryCholesterol: Self { nutrient("mg", title: "Dietary Cholesterol") }
    /// Chromium.
    public static var dietaryChromium: Self { nutrient("mcg") }
    /// Copper.
    public static var dietaryCopper: Self { nutrient("mg") }
    /// Dietary Energy.
    public static var dietaryEnergyConsumed: Self {
        cumulative("kcal", metric: "Cal", .nutrition, title: "Dietary Energy")
    }
    /// Monounsaturated Fat.
    public static var dietaryFatMonounsaturated: Self { nutrient(title: "Monounsaturated Fat") }
    /// Polyunsaturated Fat.
    public static var dietaryFatPolyunsaturated: Self { nutrient(title: "Polyunsaturated Fat") }
    /// Saturated Fat.
    public static var dietaryFatSaturated: Self { nutrient(title: "Saturated Fat") }
    /// Total Fat.
    public static var dietaryFatTotal: Self { nutrient(title: "Total Fat") }
    /// Fiber.
    public static var dietaryFiber: Self { nutrient() }
    /// Folate.
    public static var dietaryFolate: Self { nutrient("mcg") }
    /// Iodine.
    public static var dietaryIodine: Self { nutrient("mcg") }
    /// Iron.
    public static var dietaryIron: Self { nutrient("mg") }
    /// Magnesium.
    public static var dietaryMagnesium: Self { nutrient("mg") }
    /// Manganese.
    public static var dietaryManganese: Self { nutrient("mg") }
    /// Molybdenum.
    public static var dietaryMolybdenum: Self { nutrient("mcg") }
    /// Niacin.
    public static var dietaryNiacin: Self { nutrient("mg") }
    /// Pantothenic Acid.
    public static var dietaryPantothenicAcid: Self { nutrient("mg") }
    /// Phosphorus.
    public static var dietaryPhosphorus: Self { nutrient("mg") }
    /// Potassium.
    public static var dietaryPotassium: Self { nutrient("mg") }
    /// Protein.
    public static var dietaryProtein: Self { nutrient() }
    /// Riboflavin.
    public static var dietaryRiboflavin: Self { nutrient("mg") }
    /// Selenium.
    public static var dietarySelenium: Self { nutrient("mcg") }
    /// Sodium.
    public static var dietarySodium: Self { nutrient("mg") }
    /// Dietary Sugar.
    public static var dietarySugar: Self { nutrient(title: "Dietary Sugar") }
    /// Thiamin.
    public static var dietaryThiamin: Self { nutrient("mg") }
    /// Vitamin A.
    public static var dietaryVitaminA: Self { nutrient("mcg") }
    /// Vitamin B12.
    public static var dietaryVitaminB12: Self { nutrient("mcg") }
    /// Vitamin B6.
    public static var dietaryVitaminB6: Self { nutrient("mg") }
    /// Vitamin C.
    public static var dietaryVitaminC: Self { nutrient("mg") }
    /// Vitamin D.
    public static var dietaryVitaminD: Self { nutrient("mcg") }
    /// Vitamin E.
    public static var dietaryVitaminE: Self { nutrient("mg") }
    /// Vitamin K.
    public static var dietaryVitaminK: Self { nutrient("mcg") }
    /// Water.
    public static var dietaryWater: Self {
        cumulative("mL", us: "fl_oz_us", .nutrition, also: "water")
    }
    /// Zinc.
    public static var dietaryZinc: Self { nutrient("mg") }
    /// Alcohol Consumption.
    public static var numberOfAlcoholicBeverages: Self {
        cumulative("count", .nutrition, title: "Alcohol Consumption")
    }
}
