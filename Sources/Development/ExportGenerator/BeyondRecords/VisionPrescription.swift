/// A prescription for glasses or contact lenses, with a scan of the paper from version 13 on.
struct VisionPrescription {
    /// The identifier of the scan, in the document and in the folder of attachments.
    let attachment: Identifier

    private let context: ExportContext
    private let issued: Int
    private let isForContacts: Bool
    private let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
        var chance = context.chance(.visionPrescription, index)
        attachment = Identifier(from: &chance)
        let slot = context.slot(index, of: context.amounts.visionPrescriptions)
        issued = slot.lowerBound + chance.below(slot.count)
        isForContacts = index % 2 == 1
        self.chance = chance
    }

    /// The file's name relative to the export.
    var fileName: String { "attachments/\(attachment.text).pdf" }

    func append(to stream: inout XMLStream) {
        var chance = chance
        stream.element("VisionPrescription") { prescription in
            prescription.attribute("type", "HKVisionPrescriptionTypeIdentifier")
            prescription.attribute("dateIssued", issued, context.clock)
            prescription.attribute("expirationDate", issued + 730 * secondsPerDay, context.clock)
            if isForContacts { prescription.attribute("brand", "Example & Daughters") }
            for eye in ["RightEye", "LeftEye"] {
                prescription.element(eye) { append(&chance, to: &$0) }
            }
            if context.version >= .v13 {
                prescription.element("Attachment") { $0.attribute("identifier", attachment.text) }
            }
            prescription.metadata("HKGlassesPrescriptionDescription", "Synthetic <reading> glasses")
        }
    }

    private func append(_ chance: inout SplitMix64, to eye: inout XMLStream) {
        append("sphere", -6_000...2_000, "D", &chance, to: &eye)
        append("cylinder", -2_000...0, "D", &chance, to: &eye)
        append("axis", 0...180_000, "deg", &chance, to: &eye)
        if isForContacts {
            append("baseCurve", 8_300...9_000, "mm", &chance, to: &eye)
            append("diameter", 13_800...14_500, "mm", &chance, to: &eye)
        } else {
            append("add", 0...2_500, "D", &chance, to: &eye)
            append("vertex", 12_000...14_000, "mm", &chance, to: &eye)
            append("farPD", 29_000...34_000, "mm", &chance, to: &eye)
        }
    }

    private func append(
        _ measure: String, _ thousandths: ClosedRange<Int>, _ unit: String, _ chance: inout SplitMix64,
        to eye: inout XMLStream
    ) {
        eye.attribute(measure, FixedPoint(thousandths: thousandths, digits: 1, from: &chance))
        eye.attribute("\(measure)Unit", unit)
    }
}
