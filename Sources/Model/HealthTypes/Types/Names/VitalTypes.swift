// Quantities of vital signs, under the titles of the Health app.
extension QuantityTypeNames {
    /// Basal Body Temperature.
    public static var basalBodyTemperature: Self {
        Self(known: "HKQuantityTypeIdentifierBasalBodyTemperature")
    }
    /// Blood Glucose.
    public static var bloodGlucose: Self { Self(known: "HKQuantityTypeIdentifierBloodGlucose") }
    /// Blood Oxygen.
    public static var bloodOxygen: Self { Self(known: "HKQuantityTypeIdentifierOxygenSaturation") }
    /// Body Temperature.
    public static var bodyTemperature: Self { Self(known: "HKQuantityTypeIdentifierBodyTemperature") }
    /// Insulin Delivery.
    public static var insulinDelivery: Self { Self(known: "HKQuantityTypeIdentifierInsulinDelivery") }
    /// Respiratory Rate.
    public static var respiratoryRate: Self { Self(known: "HKQuantityTypeIdentifierRespiratoryRate") }
}
