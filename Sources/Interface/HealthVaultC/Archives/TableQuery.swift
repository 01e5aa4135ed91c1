import ByteText
import HealthArchive
import HealthModel
import SystemIO
import Wording

/// What a caller asks for, with its names and times read.
struct TableQuery: Sendable {
    /// The types; nil for all.
    var types: [SampleTypeName]?
    /// The columns; nil for the usual ones.
    var columns: [String]?
    var range = QueryTimeRange.ever
    var unit = CalendarUnit.day
    /// The part to read, from 0, of this many.
    var slice = (number: 0, count: 1)
    var hasPlainTexts = false
    /// Threads that decode ahead; nil for as many as there are processors to spare.
    var threads: Int?

    /// Reads the bounds of the time.
    mutating func setRange(since: String?, until: String?) throws {
        func limit(_ text: String?, _ name: String) throws -> TimeLimit? {
            guard let text else { return nil }
            guard let limit = TimeLimit(parsing: text) else {
                throw CallerError(
                    "\(name) '\(text)' is no time",
                    hint:
                        "write a year, month, day or time such as 2023, 2023-05, 2023-05-31 or 2023-05-31T18:30"
                )
            }
            return limit
        }
        range = .limited(try limit(since, "since"), try limit(until, "until"))
    }

    /// Reads the names of types.
    mutating func setTypes(_ names: [String]) throws {
        types = try names.map { name in
            guard let type = SampleTypeName(parsing: name) else {
                throw UnknownName("type", name, among: SampleTypeName.suggestions)
            }
            return type
        }
    }

    /// Reads the length of intervals.
    mutating func setUnit(_ name: String) throws {
        guard let unit = CalendarUnit(rawValue: name) else {
            throw CallerError("'\(name)' is no interval", hint: "available: hour, day, week, month, year")
        }
        self.unit = unit
    }

    /// Returns the slice of some pieces of work, cut so that all slices have about the same size.
    ///
    /// - Parameter size: Returns the size of a piece.
    func slice<Piece>(of pieces: [Piece], by size: (Piece) -> Int) -> [Piece] {
        guard slice.count > 1 else { return pieces }
        let sizes = pieces.map { max(1, size($0)) }
        let total = sizes.total(\.self)
        var before = 0
        return zip(pieces, sizes).filter { _, size in
            defer { before += size }
            // The slice in which the middle of the piece lies.
            let middle = Double(before) + Double(size) / 2
            return min(slice.count - 1, Int(middle / Double(total) * Double(slice.count))) == slice.number
        }.map(\.0)
    }
}

/// A name of a type or column that does not exist.
struct UnknownName: WordedError {
    /// What is named: `type` or `column`.
    private let noun: TerminalText
    private let name: String
    /// The name that was probably meant.
    private let suggestion: String?

    init(_ noun: TerminalText, _ name: String, among names: [String]) {
        self.noun = noun
        self.name = name
        suggestion = closestSpelling(to: name, among: names)
    }

    var kind: ErrorKind { .usage }
    var words: TerminalText { "'\(name)' is not the name of a \(noun)" }
    var advice: TerminalText { suggestion.map { "did you mean '\($0)'?" } ?? "" }
}
