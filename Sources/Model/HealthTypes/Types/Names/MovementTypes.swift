// Quantities of movement, energy and training, under the titles of the Health app.
extension QuantityTypeNames {
    /// Active Energy.
    public static var activeEnergyBurned: Self { Self(known: "HKQuantityTypeIdentifierActiveEnergyBurned") }
    /// Exercise Minutes.
    public static var appleExerciseTime: Self { Self(known: "HKQuantityTypeIdentifierAppleExerciseTime") }
    /// Move Minutes.
    public static var appleMoveTime: Self { Self(known: "HKQuantityTypeIdentifierAppleMoveTime") }
    /// Stand Minutes.
    public static var appleStandTime: Self { Self(known: "HKQuantityTypeIdentifierAppleStandTime") }
    /// Resting Energy.
    public static var basalEnergyBurned: Self { Self(known: "HKQuantityTypeIdentifierBasalEnergyBurned") }
    /// Cross Country Skiing Speed.
    public static var crossCountrySkiingSpeed: Self {
        Self(known: "HKQuantityTypeIdentifierCrossCountrySkiingSpeed")
    }
    /// Cycling Cadence.
    public static var cyclingCadence: Self { Self(known: "HKQuantityTypeIdentifierCyclingCadence") }
    /// Cycling Functional Threshold Power.
    public static var cyclingFunctionalThresholdPower: Self {
        Self(known: "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower")
    }
    /// Cycling Power.
    public static var cyclingPower: Self { Self(known: "HKQuantityTypeIdentifierCyclingPower") }
    /// Cycling Speed.
    public static var cyclingSpeed: Self { Self(known: "HKQuantityTypeIdentifierCyclingSpeed") }
    /// Cross Country Skiing Distance.
    public static var distanceCrossCountrySkiing: Self {
        Self(known: "HKQuantityTypeIdentifierDistanceCrossCountrySkiing")
    }
    /// Cycling Distance.
    public static var distanceCycling: Self { Self(known: "HKQuantityTypeIdentifierDistanceCycling") }
    /// Downhill Snow Sports Distance.
    public static var distanceDownhillSnowSports: Self {
        Self(known: "HKQuantityTypeIdentifierDistanceDownhillSnowSports")
    }
    /// Paddle Sports Distance.
    public static var distancePaddleSports: Self {
        Self(known: "HKQuantityTypeIdentifierDistancePaddleSports")
    }
    /// Rowing Distance.
    public static var distanceRowing: Self { Self(known: "HKQuantityTypeIdentifierDistanceRowing") }
    /// Skating Sports Distance.
    public static var distanceSkatingSports: Self {
        Self(known: "HKQuantityTypeIdentifierDistanceSkatingSports")
    }
    /// Swimming Distance.
    public static var distanceSwimming: Self { Self(known: "HKQuantityTypeIdentifierDistanceSwimming") }
    /// Walking + Running Distance.
    public static var distanceWalkingRunning: Self {
        Self(known: "HKQuantityTypeIdentifierDistanceWalkingRunning")
    }
    /// Wheelchair Distance.
    public static var distanceWheelchair: Self { Self(known: "HKQuantityTypeIdentifierDistanceWheelchair") }
    /// Estimated Workout Effort Score.
    public static var estimatedWorkoutEffortScore: Self {
        Self(known: "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")
    }
    /// Flights Climbed.
    public static var flightsClimbed: Self { Self(known: "HKQuantityTypeIdentifierFlightsClimbed") }
    /// Paddle Sports Speed.
    public static var paddleSportsSpeed: Self { Self(known: "HKQuantityTypeIdentifierPaddleSportsSpeed") }
    /// Physical Effort.
    public static var physicalEffort: Self { Self(known: "HKQuantityTypeIdentifierPhysicalEffort") }
    /// Pushes.
    public static var pushCount: Self { Self(known: "HKQuantityTypeIdentifierPushCount") }
    /// Rowing Speed.
    public static var rowingSpeed: Self { Self(known: "HKQuantityTypeIdentifierRowingSpeed") }
    /// Ground Contact Time.
    public static var runningGroundContactTime: Self {
        Self(known: "HKQuantityTypeIdentifierRunningGroundContactTime")
    }
    /// Running Power.
    public static var runningPower: Self { Self(known: "HKQuantityTypeIdentifierRunningPower") }
    /// Running Speed.
    public static var runningSpeed: Self { Self(known: "HKQuantityTypeIdentifierRunningSpeed") }
    /// Running Stride Length.
    public static var runningStrideLength: Self { Self(known: "HKQuantityTypeIdentifierRunningStrideLength") }
    /// Vertical Oscillation.
    public static var runningVerticalOscillation: Self {
        Self(known: "HKQuantityTypeIdentifierRunningVerticalOscillation")
    }
    /// Steps.
    public static var stepCount: Self { Self(known: "HKQuantityTypeIdentifierStepCount") }
    /// Swimming Strokes.
    public static var swimmingStrokeCount: Self { Self(known: "HKQuantityTypeIdentifierSwimmingStrokeCount") }
    /// Underwater Depth.
    public static var underwaterDepth: Self { Self(known: "HKQuantityTypeIdentifierUnderwaterDepth") }
    /// Water Temperature.
    public static var waterTemperature: Self { Self(known: "HKQuantityTypeIdentifierWaterTemperature") }
    /// Workout Effort Score.
    public static var workoutEffortScore: Self { Self(known: "HKQuantityTypeIdentifierWorkoutEffortScore") }
}
