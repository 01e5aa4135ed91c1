/// A hearing test: a threshold for each ear at each of seven frequencies.
struct Audiogram {
    private static let frequencies = [125, 250, 500, 1000, 2000, 4000, 8000]

    private let context: ExportContext
    private let instant: Int
    private let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
        var chance = context.chance(.audiogram, index)
        let slot = context.slot(index, of: context.amounts.audiograms)
        instant = slot.lowerBound + chance.below(slot.count)
        self.chance = chance
    }

    func append(to stream: inout XMLStream) {
        var chance = chance
        stream.element("Audiogram") { audiogram in
            audiogram.attribute("type", "HKDataTypeIdentifierAudiogram")
            let edition = context.origins.edition(of: .health, at: instant)
            edition.append(address: DeviceAddress(from: &chance), to: &audiogram.text)
            audiogram.attribute("creationDate", instant, context.clock)
            audiogram.attribute("startDate", instant, context.clock)
            audiogram.attribute("endDate", instant, context.clock)
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
