/// A hearing test: a threshold for each ear at each of seven frequencies.
struct Audiogram: NumberedElement {
    private static let frequencies = [125, 250, 500, 1000, 2000, 4000, 8000]

    private let context: ExportContext
    private let instant: Int
    private let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
        var chance = context.chance(.audiogram, index)
        instant = context.instant(index, of: context.amounts.audiograms, from: &chance)
        self.chance = chance
    }

    func append(to stream: inout XMLStream) {
        var chance = chance
        stream.element("Audiogram") { audiogram in
            audiogram.attribute("type", "HKDataTypeIdentifierAudiogram")
            context.provenance(of: .health, at: instant, from: &chance).append(to: &audiogram.text)
            audiogram.dates(created: instant, instant, instant)
            audiogram.metadata("HKWasUserEntered", "1")
            for frequency in Self.frequencies { append(frequency, &chance, to: &audiogram) }
        }
    }

    private func append(_ frequency: Int, _ chance: inout SplitMix64, to audiogram: inout XMLStream) {
        audiogram.element("SensitivityPoint") { point in
            point.attribute("frequencyValue", frequency)
            point.attribute("frequencyUnit", "Hz")
            for ear in ["leftEar", "rightEar"] {
                point.attribute("\(ear)Value", FixedPoint(units: chance.pick(from: -20...90) * 5, digits: 1))
                point.attribute("\(ear)Unit", "dBHL")
                guard context.version >= .v14 else { continue }
                point.attribute("\(ear)Masked", chance.below(2))
                guard chance.oneIn(7) else { continue }
                point.attribute("\(ear)ClampingRangeLowerBound", -10)
                point.attribute("\(ear)ClampingRangeUpperBound", 85)
            }
        }
    }
}
