extension AnySampleType {
    /// Quantities: the part after `HKQuantityTypeIdentifier`, the title, the canonical unit, the aggregation style, and
    /// the units that people use if they differ.
    ///
    /// Identifiers, titles and display units are from SpeziHealthKit (MIT), canonical units and aggregation styles
    /// from the header `HKTypeIdentifiers.h` of iOS 18.1.
    static let quantities: [AnySampleType] = [
        quantity("StepCount", "Steps", "count", .cumulative),
        quantity(
            "DistanceWalkingRunning", "Walking + Running Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity("RunningGroundContactTime", "Ground Contact Time", "ms", .discreteArithmetic),
        quantity("RunningPower", "Running Power", "W", .discreteArithmetic),
        quantity("RunningSpeed", "Running Speed", "m/s", .discreteArithmetic, metric: "km/hr", us: "mi/hr"),
        quantity("RunningStrideLength", "Running Stride Length", "m", .discreteArithmetic, us: "ft"),
        quantity("RunningVerticalOscillation", "Vertical Oscillation", "cm", .discreteArithmetic, us: "in"),
        quantity("DistanceCycling", "Cycling Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity("PushCount", "Pushes", "count", .cumulative),
        quantity("DistanceWheelchair", "Wheelchair Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity("SwimmingStrokeCount", "Swimming Strokes", "count", .cumulative),
        quantity("DistanceSwimming", "Swimming Distance", "m", .cumulative, us: "yd", uk: "yd"),
        quantity(
            "DistanceDownhillSnowSports", "Downhill Snow Sports Distance", "m", .cumulative, metric: "km",
            us: "mi"),
        quantity("BasalEnergyBurned", "Resting Energy", "kcal", .cumulative, metric: "Cal"),
        quantity("ActiveEnergyBurned", "Active Energy", "kcal", .cumulative, metric: "Cal"),
        quantity("FlightsClimbed", "Flights Climbed", "count", .cumulative),
        quantity("AppleExerciseTime", "Exercise Minutes", "min", .cumulative),
        quantity("AppleMoveTime", "Move Minutes", "min", .cumulative),
        quantity("AppleStandTime", "Stand Minutes", "min", .cumulative, metric: "hr"),
        quantity("VO2Max", "Cardio Fitness", "mL/kg·min", .discreteArithmetic),
        quantity("Height", "Height", "m", .discreteArithmetic, metric: "cm", us: "ft"),
        quantity("BodyMass", "Weight", "kg", .discreteArithmetic, us: "lb", uk: "lb"),
        quantity("BodyMassIndex", "Body Mass Index", "count", .discreteArithmetic),
        quantity("LeanBodyMass", "Lean Body Mass", "kg", .discreteArithmetic, us: "lb", uk: "lb"),
        quantity("BodyFatPercentage", "Body Fat Percentage", "%", .discreteArithmetic),
        quantity(
            "WaistCircumference", "Waist Circumference", "m", .discreteArithmetic, metric: "cm", us: "in"),
        quantity(
            "AppleSleepingWristTemperature", "Wrist Temperature", "degC", .discreteArithmetic, us: "degF"),
        quantity("BasalBodyTemperature", "Basal Body Temperature", "degC", .discreteArithmetic, us: "degF"),
        quantity(
            "EnvironmentalAudioExposure", "Environmental Sound Levels", "dBASPL",
            .discreteEquivalentContinuousLevel),
        quantity(
            "HeadphoneAudioExposure", "Headphone Audio Levels", "dBASPL", .discreteEquivalentContinuousLevel),
        quantity("HeartRate", "Heart Rate", "count/s", .discreteTemporallyWeighted, metric: "count/min"),
        quantity("RestingHeartRate", "Resting Heart Rate", "count/min", .discreteArithmetic),
        quantity("WalkingHeartRateAverage", "Walking Heart Rate Average", "count/min", .discreteArithmetic),
        quantity("HeartRateVariabilitySDNN", "Heart Rate Variability", "ms", .discreteArithmetic),
        quantity("HeartRateRecoveryOneMinute", "Cardio Recovery", "count/min", .discreteArithmetic),
        quantity("AtrialFibrillationBurden", "AFib History", "%", .discreteTemporallyWeighted),
        quantity("OxygenSaturation", "Blood Oxygen", "%", .discreteArithmetic),
        quantity("BodyTemperature", "Body Temperature", "degC", .discreteArithmetic, us: "degF"),
        quantity("BloodPressureDiastolic", "Diastolic Blood Pressure", "mmHg", .discreteArithmetic),
        quantity("BloodPressureSystolic", "Systolic Blood Pressure", "mmHg", .discreteArithmetic),
        quantity("RespiratoryRate", "Respiratory Rate", "count/s", .discreteArithmetic, metric: "count/min"),
        quantity("BloodGlucose", "Blood Glucose", "mg/dL", .discreteArithmetic),
        quantity("ElectrodermalActivity", "Electrodermal Activity", "S", .discreteArithmetic, metric: "mcS"),
        quantity("ForcedExpiratoryVolume1", "Forced Expiratory Volume, 1 sec", "L", .discreteArithmetic),
        quantity("ForcedVitalCapacity", "Forced Vital Capacity", "L", .discreteArithmetic),
        quantity("InhalerUsage", "Inhaler Usage", "count", .cumulative),
        quantity("InsulinDelivery", "Insulin Delivery", "IU", .cumulative),
        quantity("NumberOfTimesFallen", "Number of Times Fallen", "count", .cumulative),
        quantity("PeakExpiratoryFlowRate", "Peak Expiratory Flow Rate", "L/min", .discreteArithmetic),
        quantity("PeripheralPerfusionIndex", "Peripheral Perfusion Index", "%", .discreteArithmetic),
        quantity("DietaryBiotin", "Biotin", "g", .cumulative, metric: "mcg"),
        quantity("DietaryCaffeine", "Caffeine", "g", .cumulative, metric: "mg"),
        quantity("DietaryCalcium", "Calcium", "g", .cumulative, metric: "mg"),
        quantity("DietaryCarbohydrates", "Carbohydrates", "g", .cumulative),
        quantity("DietaryChloride", "Chloride", "g", .cumulative, metric: "mg"),
        quantity("DietaryCholesterol", "Dietary Cholesterol", "g", .cumulative, metric: "mg"),
        quantity("DietaryChromium", "Chromium", "g", .cumulative, metric: "mcg"),
        quantity("DietaryCopper", "Copper", "g", .cumulative, metric: "mg"),
        quantity("DietaryEnergyConsumed", "Dietary Energy", "kcal", .cumulative, metric: "Cal"),
        quantity("DietaryFatMonounsaturated", "Monounsaturated Fat", "g", .cumulative),
        quantity("DietaryFatPolyunsaturated", "Polyunsaturated Fat", "g", .cumulative),
        quantity("DietaryFatSaturated", "Saturated Fat", "g", .cumulative),
        quantity("DietaryFatTotal", "Total Fat", "g", .cumulative),
        quantity("DietaryFiber", "Fiber", "g", .cumulative),
        quantity("DietaryFolate", "Folate", "g", .cumulative, metric: "mcg"),
        quantity("DietaryIodine", "Iodine", "g", .cumulative, metric: "mcg"),
        quantity("DietaryIron", "Iron", "g", .cumulative, metric: "mg"),
        quantity("DietaryMagnesium", "Magnesium", "g", .cumulative, metric: "mg"),
        quantity("DietaryManganese", "Manganese", "g", .cumulative, metric: "mg"),
        quantity("DietaryMolybdenum", "Molybdenum", "g", .cumulative, metric: "mcg"),
        quantity("DietaryNiacin", "Niacin", "g", .cumulative, metric: "mg"),
        quantity("DietaryPantothenicAcid", "Pantothenic Acid", "g", .cumulative, metric: "mg"),
        quantity("DietaryPhosphorus", "Phosphorus", "g", .cumulative, metric: "mg"),
        quantity("DietaryPotassium", "Potassium", "g", .cumulative, metric: "mg"),
        quantity("DietaryProtein", "Protein", "g", .cumulative),
        quantity("DietaryRiboflavin", "Riboflavin", "g", .cumulative, metric: "mg"),
        quantity("DietarySelenium", "Selenium", "g", .cumulative, metric: "mcg"),
        quantity("DietarySodium", "Sodium", "g", .cumulative, metric: "mg"),
        quantity("DietarySugar", "Dietary Sugar", "g", .cumulative),
        quantity("DietaryThiamin", "Thiamin", "g", .cumulative, metric: "mg"),
        quantity("DietaryVitaminA", "Vitamin A", "g", .cumulative, metric: "mcg"),
        quantity("DietaryVitaminB12", "Vitamin B12", "g", .cumulative, metric: "mcg"),
        quantity("DietaryVitaminB6", "Vitamin B6", "g", .cumulative, metric: "mg"),
        quantity("DietaryVitaminC", "Vitamin C", "g", .cumulative, metric: "mg"),
        quantity("DietaryVitaminD", "Vitamin D", "g", .cumulative, metric: "mcg"),
        quantity("DietaryVitaminE", "Vitamin E", "g", .cumulative, metric: "mg"),
        quantity("DietaryVitaminK", "Vitamin K", "g", .cumulative, metric: "mcg"),
        quantity("DietaryWater", "Water", "mL", .cumulative, us: "fl_oz_us"),
        quantity("DietaryZinc", "Zinc", "g", .cumulative, metric: "mg"),
        quantity("BloodAlcoholContent", "Blood Alcohol Content", "%", .discreteArithmetic),
        quantity("NumberOfAlcoholicBeverages", "Alcohol Consumption", "count", .cumulative),
        quantity("AppleWalkingSteadiness", "Walking Steadiness", "%", .discreteArithmetic),
        quantity("SixMinuteWalkTestDistance", "Six-Minute Walk", "m", .discreteArithmetic),
        quantity("WalkingSpeed", "Walking Speed", "m/s", .discreteArithmetic, metric: "km/hr", us: "mi/hr"),
        quantity(
            "WalkingStepLength", "Walking Step Length", "m", .discreteArithmetic, metric: "cm", us: "in"),
        quantity("WalkingAsymmetryPercentage", "Walking Asymmetry", "%", .discreteArithmetic),
        quantity("WalkingDoubleSupportPercentage", "Double Support Time", "%", .discreteArithmetic),
        quantity("StairAscentSpeed", "Stair Speed: Up", "m/s", .discreteArithmetic, us: "ft/s"),
        quantity("StairDescentSpeed", "Stair Speed: Down", "m/s", .discreteArithmetic, us: "ft/s"),
        quantity("UVExposure", "UV Index", "count", .discreteArithmetic),
        quantity("UnderwaterDepth", "Underwater Depth", "m", .discreteArithmetic, us: "ft"),
        quantity("WaterTemperature", "Water Temperature", "degC", .discreteArithmetic, us: "degF"),
        quantity(
            "AppleSleepingBreathingDisturbances", "Breathing Disturbances", "count", .discreteArithmetic),
        quantity(
            "CrossCountrySkiingSpeed", "Cross Country Skiing Speed", "m/s", .discreteArithmetic,
            metric: "km/hr", us: "mi/hr"),
        quantity("CyclingCadence", "Cycling Cadence", "count/min", .discreteArithmetic),
        quantity(
            "CyclingFunctionalThresholdPower", "Cycling Functional Threshold Power", "W", .discreteArithmetic),
        quantity("CyclingPower", "Cycling Power", "W", .discreteArithmetic),
        quantity("CyclingSpeed", "Cycling Speed", "m/s", .discreteArithmetic, metric: "km/hr", us: "mi/hr"),
        quantity(
            "DistanceCrossCountrySkiing", "Cross Country Skiing Distance", "m", .cumulative, metric: "km",
            us: "mi"),
        quantity("DistancePaddleSports", "Paddle Sports Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity("DistanceRowing", "Rowing Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity(
            "DistanceSkatingSports", "Skating Sports Distance", "m", .cumulative, metric: "km", us: "mi"),
        quantity(
            "EnvironmentalSoundReduction", "Environmental Sound Reduction", "dBASPL",
            .discreteEquivalentContinuousLevel),
        quantity(
            "EstimatedWorkoutEffortScore", "Estimated Workout Effort Score", "appleEffortScore",
            .discreteArithmetic),
        quantity(
            "PaddleSportsSpeed", "Paddle Sports Speed", "m/s", .discreteArithmetic, metric: "km/hr",
            us: "mi/hr"),
        quantity("PhysicalEffort", "Physical Effort", "kcal/hr·kg", .discreteArithmetic),
        quantity("RowingSpeed", "Rowing Speed", "m/s", .discreteArithmetic, metric: "km/hr", us: "mi/hr"),
        quantity("TimeInDaylight", "Time In Daylight", "min", .cumulative),
        quantity(
            "WorkoutEffortScore", "Workout Effort Score", "appleEffortScore", .discreteArithmetic),
    ]

    private static func quantity(
        _ name: String, _ title: String, _ unit: String, _ style: AggregationStyle, metric: String? = nil,
        us: String? = nil, uk: String? = nil
    ) -> AnySampleType {
        AnySampleType(
            identifier: Kind.quantity.prefix + name, kind: .quantity, title: title,
            units: PreferredUnits(canonical: unit, metric: metric, us: us, uk: uk), aggregation: style)
    }
}
