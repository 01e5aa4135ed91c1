import SampleBatches

/// Samples of one type in about ten bytes each, in the order in which they were read.
///
/// The zone of an export is known only at its end, so that all samples must be kept until then.
struct PackedSamples: Sendable {
    private var pieces: [[UInt8]] = []
    private var lastStart = 0
    private(set) var count = 0

    private static let pieceSize = 1 << 16
    /// The bytes of the largest sample: four numbers.
    private static let largest = 4 * Varint.longest

    /// How a value is written.
    private enum Form: Int {
        case whole, thousandths, millionths, bits

        var scale: Double {
            switch self {
            case .whole: 1
            case .thousandths: 1000
            case .millionths: 1_000_000
            case .bits: 0
            }
        }

        /// Returns the shortest form of a value from which it can be read unchanged, and the number to write.
        static func of(_ value: Double) -> (form: Form, number: UInt64) {
            if value >= 0, value < 1e9, value.sign == .plus {
                for form in [whole, thousandths, millionths] {
                    let scaled = (value * form.scale).rounded()
                    if scaled / form.scale == value { return (form, UInt64(scaled)) }
                }
            }
            return (bits, value.bitPattern)
        }
    }

    /// Appends a sample.
    mutating func append(start: Int, end: Int, value: Double, source: Int) {
        if pieces.last.map({ $0.count + Self.largest > Self.pieceSize }) ?? true {
            var piece: [UInt8] = []
            piece.reserveCapacity(Self.pieceSize)
            pieces.append(piece)
        }
        let last = pieces.count - 1
        let distance = start &- lastStart
        lastStart = start
        let (form, number) = Form.of(value)
        pieces[last].append(addingCapacity: Self.largest) { (output: inout OutputSpan<UInt8>) in
            Varint.appendSigned(distance, to: &output)
            Varint.append(max(0, end - start), to: &output)
            Varint.append(source << 2 | form.rawValue, to: &output)
            Varint.append(Int(truncatingIfNeeded: number), to: &output)
        }
        count += 1
    }

    /// Unpacks the samples into columns, sorted by start, and releases the packed form piece by piece.
    mutating func removeAll() -> SampleColumns {
        var columns = SampleColumns()
        columns.reserveCapacity(count)
        var start = 0
        for index in pieces.indices {
            let piece = pieces[index]
            pieces[index] = []
            let bytes = piece.span
            var place = 0
            while place < bytes.count {
                start &+= Varint.readSigned(bytes, at: &place)
                let length = Varint.read(bytes, at: &place)
                let head = Varint.read(bytes, at: &place)
                let number = UInt64(truncatingIfNeeded: Varint.read(bytes, at: &place))
                let form = Form(rawValue: head & 3) ?? .bits
                let value = form == .bits ? Double(bitPattern: number) : Double(number) / form.scale
                columns.append(start: start, length: length, value: value, source: head >> 2)
            }
        }
        self = PackedSamples()
        columns.sort()
        return columns
    }
}
