public import CivilTime
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
