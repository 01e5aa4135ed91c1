import ByteText

/// A walk that the watch, the phone or both record.
///
/// The watch makes short records back to back, the phone one per leg. The pace is constant within a leg, so the
/// amount in part of a phone record is proportional to the time.
private struct Walk {
    /// About ten minutes at a constant pace, with the true amount per second and the one that the phone measures.
    private typealias Leg = (time: Range<Int>, rate: Int, phoneRate: Int)
    typealias Recording = (origin: Origin, time: Range<Int>, amount: Int)

    /// The maximum length of a walk in seconds: four legs.
    static let longest = 4 * 660

    /// The recordings of both devices, ordered by their ends, as devices save them.
    let recordings: [Recording]

    /// The amount with each second counted once: from the watch where it recorded, else from the phone.
    ///
    /// It is computed from rates, before any value is rounded.
    let trueAmount: Int

    let end: Int

    init(from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64) {
        var legs: [Leg] = []
        var end = start
        for _ in 0..<chance.pick(from: 1...4) {
            let time = end..<end + 2 * chance.pick(from: 270...330)
            let rate = chance.pick(from: measure.rate)
            legs.append((time, rate, rate * chance.pick(from: 860...990) / 1000))
            end = time.upperBound
        }
        self.end = end
        let (watchTime, phoneLegs) = Self.devices(in: start..<end, legs.count, &chance)
        /// The true amount in part of the walk.
        func amount(in time: Range<Int>) -> Int {
            legs.reduce(0) { sum, leg in sum + leg.rate * leg.time.clamped(to: time).count }
        }
        let watch = Self.divided(watchTime, &chance).map { (Origin.watch, $0, amount(in: $0)) }
        let phone = legs[phoneLegs].map { leg in (Origin.phone, leg.time, leg.phoneRate * leg.time.count) }
        trueAmount = legs[phoneLegs].reduce(amount(in: watchTime)) { sum, leg in
            sum + leg.phoneRate * (leg.time.count - leg.time.clamped(to: watchTime).count)
        }
        recordings = (watch + phone).sorted { $0.1.upperBound < $1.1.upperBound }
    }

    /// Draws when the watch records, which is never or at least a minute, and which legs the phone records.
    ///
    /// The watch begins and ends an odd number of seconds after the start of the walk, and legs an even number, so
    /// watch and phone records never share a boundary.
    private static func devices(
        in walk: Range<Int>, _ legs: Int, _ chance: inout SplitMix64
    ) -> (watch: Range<Int>, phone: Range<Int>) {
        let form = chance.below(8)
        let start = walk.lowerBound + 2 * chance.pick(from: 3...20) + 1
        let end = walk.upperBound - 2 * chance.pick(from: 3...20) - 1
        let middle = walk.lowerBound + 2 * chance.pick(from: 60...walk.count / 2 - 60) + 1
        return switch form {
        // The watch is on its charger.
        case 3: (start..<start, 0..<legs)
        // The phone lies on a table.
        case 4: (start..<end, 0..<0)
        // The watch is put on during the walk.
        case 5: (middle..<end, 0..<legs)
        // The watch is taken off during the walk.
        case 6: (start..<middle, 0..<legs)
        // The phone is fetched after the first leg, if there is more than one.
        case 7: (start..<end, min(1, legs - 1)..<legs)
        default: (start..<end, 0..<legs)
        }
    }

    /// Divides a time into parts of one to ten minutes, each with an even number of seconds.
    private static func divided(_ time: Range<Int>, _ chance: inout SplitMix64) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = time.lowerBound
        while start < time.upperBound {
            let end = start + 2 * chance.pick(from: 30...270)
            // A remainder of less than a minute joins the last part.
            parts.append(start..<(end + 60 > time.upperBound ? time.upperBound : end))
            start = parts[parts.count - 1].upperBound
        }
        return parts
    }
}

/// How the steps, the distance or the energy of a walk are measured and recorded.
///
/// Amounts are integers, in a unit small enough for the amount in each second to be a whole number.
struct WalkMeasure {
    /// The possible amounts per second.
    let rate: ClosedRange<Int>

