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

    /// The amounts of the watch and the phone that no value has yet, plus half a unit.
    private var rests: [Int]

    /// The earliest start of the next walk.
    private var earliest: Int

    private var written = 0
    private var trueAmount = 0
    private var recordedSum = 0

    /// Creates a section that fills these positions in the document.
    init(_ profile: RecordProfile, _ measure: WalkMeasure, in room: Range<Int>, _ context: ExportContext) {
        self.measure = measure
        self.room = room
        self.context = context
        line = RecordLine(profile, context)
        span = context.span(since: profile.since)
        chance = context.chance(.records, room.lowerBound)
        rests = [measure.unit / 2, measure.unit / 2]
        earliest = span.lowerBound
    }

    /// Writes all records of the next walk.
    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        if let walk = nextWalk(at: stream.position) {
            append(walk, to: &stream)
            return true
        }
        if written > 0 {
            stream.count(written, recordsOfType: line.type)
            stream.add(
                trueTotal: measure.total(recorded: (trueAmount + measure.unit / 2) / measure.unit),
                naiveTotal: measure.total(recorded: recordedSum), ofType: line.type)
            written = 0
        }
        return false
    }

    /// Returns the next walk, or nil if there is no more time or no room for it.
    private mutating func nextWalk(at position: Int) -> Walk? {
        guard !room.isEmpty, position < room.upperBound else { return nil }
        let walk = Walk(from: nextStart(at: position), measure, &chance)
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
    ///
    /// What rounding leaves of an amount is carried to the next of its device: sums are off by half a unit at most.
    private mutating func append(_ walk: Walk, to stream: inout XMLStream) {
        let addresses = [chance.address(), chance.address()]
        for recording in walk.recordings {
            let device = recording.origin.rawValue
            let value = (rests[device] + recording.amount) / measure.unit
            rests[device] += recording.amount - value * measure.unit
            let (start, end) = (recording.time.lowerBound, recording.time.upperBound)
            let draw = RecordDraw(
                start: start, end: end, created: context.capped(end + chance.below(150)),
                provenance: Provenance(
                    edition: context.origins.edition(of: recording.origin, at: start),
                    address: addresses[device]),
                chance: SplitMix64(seed: chance.next()),
                value: FixedPoint(units: value, digits: measure.digits))
            line.append(draw, to: &stream)
            recordedSum += value
        }
        written += walk.recordings.count
        trueAmount += walk.trueAmount
    }
}
