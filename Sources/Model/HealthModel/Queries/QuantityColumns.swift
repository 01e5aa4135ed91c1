import ByteText
import SampleBatches

/// Quantity samples as columns, for computing statistics without creating each sample.
public struct QuantityColumns: Sendable {
    /// The starts of the samples, in seconds since 1970.
    public private(set) var starts: [Int] = []
    /// The ends of the samples; for samples without an end, their starts.
    public private(set) var ends: [Int] = []
    /// The values of the samples.
    public private(set) var values: [Double] = []
    /// The indices of the samples' sources in ``sources``.
    public private(set) var sourceNumbers: [Int] = []
    /// The sources by name, each with the device of its earliest sample.
    public private(set) var sources: [(name: String, device: Device?)] = []
    /// The unit of the values; nil until there are any.
    public private(set) var unit: HealthUnit?
    /// The unit that the source uses for the last sample.
    public private(set) var sourceUnit: HealthUnit?
    /// Number of samples that were skipped because they have no value in the unit, no start, or no end within
    /// ``longestSample``.
    public private(set) var skipped = 0
    /// How many of the skipped samples have no start.
    public private(set) var undated = 0
    /// How many of the skipped samples last too long.
    public private(set) var overlong = 0
    /// The longest that a sample may last, in seconds: a year.
    ///
    /// One that lasts longer, such as one whose end was never set, says nothing about any of its days.
    public static let longestSample = 366 * 86400
    private var numbers: [ExactName: Int] = [:]
    /// The earliest starts of the sources' samples.
    private var firstStarts: [Int] = []

    /// Returns the earliest start of a source's samples.
    package func firstStart(ofSource number: Int) -> Int { firstStarts[number] }

    /// Creates columns without samples.
    ///
    /// - Parameter unit: The unit of the values; if nil, that of the first sample.
    public init(unit: HealthUnit? = nil) { self.unit = unit }

    /// Number of samples.
    public var count: Int { starts.count }

    /// Appends samples.
    public mutating func append(_ samples: Samples<QuantitySample>) {
        let storage = samples.storage
        guard var part = storage.parts.first else { return }
        // Each once it is needed: a part may have contexts, and so sources, of none of these samples.
        var looks = storage.parts.map { [Look??](repeating: nil, count: $0.contexts.count) }
        // Most rows have the part and the context of the row before.
        var (partNumber, contextNumber) = (0, -1)
        var current: Look?
        reserve(samples.count)
        for index in samples.indices {
            let place = storage.places[index]
            if place.part != partNumber {
                part = storage.parts[place.part]
                (partNumber, contextNumber) = (place.part, -1)
            }
            let number = part.batch.context(at: place.cell)
            if number != contextNumber {
                contextNumber = number
                if let known = looks[partNumber][number] {
                    current = known
                } else {
                    current = look(part.contexts[number])
                    looks[partNumber][number] = .some(current)
                }
            }
            guard place.start != .min, let look = current, let value = look.value(part, at: place.cell) else {
                skipped += 1
                if place.start == .min { undated += 1 }
                continue
            }
            let end = max(place.start, look.end(part, at: place.cell) ?? place.start)
            guard end - place.start <= Self.longestSample else {
                skipped += 1
                overlong += 1
                continue
            }
            starts.append(place.start)
            ends.append(end)
            values.append(look.conversion(value))
            sourceNumbers.append(look.source)
            if place.start <= firstStarts[look.source] {
                let device = look.context.device
                // Of two at the same instant, the first by text, in whatever order the file has them.
                let isOther = place.start == firstStarts[look.source] && device != sources[look.source].device
                if place.start < firstStarts[look.source]
                    || isOther && device?.text ?? "" < sources[look.source].device?.text ?? ""
                {
                    sources[look.source].device = device
                }
                firstStarts[look.source] = place.start
            }
        }
        sourceUnit = samples.last?.unit ?? sourceUnit
    }

    /// Makes room for more samples, at least doubling it: hundreds of spans must not be copied for each of them.
    private mutating func reserve(_ more: Int) {
        guard starts.capacity < count + more else { return }
        let capacity = max(count + more, 2 * count)
        starts.reserveCapacity(capacity)
        ends.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
        sourceNumbers.reserveCapacity(capacity)
    }

    /// What the rows of a context have in common; a class, so that it is not copied for each row.
    private final class Look: Sendable {
        let source: Int
        let conversion: UnitConversion
        let context: SampleContext
        /// The cell with the value; nil if it is somewhere else.
        private let valueCell: Int?
        /// The number of instants up to the end; nil if the end is something else.
        private let endCount: Int?

        init(_ source: Int, _ conversion: UnitConversion, _ context: SampleContext) {
            self.source = source
            self.conversion = conversion
            self.context = context
            valueCell = if case .text(let cell)? = context.value { cell } else { nil }
            endCount = if case .time(let count, _)? = context.end { count } else { nil }
        }

        @inline(__always)
        func value(_ part: SampleStorage.Part, at cell: Int) -> Double? {
            if let valueCell { return part.batch.number(at: cell, valueCell) }
            return part.number(context.value, at: cell)
        }

        @inline(__always)
        func end(_ part: SampleStorage.Part, at cell: Int) -> Int? {
            if let endCount { return part.batch.seconds(at: cell, context.fields, count: endCount) }
            return part.time(context.end, context, at: cell)?.seconds
        }
    }

    /// Removes all samples, but keeps their sources and the room for as many.
    package mutating func removeSamples() {
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        sourceNumbers.removeAll(keepingCapacity: true)
    }

    /// Finds the source and the conversion of a context; nil if its unit measures something else.
    private mutating func look(_ context: SampleContext) -> Look? {
        guard let own = context.unit else { return nil }
        if unit == nil { unit = own }
        guard let unit, let conversion = own.conversion(to: unit) else { return nil }
        let name = context.source?.name ?? ""
        if let number = numbers[ExactName(name)] { return Look(number, conversion, context) }
        numbers[ExactName(name)] = sources.count
        sources.append((name, context.device))
        firstStarts.append(.max)
        return Look(sources.count - 1, conversion, context)
    }
}
