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
