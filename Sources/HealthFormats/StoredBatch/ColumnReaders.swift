import ByteSpans
import HealthModel

/// A cursor for each column of a stored batch, all of which move on with the rows.
struct ColumnReaders: Sendable {
    private var cursors: [ColumnCursor] = []
    /// How the values of all contexts are read, one context behind the other.
    private var steps: [Step] = []
    /// For each context where its steps start, and behind the last one where they end.
    private var ends = [0]
    private var anchor = 0
    /// The packed values of the row that was read last; what follows them is room.
    private(set) var values = [UInt8](repeating: 0, count: 1 << 10)

    /// How a value is read.
    private struct Step {
        enum Kind {
            case time(offsetMinutes: Int, isStart: Bool)
            case text(isEnclosed: Bool, isDay: Bool)
        }

        /// The number of the column, -1 where there is none.
        let place: Int
        let kind: Kind
    }

    init(_ ranges: [ExactName: Range<Int>], _ contexts: [BatchContext]) {
        var numbers: [ExactName: Int] = [:]
        for (name, range) in ranges {
            numbers[name] = cursors.count
            cursors.append(ColumnCursor(range))
        }
        for context in contexts {
            for column in context.columns {
                let slot = context.slots[column.slot]
                let kind: Step.Kind
                switch slot {
                case .time(_, let offsetMinutes):
                    kind = .time(offsetMinutes: offsetMinutes, isStart: column.slot == context.startSlot)
                case .enclosed: kind = .text(isEnclosed: true, isDay: false)
                case .text, .constant:
                    kind = .text(
                        isEnclosed: false, isDay: context.startSlot == nil && column.slot == context.daySlot)
                }
                steps.append(Step(place: numbers[ExactName(slot.name)] ?? -1, kind: kind))
            }
            ends.append(steps.count)
        }
    }

    /// Reads the values of the next row.
    ///
    /// - Returns: Its start, and how many bytes its packed values have.
    @inline(__always)
    mutating func read(
        _ context: Int, _ text: Span<UInt8>, of json: [UInt8]
    ) throws -> (start: Timestamp?, length: Int) {
        var start: Timestamp?
        var previous: Int?
        var length = 0
        for number in ends[context]..<ends[context + 1] {
            let step = steps[number]
            guard step.place >= 0 else { throw FormatError(.inconsistent) }
            switch step.kind {
            case .time(let offsetMinutes, let isStart):
                let distance = try cursors[step.place].integer(text, of: json)
                let seconds = (previous ?? anchor) &+ distance
                guard Timestamp.isWritable(seconds: seconds, offsetMinutes: offsetMinutes) else {
                    throw FormatError(.inconsistent)
                }
                if previous == nil { anchor = seconds }
                makeRoom(length + Varint.longest)
                Self.put(instant: seconds - (previous ?? 0), into: &values, at: &length)
                previous = seconds
                if isStart { start = Timestamp(seconds: seconds, offsetMinutes: offsetMinutes) }
            case .text(let isEnclosed, let isDay):
                let token = try cursors[step.place].token(text, of: json)
                if isEnclosed, !token.isString { throw FormatError(.inconsistent) }
                let size = token.respelled?.count ?? token.range.count
                makeRoom(length + Varint.longest + size)
                if let respelled = token.respelled {
                    Self.put(respelled.span, into: &values, at: &length)
                } else {
                    Self.put(text.extracting(token.range), into: &values, at: &length)
                }
                if isDay, let date = Self.day(values.span, (length - size)..<length) {
                    start = Timestamp(seconds: date.daysSince1970 * 86400, offsetMinutes: 0)
                }
            }
        }
        return (start, length)
    }

    /// Nothing may be left over.
    func finish(_ json: [UInt8]) throws {
        for cursor in cursors { try cursor.finish(json) }
    }

    @inline(__always)
    private mutating func makeRoom(_ count: Int) {
        if values.count < count { values += [UInt8](repeating: 0, count: max(count, values.count)) }
    }

    @inline(__always)
    private static func put(instant distance: Int, into values: inout [UInt8], at length: inout Int) {
        var target = values.mutableSpan
        Varint.putSigned(distance, into: &target, at: &length)
    }

    @inline(__always)
    private static func put(_ token: Span<UInt8>, into values: inout [UInt8], at length: inout Int) {
        var target = values.mutableSpan
        Varint.put(token.count, into: &target, at: &length)
        target.copy(token, to: length)
        length += token.count
    }

    /// The day in a token.
    private static func day(_ values: Span<UInt8>, _ token: Range<Int>) -> CivilDate? {
        token.count > 2 ? CivilDate(values.extracting((token.lowerBound + 1)..<(token.upperBound - 1))) : nil
    }
}
