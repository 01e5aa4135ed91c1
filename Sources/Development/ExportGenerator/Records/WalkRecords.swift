import CivilTime

/// The records of one type that a watch and a phone make of the same walks, up to a given length of the document.
///
/// Walks do not overlap, so their true amounts add up to the true total. The section ends early if there is no
/// room or no time for another walk; the next section makes up for it.
struct WalkRecords: Section {
    /// The usual number of records per walk.
    private static let recordsPerWalk = 6

    private let line: RecordLine
    private let measure: WalkMeasure
    private let room: Range<Int>
    private let span: ClosedRange<Int>
    private let context: ExportContext
    private var chance: SplitMix64
    private var watch: WholeCounter
    private var phone: WholeCounter

    /// The earliest start of the next walk.
    private var earliest: Int

    private var written = 0
    private var trueAmount = 0
    private var recordedSum = 0

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - profile: The type.
    ///   - measure: How its amounts are measured and recorded.
    ///   - room: The positions in the document that the records should fill.
    ///   - context: The export.
    init(_ profile: RecordProfile, _ measure: WalkMeasure, in room: Range<Int>, _ context: ExportContext) {
        self.measure = measure
        self.room = room
        self.context = context
        line = RecordLine(profile, context)
        span = context.span(since: profile.since)
        chance = context.chance(.records, room.lowerBound)
        watch = WholeCounter(unit: measure.unit)
        phone = WholeCounter(unit: measure.unit)
        earliest = span.lowerBound
    }

    /// Writes all records of the next walk.
    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard let walk = nextWalk(at: stream.position) else {
            reportTotals(to: &stream)
            return false
        }
        append(walk, to: &stream)
        return true
    }

    /// Returns the next walk, or nil if there is no more time or no room for it.
    private mutating func nextWalk(at position: Int) -> Walk? {
        guard !room.isEmpty, position < room.upperBound else { return nil }
        let start = nextStart(at: position)
        let walk = Walk(from: start, measure, &chance)
        let end = position + walk.recordings.count * line.usualBytes
        guard walk.end <= span.upperBound, end <= room.upperBound + line.usualBytes / 2 else { return nil }
        earliest = walk.end + chance.pick(from: 60...600)
        return walk
    }

    /// Returns the start of the next walk.
    ///
    /// Walks are spread over the years in step with the progress, one after another, and not at night.
    private mutating func nextStart(at position: Int) -> Int {
        let progress = Double(position - room.lowerBound) / Double(room.count)
        let share = min(1, Double(Self.recordsPerWalk * line.usualBytes) / Double(room.count))
        let delay = share * Double(chance.below(1024)) / 2048
        let place = min(1, max(progress, 0) + delay)
        let length = span.upperBound - span.lowerBound - Walk.longest
        let start = max(span.lowerBound + Int(Double(length) * place), earliest)
        let time = context.home.time(at: start)
        guard time.hour < 7 else { return start }
        return start - time.secondOfDay + 7 * 3600 + chance.below(3 * 3600)
    }

    /// Appends the records of a walk, with one memory address per device.
    private mutating func append(_ walk: Walk, to stream: inout XMLStream) {
        let watchAddress = DeviceAddress(from: &chance)
        let phoneAddress = DeviceAddress(from: &chance)
        for recording in walk.recordings {
            let isOfWatch = recording.origin == .watch
            let value = isOfWatch ? watch.count(recording.amount) : phone.count(recording.amount)
            let (start, end) = (recording.time.lowerBound, recording.time.upperBound)
            let draw = RecordDraw(
                start: start, end: end, created: min(end + chance.below(150), span.upperBound),
                provenance: Provenance(
                    edition: context.origins.edition(of: recording.origin, at: start),
                    address: isOfWatch ? watchAddress : phoneAddress),
                chance: SplitMix64(seed: chance.next()),
                value: FixedPoint(units: value, digits: measure.digits))
            line.append(draw, to: &stream)
            recordedSum += value
        }
        written += walk.recordings.count
        trueAmount += walk.trueAmount
    }

    /// Adds what was written to the census; does nothing when called again.
    private mutating func reportTotals(to stream: inout XMLStream) {
        guard written > 0 else { return }
        stream.count(written, recordsOfType: line.type)
        stream.add(
            trueTotal: measure.total(trueAmount), naiveTotal: measure.total(recorded: recordedSum),
            ofType: line.type)
        written = 0
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

    /// Converts an amount to the unit of the records, rounded to their number of digits.
    func total(_ amount: Int) -> Double {
        total(recorded: (amount + unit / 2) / unit)
    }

    /// Converts a sum of recorded values, counted in their last digit, to the unit of the records.
    func total(recorded values: Int) -> Double {
        Double(values) / Double(FixedPoint.powersOfTen[digits])
    }
}

/// Rounds amounts to whole units, and carries the remainder of each to the next.
///
/// The sum of the counts differs from the sum of the amounts by half a unit at most.
struct WholeCounter {
    private let unit: Int

    /// The amount not counted yet, plus half a unit.
    private var rest: Int

    init(unit: Int) {
        self.unit = unit
        rest = unit / 2
    }

    /// Returns the number of whole units in an amount plus the previous remainder.
    mutating func count(_ amount: Int) -> Int {
        rest += amount
        let whole = rest / unit
        rest %= unit
        return whole
    }
}
