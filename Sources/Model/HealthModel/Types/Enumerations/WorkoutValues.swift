/// A kind of workout.
public enum WorkoutActivityType: Int, HealthEnumeration {
    case americanFootball = 1
    case archery, australianFootball, badminton, baseball, basketball, bowling, boxing, climbing, cricket,
        crossTraining, curling, cycling, dance, danceInspiredTraining, elliptical, equestrianSports, fencing,
        fishing, functionalStrengthTraining, golf, gymnastics, handball, hiking, hockey, hunting, lacrosse,
        martialArts, mindAndBody, mixedMetabolicCardioTraining, paddleSports, play, preparationAndRecovery,
        racquetball, rowing, rugby, running, sailing, skatingSports, snowSports, soccer, softball, squash,
        stairClimbing, surfingSports, swimming, tableTennis, tennis, trackAndField,
        traditionalStrengthTraining, volleyball, walking, waterFitness, waterPolo, waterSports, wrestling,
        yoga, barre, coreTraining, crossCountrySkiing, downhillSkiing, flexibility,
        highIntensityIntervalTraining, jumpRope, kickboxing, pilates, snowboarding, stairs, stepTraining,
        wheelchairWalkPace, wheelchairRunPace, taiChi, mixedCardio, handCycling, discSports, fitnessGaming,
        cardioDance, socialDance, pickleball, cooldown
    case swimBikeRun = 82
    case transition, underwaterDiving
    case other = 3000

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKWorkoutActivityType"
}

/// A kind of event during a workout.
public enum WorkoutEventType: Int, HealthEnumeration {
    case pause = 1
    case resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKWorkoutEventType"
}
