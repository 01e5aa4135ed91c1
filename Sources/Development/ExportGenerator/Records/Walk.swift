/// A walk that the watch, the phone or both record.
///
/// The watch makes short records back to back, the phone one per leg. The pace is constant within a leg, so the
/// amount in part of a phone record is proportional to the time.
struct Walk {
    /// The origin, time and amount of one record.
    struct Recording {
        let origin: Origin
        let time: Range<Int>
        let amount: Int
    }

    private static let mostLegs = 4

    /// The maximum length of a walk in seconds.
    static let longest = 2 * mostLegs * WalkLeg.halfLength.upperBound

    /// The recordings of both devices, ordered by their ends, as devices save them.
    let recordings: [Recording]

    /// The amount with each second counted once: from the watch where it recorded, else from the phone.
    ///
    /// It is computed from rates, before any value is rounded.
    let trueAmount: Int

    let end: Int

    init(from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64) {
        var legs: [WalkLeg] = []
        for _ in 0..<chance.pick(from: 1...Self.mostLegs) {
            legs.append(WalkLeg(from: legs.last?.time.upperBound ?? start, measure, &chance))
        }
        end = legs[legs.count - 1].time.upperBound
        /// The true amount in part of the walk.
        func amount(in time: Range<Int>) -> Int {
            legs.reduce(0) { sum, leg in sum + leg.rate * leg.time.clamped(to: time).count }
        }
        let devices = chance.pick(from: WalkDevices.frequencies)
        let watchTime = devices.watchTime(in: start..<end, &chance)
        let watch = Self.divided(watchTime, &chance).map {
            Recording(origin: .watch, time: $0, amount: amount(in: $0))
        }
        let phoneLegs = legs[devices.phoneLegs(of: legs.count)]
        let phone = phoneLegs.map { leg in
            Recording(origin: .phone, time: leg.time, amount: leg.phoneRate * leg.time.count)
        }
        trueAmount = phoneLegs.reduce(amount(in: watchTime)) { sum, leg in
            sum + leg.phoneRate * (leg.time.count - leg.time.clamped(to: watchTime).count)
        }
        recordings = (watch + phone).sorted { $0.time.upperBound < $1.time.upperBound }
    }

    /// Divides a time into parts of one to ten minutes, each with an even number of seconds.
    private static func divided(_ time: Range<Int>, _ chance: inout SplitMix64) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = time.lowerBound
        while start < time.upperBound {
            var end = start + 2 * chance.pick(from: 30...270)
            // A remainder of less than a minute joins the last part.
            if end + 60 > time.upperBound { end = time.upperBound }
            parts.append(start..<end)
            start = end
        }
        return parts
    }
}

/// About ten minutes of a walk at a constant pace, which the phone saves as one record.
struct WalkLeg {
    /// Half the length in seconds; the length itself is even.
    static let halfLength = 270...330

    /// The share of the true amount that a phone measures, in thousandths.
    private static let phoneShare = 860...990

    let time: Range<Int>

    /// The true amount per second.
    let rate: Int

    /// The amount per second that the phone measures.
    let phoneRate: Int

    init(from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64) {
        time = start..<start + 2 * chance.pick(from: Self.halfLength)
        rate = chance.pick(from: measure.rate)
        phoneRate = rate * chance.pick(from: Self.phoneShare) / 1000
    }
}

/// Which devices record a walk.
enum WalkDevices {
    case both

    /// The watch is on its charger.
    case phoneAlone

    /// The phone lies on a table.
    case watchAlone

    /// The watch is put on during the walk.
    case watchPutOn

    /// The watch is taken off during the walk.
    case watchTakenOff

    /// The phone is fetched after the first leg, if there is more than one.
    case phoneFetched

    static let frequencies: [WalkDevices] = [
        .both, .both, .both, .phoneAlone, .watchAlone, .watchPutOn, .watchTakenOff, .phoneFetched,
    ]

    /// Returns the time during which the watch records: empty, or at least a minute.
    ///
    /// It begins and ends an odd number of seconds after the start of the walk, and legs an even number, so watch
    /// and phone records never share a boundary.
    func watchTime(in walk: Range<Int>, _ chance: inout SplitMix64) -> Range<Int> {
        let start = walk.lowerBound + 2 * chance.pick(from: 3...20) + 1
        let end = walk.upperBound - 2 * chance.pick(from: 3...20) - 1
        let middle = walk.lowerBound + 2 * chance.pick(from: 60...walk.count / 2 - 60) + 1
        return switch self {
        case .both, .watchAlone, .phoneFetched: start..<end
        case .phoneAlone: start..<start
        case .watchPutOn: middle..<end
        case .watchTakenOff: start..<middle
        }
    }

    /// Returns the indices of the legs that the phone records.
    func phoneLegs(of count: Int) -> Range<Int> {
        switch self {
        case .watchAlone: 0..<0
        case .phoneFetched: min(1, count - 1)..<count
        case .both, .phoneAlone, .watchPutOn, .watchTakenOff: 0..<count
        }
    }
}

/// How the steps, the distance or the energy of a walk are measured and recorded.
///
/// Amounts are integers, in a unit small enough for the amount in each second to be a whole number.
struct WalkMeasure {
    /// The possible amounts per second.
    let rate: ClosedRange<Int>

    /// The amount represented by one in the last digit of a record's value.
    let unit: Int

    /// The number of digits after the decimal point of a record's value.
    let digits: Int

    /// The measures, by the types of their records.
    static let byType: [String: WalkMeasure] = [
        // Thousandths of a step: 87 to 123 steps a minute, recorded as whole steps.
        "HKQuantityTypeIdentifierStepCount": WalkMeasure(rate: 1_450...2_050, unit: 1000, digits: 0),
        // Micrometres, recorded as kilometres.
        "HKQuantityTypeIdentifierDistanceWalkingRunning": WalkMeasure(
            rate: 1_000_000...1_600_000, unit: 1, digits: 9),
        // Calories, recorded as kilocalories.
        "HKQuantityTypeIdentifierActiveEnergyBurned": WalkMeasure(rate: 50...110, unit: 1, digits: 3),
    ]

    /// Converts a sum of recorded values, counted in their last digit, to the unit of the records.
    func total(recorded values: Int) -> Double { Double(values) / Double(FixedPoint.powersOfTen[digits]) }
}
