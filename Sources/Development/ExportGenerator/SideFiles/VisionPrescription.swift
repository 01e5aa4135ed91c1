/// A prescription for glasses or contact lenses, with a scan of the paper from version 13 on.
struct VisionPrescription: NumberedElement {
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
        issued = context.instant(index, of: context.amounts.visionPrescriptions, from: &chance)
        isForContacts = index % 2 == 1
        self.chance = chance
    }

    /// The file's name relative to the export.
    var fileName: String { "attachments/\(attachment.text).pdf" }

    func append(to stream: inout XMLStream) {
        var chance = chance
        stream.element("VisionPrescription") { prescription in
            prescription.attribute("type", "HKVisionPrescriptionTypeIdentifier")
            prescription.attribute("dateIssued", at: issued)
            prescription.attribute("expirationDate", at: issued + 730 * secondsPerDay)
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
        let measures: [(name: String, thousandths: ClosedRange<Int>, unit: String)] =
            [("sphere", -6_000...2_000, "D"), ("cylinder", -2_000...0, "D"), ("axis", 0...180_000, "deg")]
            + (isForContacts
                ? [("baseCurve", 8_300...9_000, "mm"), ("diameter", 13_800...14_500, "mm")]
                : [
                    ("add", 0...2_500, "D"), ("vertex", 12_000...14_000, "mm"),
                    ("farPD", 29_000...34_000, "mm"),
                ])
        for (name, thousandths, unit) in measures {
            eye.attribute(name, FixedPoint(thousandths: thousandths, digits: 1, from: &chance))
            eye.attribute("\(name)Unit", unit)
        }
    }
}

/// The scan of a prescription: a small PDF document that contains noise, and so is as hard to compress as a photograph.
struct AttachmentFile: SideFileContent {
    private static let noiseBytes = 8192

    let name: String
    private var chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        name = VisionPrescription(index, context).fileName
        chance = context.chance(.attachment, index)
    }

    mutating func appendHead(to text: inout ByteText) {
        let start = text.count
        text.append("%PDF-1.4\n")
        var offsets: [Int] = []
        func object(_ content: String) -> String { "\(offsets.count) 0 obj\n\(content)\n" }
        for content in ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"] {
            offsets.append(text.count - start)
            text.append(object(content) + "endobj\n")
        }
        offsets.append(text.count - start)
        text.append(object("<</Length \(Self.noiseBytes)>>") + "stream\n")
        for _ in 0..<Self.noiseBytes { text.append(UInt8(truncatingIfNeeded: chance.next())) }
        text.append("\nendstream\nendobj\n")
        appendTable(offsets, at: text.count - start, to: &text)
    }

    /// Appends the cross-reference table, in lines of exactly 20 bytes, and its position.
    private func appendTable(_ offsets: [Int], at position: Int, to text: inout ByteText) {
        text.append("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
        for offset in offsets {
            text.append(offset, width: 10)
            text.append(" 00000 n \n")
        }
        text.append("trailer\n<</Size \(offsets.count + 1)/Root 1 0 R>>\n")
        text.append("startxref\n\(position)\n%%EOF\n")
    }
}
