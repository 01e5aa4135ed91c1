/// The facts about a workout from which its element and its route file are written.
struct Workout {
    let kind: WorkoutActivityKind
    let start: Int
    let end: Int
    let created: Int

    /// The index of its route, if it has one.
    let route: Int?

    let edition: OriginEdition
    let address: DeviceAddress

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
        edition = context.origins.edition(of: .watch, at: start)
        address = DeviceAddress(from: &chance)
        self.chance = SplitMix64(seed: chance.next())
    }

    var length: Int { end - start }

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
