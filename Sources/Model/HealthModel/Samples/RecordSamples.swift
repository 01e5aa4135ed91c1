public import ByteText
import SampleBatches

/// A number with a unit: a heart rate, steps, a weight.
public struct QuantitySample: HealthSample {
    /// Quantities.
    public static var kind: AnySampleType.Kind? { .quantity }
    /// The row.
    public let row: SampleRow
    /// Creates a sample from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The value in ``unit``; nil if it is not a finite number.
    @inlinable public var value: Double? { row.value }

    /// The unit that the source uses; nil if it is not in HealthKit's notation.
    public var unit: HealthUnit? { row.context.unit }

    /// The value with its unit and original text; nil if either cannot be read.
    public var quantity: Quantity? {
        guard let unit, let text = row["value"] else { return nil }
        return Quantity(text, unit)
    }

    /// Returns the value in a unit; nil if the unit measures something else.
    ///
    /// ``Samples/values(in:)`` looks up the conversion once for many samples.
    public func value(in unit: HealthUnit) -> Double? {
        guard let value, let conversion = self.unit?.conversion(to: unit) else { return nil }
        return conversion(value)
    }

    /// The beats behind a heart rate variability; empty for other types.
    public var heartbeats: [Heartbeat] { Heartbeat.list(row) }

    /// Creates a sample.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - quantity: The value.
    ///   - start: When it starts.
    ///   - end: When it ends; if nil, when it starts.
    ///   - source: The app or device that recorded it.
    ///   - device: The device that measured it.
    ///   - creationDate: When it was recorded.
    ///   - metadata: Its metadata.
    public init(
        _ type: SampleType<QuantitySample>, _ quantity: Quantity, start: Timestamp, end: Timestamp? = nil,
        source: Source = Source(name: ""), device: Device? = nil, creationDate: Timestamp? = nil,
        metadata: Metadata = Metadata([])
    ) {
        let origin = SampleOrigin(
            start: start, end: end, source: source, device: device, creationDate: creationDate)
        row = SampleRow(
            origin.element(
                "Record", type: type.identifier, unit: quantity.unit.description,
                value: quantity.numberText, children: metadata.children))
    }
}

extension SampleType: QuantityTypeNames where Sample == QuantitySample {}

extension Samples where Sample == QuantitySample {
    /// Returns the values in a unit, in the order of the samples; nil for samples that have no value in it.
    public func values(in unit: HealthUnit) -> [Double?] {
        let conversions = storage.parts.map { part in
            part.contexts.map { $0.unit?.conversion(to: unit) }
        }
        return indices.map { index in
            let place = storage.places[index]
            let context = storage.parts[place.part].batch.context(at: place.cell)
            guard let conversion = conversions[place.part][context], let value = self[index].value else {
                return nil
            }
            return conversion(value)
        }
    }
}

/// One of a few values: a stage of sleep, the severity of a symptom, an event.
public struct CategorySample: HealthSample {
    /// Categories.
    public static var kind: AnySampleType.Kind? { .category }
    /// The row.
    public let row: SampleRow
    /// Creates a sample from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The name of the value as written: `HKCategoryValueSleepAnalysisAsleepDeep`; nil if it has none.
    public var valueName: String? { row["value"] }

    /// HealthKit's number for the value; nil if the name is unknown for the type.
    public var rawValue: Int? {
        valueName.flatMap { sampleType.categoryValues?.rawValue(named: $0) ?? Int($0) }
    }

    /// Returns the value as a case of an enumeration: `sample.value(as: SleepAnalysisValue.self)`.
    ///
    /// - Returns: nil if the enumeration does not have it.
    public func value<Value: CategoryValue>(as type: Value.Type = Value.self) -> Value? {
        valueName.flatMap { name in Value(named: name) ?? Int(name).flatMap { Value(rawValue: $0) } }
    }

    /// Creates a sample.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - value: The value.
    ///   - start: When it starts.
    ///   - end: When it ends; if nil, when it starts.
    ///   - source: The app or device that recorded it.
    ///   - device: The device that measured it.
    ///   - creationDate: When it was recorded.
    ///   - metadata: Its metadata.
    public init(
        _ type: SampleType<CategorySample>, _ value: some CategoryValue, start: Timestamp,
        end: Timestamp? = nil, source: Source = Source(name: ""), device: Device? = nil,
        creationDate: Timestamp? = nil, metadata: Metadata = Metadata([])
    ) {
        let origin = SampleOrigin(
            start: start, end: end, source: source, device: device, creationDate: creationDate)
        row = SampleRow(
            origin.element(
                "Record", type: type.identifier, value: value.name, children: metadata.children))
    }
}

extension SampleType: CategoryTypeNames where Sample == CategorySample {}

/// Several samples that belong together: the two values of a blood pressure, the nutrients of a food.
public struct CorrelationSample: HealthSample {
    /// Correlations.
    public static var kind: AnySampleType.Kind? { .correlation }
    /// The row.
    public let row: SampleRow
    /// Creates a sample from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The samples that it consists of.
    ///
    /// Apple's exports contain each of them again as a separate sample. If a store has none of their type, queries for it
    /// return the members.
    public var members: [AnySample] {
        row.elements("Record").map { AnySample(row: SampleRow($0)) }
    }

    /// The members that are quantities.
    public var quantities: [QuantitySample] {
        members.filter { $0.sampleType.kind == .quantity }.map { QuantitySample(row: $0.row) }
    }

    /// Returns the quantity of a member: `sample.quantity(of: .bloodPressureSystolic)`; nil if there is no such member.
    public func quantity(of type: SampleType<QuantitySample>) -> Quantity? {
        quantities.first { $0.sampleType == type.erased }?.quantity
    }

    /// Creates a correlation.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - members: The samples that it consists of.
    ///   - start: When it starts.
    ///   - end: When it ends; if nil, when it starts.
    ///   - source: The app or device that recorded it.
    ///   - device: The device that measured it.
    ///   - creationDate: When it was recorded.
    ///   - metadata: Its metadata.
    public init(
        _ type: SampleType<CorrelationSample>, _ members: [QuantitySample], start: Timestamp,
        end: Timestamp? = nil, source: Source = Source(name: ""), device: Device? = nil,
        creationDate: Timestamp? = nil, metadata: Metadata = Metadata([])
    ) {
        let origin = SampleOrigin(
            start: start, end: end, source: source, device: device, creationDate: creationDate)
        let children = members.map { ElementNode.Child.element($0.row.node) }
        row = SampleRow(
            origin.element(
                "Correlation", type: type.identifier, children: metadata.children + children))
    }
}

extension SampleType: CorrelationTypeNames where Sample == CorrelationSample {}
