/// A record whose meaning is not documented: a state of mind, an assessment, a future type.
///
/// No version of Apple's DTD specifies how an export writes these; value, unit and metadata are as written.
public struct UntypedRecord: HealthSample {
    /// Any kind.
    public static var kind: AnySampleType.Kind? { nil }
    /// The row.
    public let row: SampleRow
    /// Creates a record from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The value as written.
    public var valueText: String? { row["value"] }
    /// The value; nil if it is not a finite number.
    public var value: Double? { row.number("value") }
    /// The unit as written.
    public var unitText: String? { row["unit"] }
}

extension SampleType where Sample == UntypedRecord {
    /// States of mind.
    public static var stateOfMind: Self { Self(unchecked: .stateOfMind) }
    /// GAD-7, the questionnaire about anxiety.
    public static var gad7: Self { Self(unchecked: .gad7) }
    /// PHQ-9, the questionnaire about depression.
    public static var phq9: Self { Self(unchecked: .phq9) }
}
