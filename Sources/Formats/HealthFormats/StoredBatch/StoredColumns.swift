import ByteText
package import SampleBatches

/// Some columns of a stored batch, read without assembling its rows.
///
/// What rows have in common is in their contexts. Batches in which every row stores the same values in the same columns can be
/// read in this way; that is almost all of them. The columns of the next batch go into the memory of those of the last one.
package struct StoredColumns: Sendable {
    /// The columns that a reader needs.
    package struct Wanted: Sendable {
        /// The attributes with times.
        package var times: [String]
        /// Whether the attribute `value` is needed.
        package var values: Bool
        /// Whether the positions in the source are needed.
        package var positions: Bool
        /// Whether it is needed which context each row has.
        package var contexts: Bool
        /// The attributes that must be the same in all rows of a context.
        package var shared: Set<String>

        package init(
            times: [String], values: Bool, positions: Bool, contexts: Bool, shared: Set<String>
        ) {
            self.times = times
            self.values = values
            self.positions = positions
            self.contexts = contexts
            self.shared = shared
        }
    }

    /// What the batch contains.
    package private(set) var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
    /// Whether its samples were in an earlier export but are not in the newest.
    package private(set) var isGone = false
    /// Number of rows.
    package private(set) var count = 0
    /// What many rows have in common.
    package private(set) var contexts: [BatchContext] = []
    /// The number of each row's context, if that is wanted.
    package private(set) var contextNumbers: [Int] = []
    /// The position of each row in the source, if that is wanted.
    package private(set) var positions: [Int] = []
    /// The attributes with times, as far as they were read.
    private var timeNames: ArraySlice<String> = []
    private var times: [[Int]] = []
    private var readValues = StoredValues()
    private var hasReadValues = false

    /// The most rows whose memory is kept for the next batch.
    private static let mostKept = 1 << 16

    /// Makes an instance that has read nothing.
    package init() {}

    /// The values of the attribute `value`; nil if it is not wanted, or no row has it.
    package var values: StoredValues? { hasReadValues ? readValues : nil }

    /// Returns the instants of a wanted attribute in each row, in seconds since 1970; nil if no row has it.
    package func instants(of name: String) -> [Int]? {
        timeNames.firstIndex(of: name).map { times[$0] }
    }

    /// Gives back the memory of a large batch.
    package mutating func shrink() { if count > Self.mostKept { self = StoredColumns() } }

    /// Reads the columns of a batch in place of those that were read before.
    ///
    /// - Returns: false if rows differ in where they store them.
    mutating func read(_ wanted: Wanted, _ parts: StoredBatchParts, _ json: [UInt8]) throws -> Bool {
        guard let count = parts.count, count >= 0, let context = parts.context,
            count <= context.count / 2, MarkupName.isReadable(parts.key.element)
        else { throw FormatError(.inconsistent) }
        guard let first = parts.contexts.first, Self.haveCommonColumns(parts.contexts, wanted) else {
            return false
        }
        // What the rows have at least, as lines.
        let shortest = parts.contexts.reduce(Int.max) { min($0, $1.lineSize) }
        guard count <= parts.lines / shortest else { throw FormatError(.tooLarge) }
        self.count = count
        (key, isGone, contexts) = (parts.key, parts.isGone, parts.contexts)
        func column(_ name: String) throws -> Range<Int> {
            guard let array = parts.columns[ExactName(name)] else { throw FormatError(.inconsistent) }
            return array
        }
        if wanted.contexts { try contextNumbers.read(count, context, json, in: contexts.indices) }
        // Times are stored as distances from those before them in the row.
        let chain = first.timeNames
        timeNames = chain[..<(chain.lastIndex { wanted.times.contains($0) }.map { $0 + 1 } ?? 0)]
        for (number, name) in timeNames.enumerated() {
            if times.count == number { times.append([]) }
            if number == 0 {
                try times[0].read(sumsOf: count, try column(name), json, in: [Int].instants)
            } else {
                let previous = times[number - 1]
                try times[number].read(count, after: previous, try column(name), json)
            }
        }
        hasReadValues = wanted.values && first.hasValues
        if hasReadValues {
            try readValues.read(count, try column("value"), json)
            guard readValues.repeatedBytes.value <= parts.lines else { throw FormatError(.tooLarge) }
        }
        if wanted.positions {
            guard let position = parts.position else { throw FormatError(.inconsistent) }
            try positions.read(sumsOf: count, position, json, in: 0..<SampleBatch.positionLimit)
        }
        return true
    }

    /// Returns whether contexts have the same attributes with times, and agree on all else that is wanted.
    private static func haveCommonColumns(_ contexts: [BatchContext], _ wanted: Wanted) -> Bool {
        let first = contexts[0]
        var last: BatchContext?
        return contexts.allSatisfy { context in
            // What is asked here follows from the form.
            if let last, context.hasForm(of: last) { return true }
            last = context
            guard context.startTextSlot == nil, context.hasValues == first.hasValues,
                context.timeNames == first.timeNames
            else { return false }
            // The first of two attributes with the same name counts.
            if context.mayBeOdd, Set(context.slots.map { ExactName($0.name) }).count < context.slots.count {
                return false
            }
            return context.slots.allSatisfy { slot in
                switch slot {
                case .time: true
                case .text(let name): !wanted.shared.contains(name) && !wanted.times.contains(name)
                case .constant(let name, _), .enclosed(let name, _, _):
                    name != "value" && !wanted.times.contains(name)
                }
            }
        }
    }
}

