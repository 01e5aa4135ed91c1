/// A value with its unit.
public struct Quantity: Sendable {
    /// The value in ``unit``.
    public let value: Double
    /// The unit.
    public let unit: HealthUnit
    /// The number as it was written: `61.50`; nil if it was computed.
    public let text: String?

    /// Creates a quantity from a number.
    public init(_ value: Double, _ unit: HealthUnit) {
        self.value = value
        self.unit = unit
        text = nil
    }

    /// Reads a number as written in an export.
    ///
    /// - Returns: nil if the text is not a finite decimal number.
    public init?(_ text: String, _ unit: HealthUnit) {
        guard let value = Double(text), value.isFinite else { return nil }
        self.value = value
        self.unit = unit
        self.text = text
    }

    /// Reads a number and a unit separated by a space, as in metadata: `418 cm`.
    ///
    /// - Returns: nil if the text has another form.
    public init?(parsing text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = try? HealthUnit(String(parts[1])) else { return nil }
        self.init(String(parts[0]), unit)
    }

    /// Returns the value in another unit; nil if that unit measures something else.
    public func value(in other: HealthUnit) -> Double? { unit.conversion(to: other).map { $0(value) } }

    /// Returns the same quantity in another unit; nil if that unit measures something else.
    ///
    /// In its own unit it keeps its original text.
    public func converted(to other: HealthUnit) -> Quantity? {
        other == unit ? self : value(in: other).map { Quantity($0, other) }
    }
}

extension Quantity: Equatable {
    /// Whether both have the same number and unit, however the number was written.
    public static func == (left: Quantity, right: Quantity) -> Bool {
        left.value == right.value && left.unit == right.unit
    }
}

extension Quantity: CustomStringConvertible {
    /// The number as it was written, and the unit: `61.50 count/min`.
    public var description: String { "\(text ?? "\(value)") \(unit)" }
}
