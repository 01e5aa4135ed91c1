import ByteText
import HealthModel
import Testing

@Suite("Workouts")
struct WorkoutTests {
    private let start = Timestamp(seconds: 1_709_830_800, offsetMinutes: 60)
    private let end = Timestamp(seconds: 1_709_832_720, offsetMinutes: 60)

    private func distance(_ value: Double, _ unit: HealthUnit = .meter(.kilo)) -> WorkoutStatistics {
        WorkoutStatistics(
            .distanceWalkingRunning, startDate: start, endDate: end, sum: Quantity(value, unit))
    }

    private func energy(_ type: SampleType<QuantitySample>, _ value: Double) -> WorkoutStatistics {
        WorkoutStatistics(type, startDate: start, endDate: end, sum: Quantity(value, .kilocalorie))
    }

    @Test("are read as they were made")
    func roundTrip() {
        let rates = WorkoutStatistics(
            .heartRate, startDate: start, endDate: end, average: Quantity(135.25, .count / .minute),
            minimum: Quantity(61, .count / .minute), maximum: Quantity(171, .count / .minute))
        let pause = WorkoutEvent(
            .pause, date: start, duration: Quantity(2.5, .minute), metadata: ["HKTimeZone": "Asia/Tokyo"])
        let lap = WorkoutEvent(.lap, date: end)
        let run = WorkoutActivity(
            uuid: "7A", startDate: start, endDate: end, duration: Quantity(30, .minute),
            statistics: [distance(5.2), rates], events: [lap], metadata: ["HKIndoorWorkout": "0"])
        let rest = WorkoutActivity(startDate: end, endDate: end)
        let workout = Workout(
            .running, start: start, end: end, duration: Quantity("30.50", .minute),
            statistics: [distance(5.2), rates], events: [pause, lap], activities: [run, rest],
            source: Source(name: "Watch", version: "10.1"), device: Device(name: "Apple Watch"),
            creationDate: end, metadata: ["HKIndoorWorkout": "0", "HKAverageMETs": "8.1 kcal/hr·kg"])
        #expect(workout.sampleType == .workout && workout.element == "Workout")
        #expect(workout.activityType == .running && workout.activityName == "HKWorkoutActivityTypeRunning")
        #expect(workout.duration?.text == "30.50" && workout.duration?.unit == .minute)
        #expect(workout.startDate == start && workout.endDate == end && workout.creationDate == end)
        #expect(workout.sourceName == "Watch" && workout.device?.name == "Apple Watch")
        #expect(workout.statistics == [distance(5.2), rates])
        #expect(workout.events == [pause, lap] && workout.events.map(\.type) == [.pause, .lap])
        #expect(workout.activities == [run, rest])
        #expect(workout.routes.isEmpty)
        let metadata: Metadata = ["HKIndoorWorkout": "0", "HKAverageMETs": "8.1 kcal/hr·kg"]
        #expect(workout.metadata == metadata)
    }

    @Test("of every kind are read", arguments: WorkoutActivityType.allCases)
    func activityTypes(type: WorkoutActivityType) {
        let workout = Workout(type, start: start, end: end)
        #expect(workout.activityType == type && workout.activityName == type.name)
        // Without another duration it is the time from start to end.
        #expect(workout.duration == Quantity(32, .minute))
    }

    @Test("have events of every kind", arguments: WorkoutEventType.allCases)
    func eventTypes(type: WorkoutEventType) {
        let workout = Workout(.yoga, start: start, end: end, events: [WorkoutEvent(type, date: start)])
        #expect(workout.events.map(\.type) == [type] && workout.events.map(\.name) == [type.name])
        #expect(workout.events.first?.date == start && workout.events.first?.duration == nil)
    }