extension BatchContext {
    fileprivate var hasValues: Bool {
        slots.contains { slot in if case .text("value") = slot { true } else { false } }
    }
}

extension [Int] {
    /// The instants of the years 1 to 9999 at any offset, in seconds: sums outside are wrong.
    fileprivate static let instants =
        Timestamp.writable(
            offsetMinutes: 1439
        ).lowerBound..<Timestamp.writable(offsetMinutes: -1439).upperBound

    /// Reads a column of exactly `count` integers within a range, none of which is repeated, in place of the elements.
    fileprivate mutating func read(
        _ count: Int, _ array: Range<Int>, _ json: [UInt8], in range: Range<Int>
    ) throws {
        try read(count, array, json, in: range, mayRepeat: false) { value, _ in value }
    }

    /// Reads a column of exactly `count` distances in place of the elements, each added to the sum of those before it, which must
    /// be within a range.
    fileprivate mutating func read(
        sumsOf count: Int, _ array: Range<Int>, _ json: [UInt8], in range: Range<Int>
    ) throws {
        var sum = 0
        try read(count, array, json, in: range) { distance, _ in
            sum &+= distance
            return sum
        }
    }

    /// Reads a column of exactly `count` distances in place of the elements, each added to the number in the same row of another
    /// column, which has as many.
    fileprivate mutating func read(
        _ count: Int, after other: [Int], _ array: Range<Int>, _ json: [UInt8]
    ) throws {
        let before = other.span
        try read(count, array, json, in: Self.instants) { distance, row in before[row] &+ distance }
    }

    /// Reads a column of exactly `count` integers in place of the elements.
    ///
    /// - Parameters:
    ///   - range: What all elements must be in.
    ///   - element: Returns the element for the integer in a row.
    @inline(__always)
    private mutating func read(
        _ count: Int, _ array: Range<Int>, _ json: [UInt8], in range: Range<Int>, mayRepeat: Bool = true,
        _ element: (_ value: Int, _ row: Int) -> Int
    ) throws {
        removeAll(keepingCapacity: true)
        var cursor = ColumnCursor(array)
        // Negative as soon as an element is outside the range, even if a difference overflows.
        var outside = 0
        let (lowest, highest) = (range.lowerBound, range.upperBound - 1)
        // Appending nothing would write to the memory that all empty arrays share.
        if count > 0 {
            let text = json.span
            try append(addingCapacity: count) { (output: inout OutputSpan<Int>) in
                try cursor.integers(count, text, json, mayRepeat: mayRepeat) { value in
                    let number = element(value, output.count)
                    outside |= (number &- lowest) | (highest &- number)
                    output.append(number)
                }
            }
        }
        try cursor.finish(json)
        guard outside >= 0 else { throw FormatError(.inconsistent) }
    }
}
