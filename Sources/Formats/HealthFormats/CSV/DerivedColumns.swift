import ByteText
package import HealthModel
import SampleBatches

/// What a table needs of the content of a row: columns at the end of a line, in addition to the content itself.
package enum DerivedColumns {
    /// A column, and its text for a sample; nil if it has none.
    typealias Column = (name: String, text: (AnySample) -> String?)

    /// Returns the columns of a type, which never depend on the samples.
    static func of(element: String, type: String) -> [Column] {
        let type = AnySampleType(AnySampleType.identifier(ofElement: element, type: type) ?? "")
        func both(
            _ name: String, _ quantity: @escaping (Workout) -> Quantity?
        ) -> [Column] {
            [
                (name, { quantity(Workout(row: $0.row)).map { number($0) } }),
                ("\(name)Unit", { quantity(Workout(row: $0.row))?.unit.description }),
            ]
        }
        func part(_ type: SampleType<QuantitySample>) -> (AnySample) -> Quantity? {
            { CorrelationSample(row: $0.row).quantity(of: type) }
        }
        switch type {
        case .workout: return both("distance", \.totalDistance) + both("energy", \.totalEnergyBurned)
        case .bloodPressure:
            let (systolic, own) = (part(.bloodPressureSystolic), part(.bloodPressureDiastolic))
            // Both are in one unit, whatever the source wrote.
            let diastolic = { (sample: AnySample) in
                own(sample).flatMap { $0.converted(to: systolic(sample)?.unit ?? $0.unit) }
            }
            return [
                ("systolic", { systolic($0).map { number($0) } }),
                ("diastolic", { diastolic($0).map { number($0) } }),
                ("unit", { (systolic($0) ?? diastolic($0))?.unit.description }),
            ]
        case .audiogram:
            return [
                ("points", { list(AudiogramSample(row: $0.row).sensitivityPoints.map { self.point($0) }) })
            ]
        case _ where element == "Correlation":
            return [
                (
                    "members",
                    { sample in
                        list(
                            CorrelationSample(row: sample.row).members.map {
                                member($0, $0.value, unit: $0.unit)
                            })
                    }
                )
            ]
        default: return []
        }
    }

    /// Returns a member of a correlation: `dietaryEnergyConsumed=250 kcal`.
    package static func member(_ sample: AnySample, _ value: String?, unit: String?) -> String {
        let words = [value, unit].compactMap(\.self).filter { !$0.isEmpty }
        return "\(sample.sampleType.shortName)=\(words.joined(separator: " "))"
    }

    /// Returns what was heard at a frequency: `500 Hz: left 10 dBHL, right 15 dBHL`.
    package static func point(_ point: AudiogramSample.SensitivityPoint) -> String {
        let ears = [("left", point.leftEar), ("right", point.rightEar)].compactMap { ear, quantity in
            quantity.map { "\(ear) \(text($0))" }
        }
        return "\(point.frequency.map { text($0) } ?? ""): \(ears.joined(separator: ", "))"
    }

    private static func text(_ quantity: Quantity) -> String { "\(number(quantity)) \(quantity.unit)" }

    private static func list(_ texts: [String]) -> String { texts.joined(separator: "; ") }

    /// Returns a number as written, or without the noise of a sum.
    private static func number(_ quantity: Quantity) -> String {
        quantity.text ?? RoundedNumber.text(quantity.value, digits: RoundedNumber.precise)
    }

    /// Returns the ends of the lines of a batch's rows by their positions, each with a comma before it.
    static func ends(of batch: SampleBatch, _ columns: [Column]) -> [Int: [UInt8]] {
        var ends: [Int: [UInt8]] = [:]
        guard !columns.isEmpty else { return ends }
        for sample in Samples(span: [batch]) {
            var end: [UInt8] = []
            for column in columns {
                end.append(UInt8(ascii: ","))
                let text = Array((column.text(sample) ?? "").utf8)
                if JSONNumber.matches(text.span) {
                    end += text
                } else {
                    CSVCell.append(text: text.span, to: &end)
                }
            }
            ends[sample.position] = end
        }
        return ends
    }
}