    @Test("have the distance and the energy of their statistics")
    func totals() {
        let cycled = WorkoutStatistics(
            .distanceCycling, startDate: start, endDate: end, sum: Quantity(1, .mile))
        let workout = Workout(
            .swimBikeRun, start: start, end: end,
            statistics: [
                distance(5), energy(.basalEnergyBurned, 40), cycled, energy(.activeEnergyBurned, 300),
            ])
        #expect(workout.totalDistance?.unit == .meter(.kilo))
        #expect(abs((workout.totalDistance?.value ?? 0) - 6.609344) < 1e-12)
        #expect(workout.totalEnergyBurned == Quantity(300, .kilocalorie))
        let none = Workout(.yoga, start: start, end: end)
        #expect(none.totalDistance == nil && none.totalEnergyBurned == nil && none.statistics.isEmpty)
    }

    @Test("have one distance, and not that of their parts as well")
    func parts() {
        let part = WorkoutActivity(
            startDate: start, endDate: end, statistics: [distance(3), energy(.activeEnergyBurned, 100)])
        let workout = Workout(
            .running, start: start, end: end, statistics: [distance(5)], activities: [part])
        #expect(workout.totalDistance == Quantity(5, .meter(.kilo)) && workout.totalEnergyBurned == nil)
        #expect(workout.activities.map(\.statistics) == [[distance(3), energy(.activeEnergyBurned, 100)]])
    }

    @Test("before iOS 16 state their distance and energy themselves")
    func statedTotals() {
        let statistics = TestRows.element(
            "WorkoutStatistics",
            [("type", "HKQuantityTypeIdentifierDistanceCycling"), ("sum", "9"), ("unit", "km")])
        let workout = Workout(
            row: SampleRow(
                TestRows.element(
                    "Workout",
                    [
                        ("workoutActivityType", "HKWorkoutActivityTypeQuidditch"), ("duration", "30.5"),
                        ("durationUnit", "min"), ("totalDistance", "5.50"), ("totalDistanceUnit", "km"),
                        ("totalEnergyBurned", "0"), ("totalEnergyBurnedUnit", "kcal"),
                    ], children: [statistics])))
        #expect(workout.totalDistance?.description == "5.50 km")
        #expect(workout.totalEnergyBurned == Quantity(0, .kilocalorie))
        #expect(workout.activityType == nil && workout.activityName == "HKWorkoutActivityTypeQuidditch")
        #expect(workout.statistics.map(\.sum) == [Quantity(9, .meter(.kilo))])
        #expect(workout.startDate == nil && workout.endDate == nil)
    }

    @Test("last as long as they state, otherwise from start to end")
    func lengths() {
        func seconds(_ attributes: [(String, String)]) -> Double? {
            Workout(row: SampleRow(TestRows.element("Workout", attributes))).durationSeconds
        }
        let times = [
            ("startDate", "2024-03-07 18:00:00 +0100"), ("endDate", "2024-03-07 18:32:00 +0100"),
        ]
        let backwards = [
            ("startDate", "2024-03-07 18:00:00 +0100"), ("endDate", "2024-03-07 17:00:00 +0100"),
        ]
        #expect(seconds(times + [("duration", "30.5"), ("durationUnit", "min")]) == 1830)
        #expect(seconds(times) == 1920 && seconds(times + [("duration", "30.5")]) == 1920)
        #expect(seconds(times + [("duration", "x"), ("durationUnit", "min")]) == 1920)
        #expect(seconds(backwards) == nil && seconds([]) == nil)
    }

    @Test("have statistics in the unit of the first quantity")
    func statisticsUnits() throws {
        let rates = WorkoutStatistics(
            .heartRate, startDate: start, endDate: end, average: Quantity("120.0", .count / .minute),
            minimum: Quantity(1, .gram()), maximum: Quantity(3, .hertz()))
        let workout = Workout(.running, start: start, end: end, statistics: [rates])
        let read = try #require(workout.statistics.first)
        #expect(read.type == .heartRate && read.sum == nil && read.minimum == nil)
        #expect(read.average?.text == "120.0" && read.maximum?.unit == .count / .minute)
        #expect(abs((read.maximum?.value ?? 0) - 180) < 1e-9)
    }
}
