// Quantities of a person's surroundings, under the titles of the Health app.
extension QuantityTypeNames {
    /// Time In Daylight.
    public static var timeInDaylight: Self { Self(known: "HKQuantityTypeIdentifierTimeInDaylight") }
    /// UV Index.
    public static var uvExposure: Self { Self(known: "HKQuantityTypeIdentifierUVExposure") }
}
