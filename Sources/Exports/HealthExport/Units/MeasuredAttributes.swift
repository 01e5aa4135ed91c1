import ByteSpans
import HealthTypes
import JSONText
import SampleBatches

/// Attributes of an element that are numbers, and the one that has their unit.
struct MeasuredAttributes {
    let values: [String]
    let unit: String
    /// The type whose unit they get; nil for the one that the element names.
    let type: AnySampleType?

    /// Returns the measured attributes of an element that has units.
    static func all(of element: String) -> [MeasuredAttributes] {
        switch element {
        case "Record": [MeasuredAttributes(values: ["value"], unit: "unit", type: nil)]
        case "WorkoutStatistics":
            [MeasuredAttributes(values: ["sum", "average", "minimum", "maximum"], unit: "unit", type: nil)]
        case "Workout":
            [
                MeasuredAttributes(
                    values: ["totalDistance"], unit: "totalDistanceUnit", type: .distanceWalkingRunning),
                MeasuredAttributes(
                    values: ["totalEnergyBurned"], unit: "totalEnergyBurnedUnit", type: .activeEnergyBurned),
            ]
        case "ActivitySummary":
            [
                MeasuredAttributes(
                    values: ["activeEnergyBurned", "activeEnergyBurnedGoal"], unit: "activeEnergyBurnedUnit",
                    type: .activeEnergyBurned)
            ]
        default: []
        }
    }
}

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

    /// Returns a number in the other unit, as precisely as the computation is; nil if the text is no number.
    func text(_ text: Span<UInt8>) -> [UInt8]? {
        guard JSONNumber.matches(text), let value = DecimalText.number(ofToken: text, text.indices) else {
            return nil
        }
        guard let conversion else { return text.array(text.indices) }
        let converted = conversion(value)
        guard converted.isFinite else { return nil }
        let digits = Array(RoundedNumber.text(converted, digits: RoundedNumber.precise).utf8)
        return JSONNumber.matches(digits.span) ? digits : nil
    }
}
