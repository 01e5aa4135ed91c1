/// A column, or a part of one, in Arrow's layout: what an `ArrowArray` describes.
struct ArrowColumn: Sendable {
    /// Number of values.
    var length: Int
    /// How many of them are null.
    var nullCount = 0
    /// The buffers in the order of the layout; the validity is nil if nothing is null.
    var buffers: [ArrowBuffer?]
    /// The columns inside, such as those of a struct.
    var children: [ArrowColumn] = []
    /// The values of a dictionary, in a list of one; empty if there is none.
    var dictionary: [ArrowColumn] = []
    /// Whether it does not fit into Arrow's offsets of 32 bits; it is then empty.
    var isBeyondOffsets = false

    /// Whether it, or a part of it, is too large for an array.
    var isTooLarge: Bool {
        isBeyondOffsets || children.contains(where: \.isTooLarge) || dictionary.contains(where: \.isTooLarge)
    }

    /// What takes the place of a column that is too large.
    static var tooLarge: ArrowColumn {
        var column = ArrowColumn(length: 0, buffers: [])
        column.isBeyondOffsets = true
        return column
    }
}

extension ArrowColumn {
    /// Makes the columns of a batch of rows.
    init(rows: Int, _ columns: [ArrowColumn]) {
        self.init(length: rows, buffers: [nil], children: columns)
    }

    /// Makes a column of numbers without nulls.
    init<Number: BitwiseCopyable>(_ numbers: [Number]) {
        self.init(length: numbers.count, buffers: [nil, ArrowBuffer(numbers)])
    }

    /// Makes a column of numbers, some of which may be missing.
    init<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(optional numbers: [Number?]) {
        let validity = Validity(numbers.map { $0 != nil })
        self.init(
            length: numbers.count, nullCount: validity.nullCount,
            buffers: [validity.buffer, ArrowBuffer(numbers.map { $0 ?? 0 })])
    }

    /// Makes a column of truth values.
    init(flags: [Bool]) {
        self.init(length: flags.count, buffers: [nil, ArrowBuffer(Validity.bits(flags))])
    }

    /// Makes a column of texts, some of which may be missing.
    init(texts: [String?]) {
        var text: [UInt8] = []
        var ends: [Int32] = [0]
        ends.reserveCapacity(texts.count + 1)
        for entry in texts {
            if let entry { text += entry.utf8 }
            guard text.count <= Int(Int32.max) else {
                self = .tooLarge
                return
            }
            ends.append(Int32(text.count))
        }
        let validity = Validity(texts.map { $0 != nil })
        self.init(
            length: texts.count, nullCount: validity.nullCount,
            buffers: [validity.buffer, ArrowBuffer(ends), ArrowBuffer(text)])
    }

    /// Makes a column of lists.
    init<Element>(lists: [[Element]], _ values: ([Element]) -> ArrowColumn) {
        var ends: [Int32] = [0]
        for list in lists {
            guard let end = Int32(exactly: Int(ends[ends.count - 1]) + list.count) else {
                self = .tooLarge
                return
            }
            ends.append(end)
        }
        self.init(
            length: lists.count, buffers: [nil, ArrowBuffer(ends)], children: [values(lists.flatMap(\.self))])
    }

    /// Makes a column of maps from texts to texts, which keep their order and may name a key twice.
    init(maps: [[(key: String, value: String?)]]) {
        self.init(lists: maps) { entries in
            ArrowColumn(
                rows: entries.count,
                [ArrowColumn(texts: entries.map(\.key)), ArrowColumn(texts: entries.map(\.value))])
        }
    }
}

/// The bits that say which values of a column are not null.
struct Validity {
    /// The bits; nil if nothing is null.
    let buffer: ArrowBuffer?
    let nullCount: Int

    init(_ areValid: [Bool]) {
        nullCount = areValid.count { !$0 }
        buffer = nullCount == 0 ? nil : ArrowBuffer(Self.bits(areValid))
    }

    /// Returns bits, the lowest of each byte first.
    static func bits(_ flags: [Bool]) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
        for (index, flag) in flags.enumerated() where flag { bits[index / 8] |= 1 << (index % 8) }
        return bits
    }
}
