/// A metadata entry that some records of a type have.
struct MetadataTemplate {
    let key: String
    let value: ValueShape

    /// The unit, written after the value and a space.
    let unit: String

    /// One in this many records has the entry.
    let oneIn: Int

    /// How often the key occurs in a record that has it.
    let times: Int

    init(_ key: String, _ value: ValueShape, unit: String = "", oneIn: Int = 1, times: Int = 1) {
        self.key = key
        self.value = value
        self.unit = unit
        self.oneIn = oneIn
        self.times = times
    }

    static let motionContext = Self("HKMetadataKeyHeartRateMotionContext", .integer(0...2))
    static let userEntered = Self("HKWasUserEntered", .integer(1...1))
    static let calibrated = Self("HKAppleDeviceCalibrated", .integer(0...1), oneIn: 4)
    static let algorithmVersion = Self("HKAlgorithmVersion", .integer(2...2))
    static let pressure = Self(
        "HKBarometricPressure", .decimal(95_000...104_000, digits: 9), unit: "cmHg", oneIn: 2)

    /// Keys and values as third-party apps write them: free text, with spaces and entities.
    static let meal = Self("Meal", .text(["Breakfast", "Lunch", "Dinner", "Snacks & Sweets"]))
    static let food = Self(
        "HKFoodType",
        .text([
            "Porridge", "Soup & Salad", "Burger \"Synthetic\"", "Protein > 20 g", "Sugar < 1 g",
            "Crème brûlée", "Käsespätzle",
        ]))
    static let tags = Self("Tag", .text(["home", "work", "R&D canteen", "<none>"]), oneIn: 3, times: 2)
    static let scaleLink = Self("Scale Link", .text(["https://scale.example.org/m?id=1&unit=kg"]))
    static let createdAt = Self(
        "Created at", .text(["2019-02-12 16:23:53 +0000", "2021-07-01 06:00:00 +0000"]))
}
