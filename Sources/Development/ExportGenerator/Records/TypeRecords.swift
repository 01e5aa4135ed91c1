/// The records of one type, written until the document has reached a given length.
struct TypeRecords: Section {
    /// One in this many records is duplicated: true duplicates are rare in real exports, but they exist.
    private static let recordsPerDuplicate = 4096

    private let line: RecordLine
    private let room: Range<Int>
    private var rhythm: RecordRhythm
    private var written = 0
    private var chance: SplitMix64

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - profile: The type.
    ///   - room: The positions in the document that the records should fill.
    ///   - context: The export.
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

    private let room: Range<Int>
    private let typeCount: Int
    private let context: ExportContext
    private var nextType = 0
    private var current: TypeRecords

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - room: The positions in the document that the records should fill.
    ///   - context: The export.
    init(in room: Range<Int>, _ context: ExportContext) {
        self.room = room
        self.context = context
        typeCount = min(Self.mostTypes, max(room.count / Self.roomForOne, 1))
        current = TypeRecords(Self.profile(0), in: room.lowerBound..<room.lowerBound, context)
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        while !current.appendNext(to: &stream) {
            guard nextType < typeCount else { return false }
            let start = stream.position
            let share = max(room.upperBound - start, 0) / (typeCount - nextType)
            nextType += 1
            current = TypeRecords(Self.profile(nextType), in: start..<start + share, context)
        }
        return true
    }

    private static func profile(_ number: Int) -> RecordProfile {
        let digits = String(number)
        let padding = String(repeating: "0", count: 6 - digits.count)
        return RecordProfile(row: "Synthetic\(padding)\(digits) count 0...999 1 2014 watch,phone 3600 0...60")
    }
}
