import ByteSpans
import HealthModel
import SampleBatches

/// Quantity samples in the order of their starts, in a few bytes each, for reading them one after the other.
///
/// An owner may have tens of millions of one type. Most starts are close to the ones before, and most values are numbers
/// of few digits.
struct PackedQuantities: Sendable {
    /// Blocks of bytes: an array that grew to a hundred mebibytes would be copied now and then.
    private var blocks: [[UInt8]] = []
    /// The start of the first sample, in seconds since 1970; nil if there is none.
    private(set) var firstStart: Int?
    private var lastStart = 0
    /// Number of samples.
    private(set) var count = 0
    /// The seconds that all samples last.
    private(set) var duration = LengthSum()

    /// The size of a block in bytes.
    private static let blockSize = 1 << 16
    /// The greatest length of a sample in bytes: two times, the source and the value.
    private static let longest = 4 * Varint.longest

    /// The bytes of all samples.
    var size: Int { blocks.count * Self.blockSize }

    /// Adds samples, none of which starts before one that was added.
    mutating func append(_ columns: QuantityColumns) {
        if firstStart == nil { firstStart = columns.starts.first }
        count += columns.count
        var index = 0
        while index < columns.count {
            var block = [UInt8]()
            if let last = blocks.last, last.count + Self.longest <= Self.blockSize {
                block = blocks.removeLast()
            }
            block.reserveCapacity(Self.blockSize)
            block.append(addingCapacity: Self.blockSize - block.count) { (output: inout OutputSpan<UInt8>) in
                while index < columns.count, output.freeCapacity >= Self.longest {
                    append(columns, index, to: &output)
                    index += 1
                }
            }
            blocks.append(block)
        }
    }

    private mutating func append(
        _ columns: QuantityColumns, _ index: Int, to output: inout OutputSpan<UInt8>
    ) {
        let (start, value) = (columns.starts[index], columns.values[index])
        Varint.appendSigned(start - lastStart, to: &output)
        Varint.append(columns.ends[index] - start, to: &output)
        duration.add(columns.ends[index] - start)
        lastStart = start
        let (form, number) = ValueForm.shortest(of: value)
        Varint.append(columns.sourceNumbers[index] << ValueForm.bitWidth | form.rawValue, to: &output)
        Varint.append(number, to: &output)
    }

    /// A sample.
    struct Sample: Sendable, Equatable {
        let start: Int
        let end: Int
        let value: Double
        /// The number of its source.
        let source: Int
    }

    /// One pass.
    struct Iterator: Sendable {
        /// The blocks that were not begun, the next one first.
        private var rest: ArraySlice<[UInt8]>
        private var block: [UInt8] = []
        private var offset = 0
        private var start = 0

        init(_ samples: PackedQuantities) { rest = samples.blocks[...] }

        /// Returns the next sample, nil after the last.
        mutating func next() -> Sample? {
            if offset == block.count {
                guard let next = rest.popFirst() else { return nil }
                (block, offset) = (next, 0)
            }
            let block = block
            let bytes = block.span
            var place = offset
            start += Varint.readSigned(bytes, at: &place)
            let end = start + Varint.read(bytes, at: &place)
            let source = Varint.read(bytes, at: &place)
            let number = Varint.read(bytes, at: &place)
            offset = place
            let form = ValueForm(rawValue: source & (1 << ValueForm.bitWidth - 1)) ?? .bits
            return Sample(
                start: start, end: end, value: form.value(number), source: source >> ValueForm.bitWidth)
        }
    }
}

/// How a value is stored as an integer.
private enum ValueForm: Int, CaseIterable, Sendable {
    /// A whole number.
    case whole
    /// The value times a power of ten.
    case tenths, hundredths, thousandths, tenThousandths
    /// The bits, the last byte first: most of the last ones are zero.
    case bits

    /// The number of bits of a raw value.
    static let bitWidth = 3

    private var factor: Double {
        switch self {
        case .whole, .bits: 1
        case .tenths: 10
        case .hundredths: 100
        case .thousandths: 1000
        case .tenThousandths: 10_000
        }
    }

    /// Returns the first form that has an integer for a value, which most values have as whole numbers, and the integer.
    @inline(__always)
    static func shortest(of value: Double) -> (ValueForm, Int) {
        for form in allCases {
            if let number = form.number(value) { return (form, number) }
        }
        return (.bits, Int(bitPattern: UInt(value.bitPattern.byteSwapped)))
    }

    /// Returns the integer from which ``value(_:)`` makes exactly this value; nil if there is none of up to 42 bits.
    @inline(__always)
    private func number(_ value: Double) -> Int? {
        guard self != .bits else { return nil }
        let product = (value * factor).rounded()
        guard product >= 0, product < 0x1p42, product / factor == value, value.sign == .plus else {
            return nil
        }
        return Int(product)
    }

    @inline(__always)
    func value(_ number: Int) -> Double {
        self == .bits
            ? Double(bitPattern: UInt64(UInt(bitPattern: number)).byteSwapped) : Double(number) / factor
    }
}
