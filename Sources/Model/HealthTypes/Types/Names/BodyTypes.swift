// Quantities of the body, under the titles of the Health app.
extension QuantityTypeNames {
    /// Wrist Temperature.
    public static var appleSleepingWristTemperature: Self {
        Self(known: "HKQuantityTypeIdentifierAppleSleepingWristTemperature")
    }
    /// Body Fat Percentage.
    public static var bodyFatPercentage: Self { Self(known: "HKQuantityTypeIdentifierBodyFatPercentage") }
    /// Weight.
    public static var bodyMass: Self { Self(known: "HKQuantityTypeIdentifierBodyMass") }
    /// Body Mass Index.
    public static var bodyMassIndex: Self { Self(known: "HKQuantityTypeIdentifierBodyMassIndex") }
    /// Electrodermal Activity.
    public static var electrodermalActivity: Self {
        Self(known: "HKQuantityTypeIdentifierElectrodermalActivity")
    }
    /// Height.
    public static var height: Self { Self(known: "HKQuantityTypeIdentifierHeight") }
    /// Lean Body Mass.
    public static var leanBodyMass: Self { Self(known: "HKQuantityTypeIdentifierLeanBodyMass") }
    /// Waist Circumference.
    public static var waistCircumference: Self { Self(known: "HKQuantityTypeIdentifierWaistCircumference") }
}
