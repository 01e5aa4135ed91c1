import ByteText
import HealthModel
import SampleBatches

/// A conversion of numbers in texts from the unit of a source to another one.
struct TextConversion {
    /// The unit that they get, in HealthKit's notation.
    let unit: [UInt8]
    /// nil if both units are equally large, such as `kcal` and `Cal`.
    private let conversion: UnitConversion?

    /// Looks up the conversion to the unit that people with a measurement system use for a type.
    ///
    /// - Returns: nil if the numbers have that unit, or one of another kind.
    init?(from unit: [UInt8], of type: AnySampleType, in system: MeasurementSystem) {
        let text = String(decoding: unit, as: UTF8.self)
        guard let wanted = type.preferredUnit(in: system), let own = try? HealthUnit(text),
            own != wanted, let conversion = own.conversion(to: wanted)
        else { return nil }
        self.unit = Array(wanted.description.utf8)
        self.conversion = conversion(1) == 1 && conversion(0) == 0 ? nil : conversion
    }

    /// Returns whether a text is a number that has a value in the other unit.
    func takes(_ text: Span<UInt8>) -> Bool { value(text) != nil }

    /// Returns a number in the other unit, as precisely as the computation is; nil if the text has no value in it.
    func text(_ text: Span<UInt8>) -> [UInt8]? {
        guard let value = value(text) else { return nil }
        guard conversion != nil else { return text.array(text.indices) }
        return Array(RoundedNumber.text(value, digits: RoundedNumber.precise).utf8)
    }

    private func value(_ text: Span<UInt8>) -> Double? {
        guard JSONNumber.matches(text), let number = DecimalText.number(ofToken: text, text.indices) else {
            return nil
        }
        let value = conversion?(number) ?? number
        return value.isFinite ? value : nil
    }
}
