/// The records of one type, written until the document has reached a given length.
struct TypeRecords: Section {
    /// One in this many records is duplicated: true duplicates are rare in real exports, but they exist.
    private static let recordsPerDuplicate = 4096

    private let line: RecordLine
    private let room: Range<Int>
    private var rhythm: RecordRhythm
    private var written = 0
    private var chance: SplitMix64

    /// Creates a section that fills these positions in the document.
    init(_ profile: RecordProfile, in room: Range<Int>, _ context: ExportContext) {
        self.room = room
        line = RecordLine(profile, context)
        chance = context.chance(.records, room.lowerBound)
        rhythm = RecordRhythm(
            profile, context, expecting: max(room.count / line.usualBytes, 1), seed: chance.next())
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        let position = stream.position
        guard position + line.usualBytes / 2 < room.upperBound else {
            stream.count(written, recordsOfType: line.type)
            written = 0
            return false
        }
        let progress = Double(position - room.lowerBound) / Double(room.count)
        let draw = rhythm.next(progress: min(max(progress, 0), 1))
        let count = chance.oneIn(Self.recordsPerDuplicate) ? 2 : 1
        for _ in 0..<count { line.append(draw, to: &stream) }
        written += count
        return true
    }
}

/// Records of up to 100,000 invented types, grouped by type.
struct ManyTypesRecords: Section {
    private static let mostTypes = 100_000

    /// The bytes per type that suffice for one record, wherever the previous one ended.
    private static let roomForOne = 480

    private let end: Int
    private let typeCount: Int
    private let context: ExportContext
    private var nextType = 0
    private var current: TypeRecords

    /// Creates a section that fills these positions in the document.
    init(in room: Range<Int>, _ context: ExportContext) {
        end = room.upperBound
        self.context = context
        typeCount = min(Self.mostTypes, max(room.count / Self.roomForOne, 1))
        current = TypeRecords(Self.profile(0), in: room.lowerBound..<room.lowerBound, context)
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        while !current.appendNext(to: &stream) {
            guard nextType < typeCount else { return false }
            let start = stream.position
            let share = max(end - start, 0) / (typeCount - nextType)
            nextType += 1
            current = TypeRecords(Self.profile(nextType), in: start..<start + share, context)
        }
        return true
    }

    private static func profile(_ number: Int) -> RecordProfile {
        let digits = String(String(1_000_000 + number).dropFirst())
        return RecordProfile(row: "Synthetic\(digits) count 0...999 1 2014 watch,phone 3600 0...60")
    }
}

/// Records, each with a random type, date, origin and device address.
struct ShuffledRecords: Section {
    private let profiles: [RecordProfile]
    private let lines: [RecordLine]
    /// The sums of the weights up to each type.
    private let weights: [Int]
    private let end: Int
    private let context: ExportContext
    private var written: [Int]
    private var chance: SplitMix64

    init(_ profiles: [RecordProfile], until end: Int, _ context: ExportContext) {
        self.profiles = profiles
        self.end = end
        self.context = context
        lines = profiles.map { RecordLine($0, context) }
        var sum = 0
        weights = zip(profiles, lines).map { profile, line in
            // The weights are shares of bytes, so long records must occur less often.
            sum += profile.weight * 4200 / line.usualBytes
            return sum
        }
        written = Array(repeating: 0, count: profiles.count)
        chance = context.chance(.records)
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard stream.position + lines[0].usualBytes / 2 < end else {
            for (line, count) in zip(lines, written) { stream.count(count, recordsOfType: line.type) }
            written = written.map { _ in 0 }
            return false
        }
        let target = chance.below(weights[weights.count - 1])
        let index = weights.firstIndex { $0 > target } ?? weights.count - 1
        let profile = profiles[index]
        let start = chance.pick(from: context.span(since: profile.since))
        let end = context.capped(start + chance.pick(from: profile.duration))
        let draw = RecordDraw(
            start: start, end: end, created: context.capped(end + chance.below(900)),
            provenance: context.provenance(
                of: chance.pick(from: profile.origins), at: start, from: &chance),
            chance: SplitMix64(seed: chance.next()))
        lines[index].append(draw, to: &stream)
        written[index] += 1
        return true
    }
}
