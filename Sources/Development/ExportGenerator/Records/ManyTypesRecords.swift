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
        return .quantity(
            "Synthetic\(padding)\(digits)", "count", .integer(0...999), weight: 1, from: [.watch, .phone],
            every: 3600, lasting: 0...60)
    }
}
