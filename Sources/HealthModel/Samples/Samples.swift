import ByteSpans
import JSONText

/// The samples of a batch, decoded one by one when they are asked for.
public struct Samples: Sendable, RandomAccessCollection {
    /// The batch that they are in.
    public let batch: SampleBatch
    /// What they are samples of.
    public let type: SampleType

    /// Where a row starts among the packed bytes, and the position of the row before it.
    private struct Place: Sendable {
        let offset: Int
        let previousPosition: Int
    }

    private let places: [Place]

    /// The samples of `batch`.
    public init(_ batch: SampleBatch) {
        self.batch = batch
        let identifier = SampleType.identifier(ofElement: batch.key.element, type: batch.key.type)
        type = SampleType.named(identifier ?? batch.key.element)
        var places: [Place] = []
        places.reserveCapacity(batch.count)
        var place = Place(offset: 0, previousPosition: 0)
        let bytes = batch.rows.span
        while place.offset < bytes.count {
            places.append(place)
            place = Self.skip(bytes, place, batch.contexts)
        }
        self.places = places
    }

    private static func skip(
        _ bytes: Span<UInt8>, _ place: Place, _ contexts: [BatchContext]
    ) -> Place {
        var offset = place.offset
        let context = Varint.read(bytes, at: &offset)
        _ = Varint.read(bytes, at: &offset)
        let position = place.previousPosition + Varint.read(bytes, at: &offset)
        for column in contexts[context].columns {
            let value = Varint.read(bytes, at: &offset)
            // An instant is a number; a text is a length and so many bytes.
            if !column.isTime { offset += value }
        }
        return Place(offset: offset, previousPosition: position)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of samples.
    public var endIndex: Int { places.count }

    /// Decodes a sample.
    public subscript(index: Int) -> Sample {
        let place = places[index]
        let bytes = batch.rows.span
        var offset = place.offset
        let context = batch.contexts[Varint.read(bytes, at: &offset)]
        let content = Varint.read(bytes, at: &offset)
        let position = place.previousPosition + Varint.read(bytes, at: &offset)
        var attributes: [Sample.Attribute] = []
        var previous: Int?
        for slot in context.slots {
            let value: Sample.Attribute.Value
            switch slot {
            case .constant(_, let token): value = .text(Self.text(token))
            case .text: value = .text(Self.text(Self.token(bytes, &offset)))
            case .enclosed(_, let before, let after):
                let inside = Self.token(bytes, &offset).dropFirst().dropLast()
                value = .text(
                    Self.text([UInt8(ascii: "\"")] + before + inside + after + [UInt8(ascii: "\"")]))
            case .time(_, let offsetMinutes):
                let seconds = (previous ?? 0) + Varint.readSigned(bytes, at: &offset)
                previous = seconds
                value = .time(Timestamp(seconds: seconds, offsetMinutes: offsetMinutes))
            }
            attributes.append(Sample.Attribute(name: slot.name, value: value))
        }
        return Sample(
            type: type, element: batch.key.element, position: position, attributes: attributes,
            content: content == 0 ? [] : batch.contents[content - 1])
    }

    private static func token(_ bytes: Span<UInt8>, _ offset: inout Int) -> [UInt8] {
        let length = Varint.read(bytes, at: &offset)
        defer { offset += length }
        return bytes.array(offset..<(offset + length))
    }

    private static func text(_ token: [UInt8]) -> String {
        String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
    }
}
