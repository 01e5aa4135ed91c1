import ByteSpans
import CivilTime
import JSONText
package import SampleBatches

/// Some columns of a stored batch, read without assembling its rows.
///
/// What rows have in common is in their contexts. Batches in which every row stores the same values in the same columns can be
/// read in this way; that is almost all of them.
package struct StoredColumns: Sendable {
    /// The columns that a reader needs.
    package struct Wanted: Sendable {
        /// The attributes with times.
        package var times: Set<String>
        /// Whether the attribute `value` is needed.
        package var values: Bool
        /// Whether the positions in the source are needed.
        package var positions: Bool
        /// The attributes that must be the same in all rows of a context.
        package var shared: Set<String>

        package init(times: Set<String>, values: Bool, positions: Bool, shared: Set<String>) {
            self.times = times
            self.values = values
            self.positions = positions
            self.shared = shared
        }
    }

    /// What the batch contains.
    package let key: SampleBatch.Key
    /// Whether its samples were in an earlier export but are not in the newest.
    package let isGone: Bool
    /// Number of rows.
    package let count: Int
    /// What many rows have in common.
    package let contexts: [BatchContext]
    /// The number of each row's context.
    package let contextNumbers: [Int]
    /// The instants of an attribute in each row, in seconds since 1970; no entry for an attribute that no row has.
    package private(set) var times: [String: [Int]] = [:]
    /// The values of the attribute `value`; nil if no row has it.
    package private(set) var values: StoredValues?
    /// The position of each row in the source.
    package private(set) var positions: [Int] = []

    /// Reads the columns; nil if rows differ in where they store them.
    init?(_ wanted: Wanted, _ parts: StoredBatchParts, _ json: [UInt8]) throws {
        guard let count = parts.count, count >= 0, let position = parts.position, let context = parts.context,
            MarkupName.isReadable(parts.key.element)
        else { throw FormatError(.inconsistent) }
        guard let first = parts.contexts.first, let chain = Self.commonTimes(parts.contexts, wanted) else {
            return nil
        }
        self.count = count
        (key, isGone, contexts) = (parts.key, parts.isGone, parts.contexts)
        contextNumbers = try Self.integers(count, context, json)
        guard contextNumbers.allSatisfy({ contexts.indices.contains($0) }) else {
            throw FormatError(.inconsistent)
        }
        func column(_ name: String) throws -> Range<Int> {
            guard let array = parts.columns[ExactName(name)] else { throw FormatError(.inconsistent) }
            return array
        }
        // Times are stored as distances from those before them in the row.
        let needed = chain.lastIndex { wanted.times.contains($0) }.map { chain[...$0] } ?? []
        var previous: [Int]?
        for name in needed {
            let steps = try Self.integers(count, try column(name), json)
            let instants = try previous.map { try Self.sums($0, steps) } ?? Self.runningSums(steps)
            if wanted.times.contains(name) { times[name] = instants }
            previous = instants
        }
        if wanted.values, Self.hasValues(first) {
            values = try StoredValues(count, try column("value"), json)
        }
        if wanted.positions { positions = try Self.runningSums(try Self.integers(count, position, json)) }
    }

    /// Returns the attributes with times, if they are the same in all contexts, which also agree on all else that is wanted;
    /// nil if they do not.
    private static func commonTimes(_ contexts: [BatchContext], _ wanted: Wanted) -> [String]? {
        var common: [String]?
        for context in contexts {
            guard context.startTextSlot == nil, hasValues(context) == hasValues(contexts[0]) else {
                return nil
            }
            var times: [String] = []
            var names: Set<ExactName> = []
            for slot in context.slots {
                // The first of two attributes with the same name counts.
                guard names.insert(ExactName(slot.name)).inserted else { return nil }
                switch slot {
                case .time(let name, _): times.append(name)
                case .text(let name):
                    guard !wanted.shared.contains(name), !wanted.times.contains(name) else { return nil }
                case .constant(let name, _), .enclosed(let name, _, _):
                    guard name != "value", !wanted.times.contains(name) else { return nil }
                }
            }
            guard common == nil || common == times else { return nil }
            common = times
        }
        return common
    }

    private static func hasValues(_ context: BatchContext) -> Bool {
        context.slots.contains { slot in if case .text("value") = slot { true } else { false } }
    }

    private static func integers(_ count: Int, _ array: Range<Int>, _ json: [UInt8]) throws -> [Int] {
        guard count <= array.count / 2 else { throw FormatError(.inconsistent) }
        var values = try ColumnValues(json)
        values.reserve(count)
        try values.readIntegers(count, array)
        return values.numbers
    }

    /// The instants of the years 1 to 9999, in seconds, and the positions in a source: sums outside are wrong.
    private static let possible = Timestamp.writable(offsetMinutes: 0)

    /// Returns the sum of the numbers up to each one.
    private static func runningSums(_ steps: [Int]) throws -> [Int] {
        var sum = 0
        return try steps.map { step in
            sum &+= step
            guard possible.contains(sum) else { throw FormatError(.inconsistent) }
            return sum
        }
    }

    private static func sums(_ starts: [Int], _ steps: [Int]) throws -> [Int] {
        var isPossible = true
        let sums = zip(starts, steps).map { start, step in
            let sum = start &+ step
            isPossible = isPossible && possible.contains(sum)
            return sum
        }
        guard isPossible else { throw FormatError(.inconsistent) }
        return sums
    }
}
