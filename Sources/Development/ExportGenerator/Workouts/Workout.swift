/// The facts about a workout from which its element and its route file are written.
struct Workout {
    let kind: WorkoutActivityKind
    let start: Int
    let end: Int
    let created: Int

    /// The index of its route, if it has one.
    let route: Int?

    let provenance: Provenance

    /// The random source of everything else about it.
    let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.workout, index)
        route = context.amounts.route(ofWorkout: index)
        kind = chance.pick(
            from: route == nil ? WorkoutActivityKind.allCases : WorkoutActivityKind.outdoors)
        let slot = context.slot(index, of: context.amounts.workouts)
        let length = min(chance.pick(from: 720...5700), slot.count / 2)
        start = slot.lowerBound + chance.below(slot.count - length)
        end = start + length
        created = min(end + chance.below(30), context.span.upperBound)
        provenance = context.provenance(of: .watch, at: start, from: &chance)
        self.chance = SplitMix64(seed: chance.next())
    }

    var length: Int { end - start }

    /// Writes the attributes for where it comes from and when it was.
    func appendOrigin(to element: inout XMLStream) {
        provenance.append(to: &element.text)
        element.dates(created: created, start, end)
    }

    /// Converts seconds to minutes, with as many digits as Apple writes.
    static func minutes(_ seconds: Int) -> FixedPoint {
        FixedPoint(units: seconds * FixedPoint.powersOfTen[14] / 60, digits: 14)
    }

    /// The distance in kilometres, or in metres for swimming.
    var distance: FixedPoint {
        FixedPoint(units: length * kind.pace, digits: kind == .swimming ? 3 : 6)
    }

    /// The energy in kilocalories: about nine per minute.
    var energy: FixedPoint { FixedPoint(units: length * 152_397, digits: 6) }

    func part(_ index: Int, of count: Int) -> Range<Int> {
        start + length * index / count..<start + length * (index + 1) / count
    }
}

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
