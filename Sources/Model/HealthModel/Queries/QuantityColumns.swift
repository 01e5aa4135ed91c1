import CivilTime
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
    /// The sources by name, each with the device of its first sample.
    public private(set) var sources: [(name: String, device: Device?)] = []
    /// The unit of the values; nil until there are any.
    public private(set) var unit: HealthUnit?
    /// The unit that the source uses for the last sample.
    public private(set) var sourceUnit: HealthUnit?
    /// Number of samples that were skipped because they have no value in the unit, or no start.
    public private(set) var skipped = 0
    private var numbers: [String: Int] = [:]

    /// Creates columns without samples.
    ///
    /// - Parameter unit: The unit of the values; if nil, that of the first sample.
    public init(unit: HealthUnit? = nil) { self.unit = unit }

    /// Number of samples.
    public var count: Int { starts.count }

    /// Appends samples, which must not start earlier than those already appended.
    public mutating func append(_ samples: Samples<QuantitySample>) {
        let storage = samples.storage
        let looks = storage.parts.map { part in
            part.contexts.map { context in look(context) }
        }
        starts.reserveCapacity(count + samples.count)
        ends.reserveCapacity(count + samples.count)
        values.reserveCapacity(count + samples.count)
        sourceNumbers.reserveCapacity(count + samples.count)
        for index in samples.indices {
            let place = storage.places[index]
            let number = storage.parts[place.part].batch.context(at: place.cell)
            let sample = samples[index]
            guard place.start != .min, let look = looks[place.part][number], let value = sample.value else {
                skipped += 1
                continue
            }
            starts.append(place.start)
            ends.append(max(place.start, sample.endDate?.seconds ?? place.start))
            values.append(look.conversion(value))
            sourceNumbers.append(look.source)
        }
        sourceUnit = samples.last?.unit ?? sourceUnit
    }

    /// Finds the source and the conversion of a context; nil if its unit measures something else.
    private mutating func look(_ context: SampleContext) -> (source: Int, conversion: UnitConversion)? {
        guard let own = context.unit else { return nil }
        if unit == nil { unit = own }
        guard let unit, let conversion = own.conversion(to: unit) else { return nil }
        let name = context.source?.name ?? ""
        if let number = numbers[name] { return (number, conversion) }
        numbers[name] = sources.count
        sources.append((name, context.device))
        return (sources.count - 1, conversion)
    }
}
