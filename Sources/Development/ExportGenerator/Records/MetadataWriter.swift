/// Writes the metadata entries of one key.
struct MetadataWriter {
    private let head: [UInt8]
    private let tail: [UInt8]
    private let value: ValueWriter
    private let oneIn: Int
    private let times: Int

    init(_ template: MetadataTemplate) {
        value = ValueWriter(template.value)
        oneIn = template.oneIn
        times = template.times
        var head = ByteText()
        head.append("  <MetadataEntry key=\"")
        head.append(escaped: template.key)
        head.append("\" value=\"")
        self.head = head.bytes
        var tail = ByteText()
        tail.append(escaped: template.unit.isEmpty ? "" : " \(template.unit)")
        tail.append("\"/>\n")
        self.tail = tail.bytes
    }

    func occurs(_ chance: inout SplitMix64) -> Bool {
        oneIn == 1 || chance.oneIn(oneIn)
    }

    func append(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        for _ in 0..<times {
            stream.text.append(head)
            value.append(&chance, to: &stream.text)
            stream.text.append(tail)
        }
        stream.records.metadataEntries += times
    }
}
