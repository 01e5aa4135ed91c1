public import CivilTime

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
