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
        let legs = Self.legs(from: start, measure, &chance)
        let end = legs[legs.count - 1].time.upperBound
        let devices = WalkDevices(from: &chance)
        let watchTime = devices.watchTime(in: start..<end, &chance)
        let watch = Self.divided(watchTime, &chance).map { time in
            Recording(origin: .watch, time: time, amount: Self.amount(of: legs, in: time))
        }
        let phoneLegs = legs[devices.phoneLegs(of: legs.count)]
        let phone = phoneLegs.map { leg in
            Recording(origin: .phone, time: leg.time, amount: leg.phoneRate * leg.time.count)
        }
        var amount = Self.amount(of: legs, in: watchTime)
        for leg in phoneLegs {
            amount += leg.phoneRate * (leg.time.count - leg.time.clamped(to: watchTime).count)
        }
        self.end = end
        trueAmount = amount
        recordings = (watch + phone).sorted { $0.time.upperBound < $1.time.upperBound }
    }

    /// Draws consecutive legs.
    private static func legs(
        from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64
    ) -> [WalkLeg] {
        var legs: [WalkLeg] = []
        var end = start
        for _ in 0..<chance.pick(from: 1...mostLegs) {
            let leg = WalkLeg(from: end, measure, &chance)
            legs.append(leg)
            end = leg.time.upperBound
        }
        return legs
    }

    /// Returns the true amount in part of the walk.
    private static func amount(of legs: [WalkLeg], in time: Range<Int>) -> Int {
        legs.reduce(0) { sum, leg in sum + leg.rate * leg.time.clamped(to: time).count }
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

    private static let frequencies: [WalkDevices] = [
        .both, .both, .both, .phoneAlone, .watchAlone, .watchPutOn, .watchTakenOff, .phoneFetched,
    ]

    init(from chance: inout SplitMix64) {
        self = chance.pick(from: Self.frequencies)
    }

    /// Returns the time during which the watch records: empty, or at least a minute.
    ///
    /// It begins and ends an odd number of seconds after the start of the walk, and legs an even number, so watch
    /// and phone records never share a boundary.
    func watchTime(in walk: Range<Int>, _ chance: inout SplitMix64) -> Range<Int> {
        let start = walk.lowerBound + Self.oddSeconds(from: &chance)
        let end = walk.upperBound - Self.oddSeconds(from: &chance)
        let middle = walk.lowerBound + 2 * chance.pick(from: 60...walk.count / 2 - 60) + 1
        switch self {
        case .both, .watchAlone, .phoneFetched: return start..<end
        case .phoneAlone: return start..<start
        case .watchPutOn: return middle..<end
        case .watchTakenOff: return start..<middle
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

    /// Draws the number of seconds by which the watch begins late or ends early.
    private static func oddSeconds(from chance: inout SplitMix64) -> Int {
        2 * chance.pick(from: 3...20) + 1
    }
}
