import ByteSpans
import JSONText
public import SampleBatches

/// The samples of a batch, decoded one by one when they are accessed.
public struct Samples: Sendable, RandomAccessCollection {
    /// The batch that they are in.
    public let batch: SampleBatch
    /// What they are samples of.
    public let type: SampleType

    /// The first cell of a row, and its position.
    private struct Place: Sendable {
        let cell: Int
        let position: Int
    }

    private let places: [Place]

    fileprivate init(of batch: SampleBatch) {
        self.batch = batch
        let identifier = SampleType.identifier(ofElement: batch.key.element, type: batch.key.type)
        type = SampleType.named(identifier ?? batch.key.element)
        var places: [Place] = []
        places.reserveCapacity(batch.count)
        var (cell, position) = (0, 0)
        while cell < batch.cells.count {
            position += batch.cells[cell + 2]
            places.append(Place(cell: cell, position: position))
            cell += RowHead.cells + batch.contexts[batch.cells[cell]].columns.count
        }
        self.places = places
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of samples.
    public var endIndex: Int { places.count }

    /// Decodes a sample.
    public subscript(index: Int) -> Sample {
        let place = places[index]
        let content = batch.cells[place.cell + 1]
        var cells = batch.cells[(place.cell + RowHead.cells)...].makeIterator()
        var attributes: [Sample.Attribute] = []
        var seconds = 0
        for slot in batch.contexts[batch.cells[place.cell]].slots {
            let value: Sample.Attribute.Value
            switch slot {
            case .constant(_, let token): value = .text(Self.text(token))
            case .text: value = .text(Self.text(token(cells.next())))
            case .enclosed(_, let before, let after):
                let inside = token(cells.next()).dropFirst().dropLast()
                value = .text(
                    Self.text([UInt8(ascii: "\"")] + before + inside + after + [UInt8(ascii: "\"")]))
            case .time(_, let offsetMinutes):
                seconds += cells.next() ?? 0
                value = .time(Timestamp(seconds: seconds, offsetMinutes: offsetMinutes))
            }
            attributes.append(Sample.Attribute(name: slot.name, value: value))
        }
        return Sample(
            type: type, element: batch.key.element, position: place.position, attributes: attributes,
            content: content == 0 ? [] : batch.contents[content - 1])
    }

    private func token(_ cell: Int?) -> [UInt8] {
        cell.map { [UInt8](batch.text[TokenPlace(code: $0).range]) } ?? []
    }

    private static func text(_ token: [UInt8]) -> String {
        String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
    }
}

extension SampleBatch {
    /// The samples of the batch, decoded when they are asked for.
    public var samples: Samples { Samples(of: self) }
}
