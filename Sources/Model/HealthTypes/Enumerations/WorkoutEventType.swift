/// A kind of event during a workout.
public enum WorkoutEventType: Int, HealthEnumeration {
    /// Pause.
    case pause = 1
    /// Resume.
    case resume = 2
    /// Lap.
    case lap = 3
    /// Marker.
    case marker = 4
    /// Motion paused.
    case motionPaused = 5
    /// Motion resumed.
    case motionResumed = 6
    /// Segment.
    case segment = 7
    /// Pause or resume request.
    case pauseOrResumeRequest = 8

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKWorkoutEventType"
}
