/// A value with its unit.
public struct Quantity: Sendable {
    /// The value in ``unit``.
    public let value: Double
    /// The unit.
    public let unit: HealthUnit
    /// The number as it was written: `61.50`; nil for one that was computed.
    public let text: String?

    /// Creates a quantity of a number.
    public init(_ value: Double, _ unit: HealthUnit) {
        self.value = value
        self.unit = unit
        text = nil
    }

    /// Reads a number as it is written in an export.
    ///
    /// - Returns: nil if the text is not a finite decimal number.
    public init?(_ text: String, _ unit: HealthUnit) {
        guard let value = Double(text), value.isFinite else { return nil }
        self.value = value
        self.unit = unit
        self.text = text
    }

    /// Reads a number and a unit separated by a space, as metadata has them: `418 cm`.
    ///
    /// - Returns: nil if the text is something else.
    public init?(parsing text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = try? HealthUnit(String(parts[1])) else { return nil }
        self.init(String(parts[0]), unit)
    }

    /// The value in another unit; nil for one that measures something else.
    public func value(in other: HealthUnit) -> Double? { unit.conversion(to: other).map { $0(value) } }

    /// The same quantity in another unit; nil for one that measures something else.
    ///
    /// In its own unit it keeps the text that it was written with.
    public func converted(to other: HealthUnit) -> Quantity? {
        other == unit ? self : value(in: other).map { Quantity($0, other) }
    }
}

extension Quantity: Equatable {
    /// Whether both are the same number of the same unit, however the number was written.
    public static func == (left: Quantity, right: Quantity) -> Bool {
        left.value == right.value && left.unit == right.unit
    }
}

extension Quantity: CustomStringConvertible {
    /// The number as it was written, and the unit: `61.50 count/min`.
    public var description: String { "\(text ?? "\(value)") \(unit)" }
}
