import SampleBatches
import Testing

@Suite("Identities of single rows")
struct RowIdentitiesTests {
    @Test("add up to the identity of their batch")
    func sum() throws {
        var builder = SampleBatchBuilder(
            key: SampleBatch.Key(element: "Record", type: "T", span: "all", part: 1))
        for position in 1...200 {
            var reader = AttributeReader(element: "Record")
            reader.add(name: "type", text: Array("T".utf8))
            reader.add(name: "sourceName", text: Array("S\(position % 3)".utf8))
            if position % 5 == 0 {
                reader.add(name: "device", text: Array("<<HKDevice: 0x\(position)>, name:x>".utf8))
            }
            if position % 7 != 0 {
                reader.add(name: "creationDate", text: Array("2024-06-01 02:00:00 +0200".utf8))
                reader.add(name: "startDate", text: Array("2024-06-01 02:00:0\(position % 10) +0200".utf8))
            }
            reader.add(name: "value", text: Array("\(position % 11)".utf8))
            let context = builder.number(of: BatchContext(slots: reader.slots))
            let content =
                position % 4 == 0 ? builder.number(ofContent: Array("{\"a\":\"\(position % 8)\"}".utf8)) : 0
            builder.append(
                RowHead(context: context, content: content, position: position), start: reader.start,
                values: reader.values)
        }
        let identities = RowIdentities(builder.batch)
        var sum = IdentitySum()
        builder.batch.forEachPlace { row in
            sum.add(identities.identity(at: row.cell))
        }
        #expect(sum == builder.batch.identitySum() && sum.count == 200)
    }
}
