/// The activity of a workout.
enum WorkoutActivityKind: String, CaseIterable {
    case running = "Running"
    case walking = "Walking"
    case cycling = "Cycling"
    case hiking = "Hiking"
    case swimming = "Swimming"
    case yoga = "Yoga"
    case strengthTraining = "FunctionalStrengthTraining"
    case intervalTraining = "HighIntensityIntervalTraining"

    /// The kinds that take place outdoors and may have a route.
    static let outdoors: [Self] = [.running, .walking, .cycling, .hiking]

    var identifier: String { "HKWorkoutActivityType\(rawValue)" }

    /// The quantity that adds up to the workout's distance, if it has one.
    var distanceType: String? {
        switch self {
        case .running, .walking, .hiking: "HKQuantityTypeIdentifierDistanceWalkingRunning"
        case .cycling: "HKQuantityTypeIdentifierDistanceCycling"
        case .swimming: "HKQuantityTypeIdentifierDistanceSwimming"
        case .yoga, .strengthTraining, .intervalTraining: nil
        }
    }

    var distanceUnit: String { self == .swimming ? "m" : "km" }

    /// The speed in millimetres per second.
    var pace: Int {
        switch self {
        case .running: 2900
        case .walking: 1400
        case .cycling: 6100
        case .hiking: 1100
        case .swimming: 700
        case .yoga, .strengthTraining, .intervalTraining: 0
        }
    }
}