    /// The amount represented by one in the last digit of a record's value.
    var unit = 1

    /// The number of digits after the decimal point of a record's value.
    let digits: Int

    /// The measures, by the types of their records.
    static let byType: [String: WalkMeasure] = [
        // Thousandths of a step: 87 to 123 steps a minute, recorded as whole steps.
        "HKQuantityTypeIdentifierStepCount": WalkMeasure(rate: 1_450...2_050, unit: 1000, digits: 0),
        // Micrometres, recorded as kilometres.
        "HKQuantityTypeIdentifierDistanceWalkingRunning": WalkMeasure(rate: 1_000_000...1_600_000, digits: 9),
        // Calories, recorded as kilocalories.
        "HKQuantityTypeIdentifierActiveEnergyBurned": WalkMeasure(rate: 50...110, digits: 3),
    ]

    /// Converts a sum of recorded values, counted in their last digit, to the unit of the records.
    func total(_ values: Int) -> Double { Double(values) / Double(FixedPoint.powersOfTen[digits]) }
}

extension ExportContext {
    /// Returns the records that a watch and a phone make of the same walks, up to the end of a range of the document.
    ///
    /// Walks do not overlap, so their true amounts add up to the true total. The records end early if there is no
    /// room or no time for another walk; the next type makes up for it. The records of a walk have one memory address
    /// per device. What rounding leaves of an amount is carried to the next of its device: sums are off by half a unit
    /// at most.
    func walkRecords(_ profile: RecordProfile, _ measure: WalkMeasure, in room: Range<Int>) -> Section {
        let usualBytes = profile.usualBytes(self)
        let span = span(since: profile.since)
        var chance = self.chance(.records, room.lowerBound)
        // What no value has yet, plus half a unit, and the earliest start of the next walk.
        var (rests, earliest) = ([measure.unit / 2, measure.unit / 2], span.lowerBound)
        var (written, trueAmount, recordedSum) = (0, 0, 0)
        func nextWalk(at position: Int) -> Walk? {
            guard !room.isEmpty, position < room.upperBound else { return nil }
            // Walks are spread over the years in step with the progress, one after another, and not at night.
            let progress = Double(position - room.lowerBound) / Double(room.count)
            let share = min(1, Double(6 * usualBytes) / Double(room.count))
            let place = min(1, max(progress, 0) + share * Double(chance.below(1024)) / 2048)
            let length = span.upperBound - span.lowerBound - Walk.longest
            var start = max(span.lowerBound + Int(Double(length) * place), earliest)
            let time = home.time(at: start)
            if time.hour < 7 { start += 7 * 3600 + chance.below(3 * 3600) - time.secondOfDay }
            let walk = Walk(from: start, measure, &chance)
            let end = position + walk.recordings.count * usualBytes
            guard walk.end <= span.upperBound, end <= room.upperBound + usualBytes / 2 else { return nil }
            earliest = walk.end + chance.pick(from: 60...600)
            return walk
        }
        return { [self] stream in
            guard let walk = nextWalk(at: stream.position) else {
                guard written > 0 else { return false }
                stream.count(written, recordsOfType: profile.type)
                let total = measure.total((trueAmount + measure.unit / 2) / measure.unit)
                stream.add(trueTotal: total, naiveTotal: measure.total(recordedSum), ofType: profile.type)
                return false
            }
            let addresses = [chance.address(), chance.address()]
            for recording in walk.recordings {
                let (device, time) = (recording.origin.rawValue, recording.time)
                let value = (rests[device] + recording.amount) / measure.unit
                rests[device] += recording.amount - value * measure.unit
                let draw = RecordDraw(
                    start: time.lowerBound, end: time.upperBound,
                    created: capped(time.upperBound + chance.below(150)),
                    provenance: Provenance(
                        edition: origins.edition(of: recording.origin, at: time.lowerBound),
                        address: addresses[device]),
                    chance: SplitMix64(seed: chance.next()),
                    value: FixedPoint(units: value, digits: measure.digits))
                profile.append(draw, to: &stream)
                recordedSum += value
            }
            written += walk.recordings.count
            trueAmount += walk.trueAmount
            return true
        }
    }
}
