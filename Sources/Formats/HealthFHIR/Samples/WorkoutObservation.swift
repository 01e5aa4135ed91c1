import ByteText
import HealthModel

/// A workout: its kind is the value; its duration and its statistics are components.
enum WorkoutObservation: Sendable {
    static func write(_ sample: AnySample, _ observation: inout SampleObservation) {
        let workout = Workout(row: sample.row)
        if let name = workout.activityName, let code = code(ofActivity: name) {
            let coding = FHIRCoding.apple(code, workout.activityType?.title ?? code)
            observation.setValue { $0.concept("valueCodeableConcept", [coding], text: name) }
        }
        observation.add(
            [.loinc("55411-3", "Exercise duration")], workout.duration, in: FHIRUnit(.minute))
        let statistics = workout.statistics
        addTotals(of: workout, statistics, &observation)
        for entry in statistics { add(entry, &observation) }
        let children = sample.row.children.count - sample.metadata.entries.count - statistics.count
        observation.omit(.nestedElements, children)
        observation.omit(.attributes, omittedTotals.count { workout[$0] != nil })
    }

    /// What exports before iOS 16 state as attributes, and no component has.
    private static let omittedTotals = ["totalSwimmingStrokeCount", "totalFlightsClimbed"]

    /// Returns HealthKit's name for an activity without its prefix: `running`; nil if nothing is left.
    private static func code(ofActivity name: String) -> String? {
        let prefix = WorkoutActivityType.typeName
        let rest = name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : name[...]
        return FHIRText.code(rest.prefix(1).lowercased() + rest.dropFirst())
    }

    /// Adds what exports before iOS 16 state as attributes.
    private static func addTotals(
        of workout: Workout, _ statistics: [WorkoutStatistics], _ observation: inout SampleObservation
    ) {
        if workout["totalDistance"] != nil {
            let title = "Total distance"
            observation.add(
                [.apple("HKWorkout.totalDistance", title)], workout.totalDistance, in: FHIRUnit(.meter()))
        }
        if workout["totalEnergyBurned"] != nil,
            !statistics.contains(where: { $0.type == .activeEnergyBurned })
        {
            observation.add(energyCodings, workout.totalEnergyBurned, in: FHIRUnit(.kilocalorie))
        }
    }

    private static let energyCodings: [FHIRCoding] = [
        .loinc("55424-6", "Calories burned in unspecified time Pedometer"),
        .apple(AnySampleType.activeEnergyBurned.identifier, AnySampleType.activeEnergyBurned.title),
    ]

    private static func add(_ entry: WorkoutStatistics, _ observation: inout SampleObservation) {
        let type = entry.type
        let unit = observation.mapper.mapping[type].unit
        let codings = observation.mapper.mapping.codings(of: type)
        if entry.sum != nil {
            observation.add(type == .activeEnergyBurned ? energyCodings : codings, entry.sum, in: unit)
        }
        for (name, quantity) in [
            ("average", entry.average), ("minimum", entry.minimum), ("maximum", entry.maximum),
        ] where quantity != nil {
            var own = [
                FHIRCoding(
                    system: statisticsSystem, code: "\(type.identifier).\(name)",
                    display: "\(type.title), \(name)")
            ]
            if type == .heartRate, let loinc = heartRateCodes[name] { own.insert(loinc, at: 0) }
            observation.add(own, quantity, in: unit)
        }
    }

    private static let statisticsSystem = "urn:healthvault:workout-statistics"

    private static let heartRateCodes: [String: FHIRCoding] = [
        "average": .loinc("55425-3", "Heart rate unspecified time mean by Pedometer"),
        "maximum": .loinc("55426-1", "Heart rate unspecified time maximum by Pedometer"),
    ]
}
