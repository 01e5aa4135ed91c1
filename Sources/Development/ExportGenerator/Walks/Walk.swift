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
