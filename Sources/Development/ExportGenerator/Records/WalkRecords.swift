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
        let wall = context.home.wallTime(at: start)
        guard wall.hour < 7 else { return start }
        return start - wall.secondOfDay + 7 * 3600 + chance.below(3 * 3600)
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
                edition: context.origins.edition(of: recording.origin, at: start),
                address: isOfWatch ? watchAddress : phoneAddress, chance: SplitMix64(seed: chance.next()),
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
