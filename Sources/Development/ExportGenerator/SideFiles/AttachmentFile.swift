/// The scan of a prescription: a small PDF document that contains noise, and so is as hard to compress as a photograph.
struct AttachmentFile: SideFileGenerator {
    private static let noiseBytes = 8192

    private var chance: SplitMix64
    private var isWritten = false

    init(_ index: Int, _ context: ExportContext) {
        chance = context.chance(.attachment, index)
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard !isWritten else { return false }
        isWritten = true
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
        return true
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
