// Quantities of the way a person walks, under the titles of the Health app.
extension QuantityTypeNames {
    /// Walking Steadiness.
    public static var appleWalkingSteadiness: Self {
        Self(known: "HKQuantityTypeIdentifierAppleWalkingSteadiness")
    }
    /// Number of Times Fallen.
    public static var numberOfTimesFallen: Self { Self(known: "HKQuantityTypeIdentifierNumberOfTimesFallen") }
    /// Six-Minute Walk.
    public static var sixMinuteWalkTestDistance: Self {
        Self(known: "HKQuantityTypeIdentifierSixMinuteWalkTestDistance")
    }
    /// Stair Speed: Up.
    public static var stairAscentSpeed: Self { Self(known: "HKQuantityTypeIdentifierStairAscentSpeed") }
    /// Stair Speed: Down.
    public static var stairDescentSpeed: Self { Self(known: "HKQuantityTypeIdentifierStairDescentSpeed") }
    /// Walking Asymmetry.
    public static var walkingAsymmetryPercentage: Self {
        Self(known: "HKQuantityTypeIdentifierWalkingAsymmetryPercentage")
    }
    /// Double Support Time.
    public static var walkingDoubleSupportPercentage: Self {
        Self(known: "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage")
    }
    /// Walking Speed.
    public static var walkingSpeed: Self { Self(known: "HKQuantityTypeIdentifierWalkingSpeed") }
    /// Walking Step Length.
    public static var walkingStepLength: Self { Self(known: "HKQuantityTypeIdentifierWalkingStepLength") }
}
