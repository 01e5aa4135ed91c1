import HealthModel
import SampleBatches

/// Rows as an export has them, without a document.
enum TestRows {
    /// Returns an element with texts as attributes.
    static func element(
        _ name: String, _ attributes: [(String, String)], children: [ElementNode] = []
    ) -> ElementNode {
        var element = ElementNode(name: name)
        element.attributes = attributes.map { ElementNode.Attribute($0, Array($1.utf8)) }
        element.children = children.map { .element($0) }
        return element
    }

    /// Returns a batch of elements of one type, in their order.
    static func batch(_ elements: [ElementNode]) -> SampleBatch {
        let element = elements.first ?? ElementNode(name: "Record")
        let type = element.attributes.first { $0.name == "type" }?.text ?? []
        let key = SampleBatch.Key(
            element: element.name, type: String(decoding: type, as: UTF8.self), span: "all", part: 1)
        var builder = SampleBatchBuilder(key: key)
        for (number, element) in elements.enumerated() {
            var reader = AttributeReader(element: element.name)
            for attribute in element.attributes { reader.add(name: attribute.name, text: attribute.text) }
            let context = builder.number(of: BatchContext(slots: reader.slots))
            let json = ContentWriter.json(of: element.children)?.json
            let content = json.map { builder.number(ofContent: $0) } ?? 0
            builder.append(
                RowHead(context: context, content: content, position: number + 1), start: reader.start,
                values: reader.values)
        }
        return builder.batch
    }
}

/// A store of one batch.
struct BatchStore: HealthStore {
    let batch: SampleBatch

    @concurrent func contents() async throws -> StoreContents { StoreContents() }
    @concurrent func fingerprint() async throws -> StoreFingerprint { StoreFingerprint() }
    func batches(_ query: BatchQuery) -> BatchSequence { BatchSequence { Pass(rest: [batch]) } }

    private struct Pass: BatchSequence.Source {
        var rest: [SampleBatch]

        @concurrent mutating func next() async throws -> SampleBatch? { rest.popLast() }
    }
}
