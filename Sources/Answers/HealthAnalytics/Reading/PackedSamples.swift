/// Samples of one type in about ten bytes each, in the order in which they were read.
///
/// The zone of an export is known only at its end, so that all samples must be kept until then.
struct PackedSamples: Sendable {
    private var pieces: [[UInt8]] = []
    private var lastStart = 0
    private(set) var count = 0

    private static let pieceSize = 1 << 16
    /// The bytes of the largest sample: five numbers of at most ten bytes.
    private static let largest = 50

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
        Self.write(UInt64(bitPattern: Int64(distance << 1 ^ distance >> 63)), to: &pieces[last])
        Self.write(UInt64(max(0, end - start)), to: &pieces[last])
        Self.write(UInt64(source << 2 | form.rawValue), to: &pieces[last])
        Self.write(number, to: &pieces[last])
        count += 1
    }

    private static func write(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func read(_ bytes: [UInt8], _ place: inout Int) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// Unpacks the samples into columns, sorted by start, and releases the packed form piece by piece.
    mutating func removeAll() -> SampleColumns {
        var columns = SampleColumns()
        columns.reserveCapacity(count)
        var start = 0
        for index in pieces.indices {
            let piece = pieces[index]
            pieces[index] = []
            var place = 0
            while place < piece.count {
                let distance = Self.read(piece, &place)
                start &+= Int(Int64(bitPattern: distance >> 1)) ^ -Int(distance & 1)
                let length = Int(Self.read(piece, &place))
                let head = Int(Self.read(piece, &place))
                let number = Self.read(piece, &place)
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
