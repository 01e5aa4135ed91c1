// Movement, energy and training.
extension QuantityTypeNames {
    /// Active Energy.
    public static var activeEnergyBurned: Self {
        cumulative("kcal", metric: "Cal", .activity, title: "Active Energy", also: "calories", "energy")
    }
    /// Exercise Minutes.
    public static var appleExerciseTime: Self {
        cumulative("min", .activity, title: "Exercise Minutes", also: "exercise")
    }
    /// Move Minutes.
    public static var appleMoveTime: Self { cumulative("min", .activity, title: "Move Minutes") }
    /// Stand Minutes.
    public static var appleStandTime: Self {
        cumulative("min", metric: "hr", .activity, title: "Stand Minutes", also: "stand")
    }
    /// Resting Energy.
    public static var basalEnergyBurned: Self {
        cumulative("kcal", metric: "Cal", .activity, title: "Resting Energy")
    }
    /// Cross Country Skiing Speed.
    public static var crossCountrySkiingSpeed: Self {
        discrete("m/s", metric: "km/hr", us: "mi/hr", .activity)
    }
    /// Cycling Cadence.
    public static var cyclingCadence: Self { discrete("count/min", .activity) }
    /// Cycling Functional Threshold Power.
    public static var cyclingFunctionalThresholdPower: Self { discrete("W", .activity) }
    /// Cycling Power.
    public static var cyclingPower: Self { discrete("W", .activity) }
    /// Cycling Speed.
    public static var cyclingSpeed: Self { discrete("m/s", metric: "km/hr", us: "mi/hr", .activity) }
    /// Cross Country Skiing Distance.
    public static var distanceCrossCountrySkiing: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Cross Country Skiing Distance")
    }
    /// Cycling Distance.
    public static var distanceCycling: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Cycling Distance", also: "cycling")
    }
    /// Downhill Snow Sports Distance.
    public static var distanceDownhillSnowSports: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Downhill Snow Sports Distance")
    }
    /// Paddle Sports Distance.
    public static var distancePaddleSports: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Paddle Sports Distance")
    }
    /// Rowing Distance.
    public static var distanceRowing: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Rowing Distance")
    }
    /// Skating Sports Distance.
    public static var distanceSkatingSports: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Skating Sports Distance")
    }
    /// Swimming Distance.
    public static var distanceSwimming: Self {
        cumulative("m", us: "yd", uk: "yd", .activity, title: "Swimming Distance", also: "swimming")
    }
    /// Walking + Running Distance.
    public static var distanceWalkingRunning: Self {
        cumulative(
            "m", metric: "km", us: "mi", .activity, title: "Walking + Running Distance", also: "distance",
            "running", "walking")
    }
    /// Wheelchair Distance.
    public static var distanceWheelchair: Self {
        cumulative("m", metric: "km", us: "mi", .activity, title: "Wheelchair Distance")
    }
    /// Estimated Workout Effort Score.
    public static var estimatedWorkoutEffortScore: Self { discrete("appleEffortScore", .activity) }
    /// Flights Climbed.
    public static var flightsClimbed: Self { cumulative("count", .activity, also: "floors", "stairs") }
    /// Paddle Sports Speed.
    public static var paddleSportsSpeed: Self { discrete("m/s", metric: "km/hr", us: "mi/hr", .activity) }
    /// Physical Effort.
    public static var physicalEffort: Self { discrete("kcal/hr·kg", .activity) }
    /// Pushes.
    public static var pushCount: Self { cumulative("count", .activity, title: "Pushes") }
    /// Rowing Speed.
    public static var rowingSpeed: Self { discrete("m/s", metric: "km/hr", us: "mi/hr", .activity) }
    /// Ground Contact Time.
    public static var runningGroundContactTime: Self {
        discrete("ms", .activity, title: "Ground Contact Time")
    }
    /// Running Power.
    public static var runningPower: Self { discrete("W", .activity) }
    /// Running Speed.
    public static var runningSpeed: Self { discrete("m/s", metric: "km/hr", us: "mi/hr", .activity) }
    /// Running Stride Length.
    public static var runningStrideLength: Self { discrete("m", us: "ft", .activity) }
    /// Vertical Oscillation.
    public static var runningVerticalOscillation: Self {
        discrete("cm", us: "in", .activity, title: "Vertical Oscillation")
    }
    /// Steps.
    public static var stepCount: Self { cumulative("count", .activity, title: "Steps") }
    /// Swimming Strokes.
    public static var swimmingStrokeCount: Self { cumulative("count", .activity, title: "Swimming Strokes") }
    /// Underwater Depth.
    public static var underwaterDepth: Self { discrete("m", us: "ft", .activity) }
    /// Water Temperature.
    public static var waterTemperature: Self { discrete("degC", us: "degF", .activity) }
    /// Workout Effort Score.
    public static var workoutEffortScore: Self { discrete("appleEffortScore", .activity) }
}

// How a person walks.
extension QuantityTypeNames {
    /// Walking Steadiness.
    public static var appleWalkingSteadiness: Self { discrete("%", .mobility, title: "Walking Steadiness") }
    /// Number of Times Fallen.
    public static var numberOfTimesFallen: Self {
        cumulative("count", .mobility, title: "Number of Times Fallen")
    }
    /// Six-Minute Walk.
    public static var sixMinuteWalkTestDistance: Self { discrete("m", .mobility, title: "Six-Minute Walk") }
    /// Stair Speed: Up.
    public static var stairAscentSpeed: Self {
        discrete("m/s", us: "ft/s", .mobility, title: "Stair Speed: Up")
    }
    /// Stair Speed: Down.
    public static var stairDescentSpeed: Self {
        discrete("m/s", us: "ft/s", .mobility, title: "Stair Speed: Down")
    }
    /// Walking Asymmetry.
    public static var walkingAsymmetryPercentage: Self {
        discrete("%", .mobility, title: "Walking Asymmetry")
    }
    /// Double Support Time.
    public static var walkingDoubleSupportPercentage: Self {
        discrete("%", .mobility, title: "Double Support Time")
    }
    /// Walking Speed.
    public static var walkingSpeed: Self { discrete("m/s", metric: "km/hr", us: "mi/hr", .mobility) }
    /// Walking Step Length.
    public static var walkingStepLength: Self { discrete("m", metric: "cm", us: "in", .mobility) }
}
