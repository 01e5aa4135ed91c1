import SystemIO

/// The records of a pax header (POSIX.1-2001) that this format uses.
struct PaxRecords {
    var path: BytePath?
    var size: Int?

    init() {}

    /// Reads records of the form `LENGTH KEY=VALUE\n`.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let space = rest.firstIndex(of: UInt8(ascii: " ")),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
            length > space - rest.startIndex,
            length <= rest.count
        {
            let record = rest[(space + 1)..<(rest.startIndex + length)].dropLast()
            let parts = record.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                if parts[0].elementsEqual("path".utf8) { path = BytePath(bytes: parts[1]) }
                if parts[0].elementsEqual("size".utf8) {
                    size = Int(String(decoding: parts[1], as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
                }
            }
            rest = rest.dropFirst(length)
        }
    }
}

extension TarHeader {
    /// Returns the blocks if they are the header of a member with that name and size, whatever its time; otherwise
    /// nil.
    static func expected(in blocks: [UInt8], name: BytePath, size: Int) -> [UInt8]? {
        guard blocks.count >= blockSize else { return nil }
        let digits = blocks.suffix(blockSize).dropFirst(136).prefix(11).filter { (0x30...0x37).contains($0) }
        let modified = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
        let header = TarHeader(name: name, size: size, modified: modified).bytes
        return header == blocks ? header : nil
    }

    /// Reads a block, nil if it is not a header of a file with a correct checksum.
    init?(_ block: [UInt8]) {
        func octal(_ range: Range<Int>) -> Int? {
            let digits = block[range].prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
            return Int(String(decoding: digits, as: UTF8.self), radix: 8)
        }
        let sum = block.indices.reduce(0) { sum, index in
            sum + ((148..<156).contains(index) ? Int(UInt8(ascii: " ")) : Int(block[index]))
        }
        guard block[257..<262].elementsEqual("ustar".utf8), octal(148..<156) == sum,
            [UInt8(ascii: "0"), UInt8(ascii: "x")].contains(block[156]), let size = octal(124..<136),
            size >= 0,
            let modified = octal(136..<148)
        else { return nil }
        self.init(
            name: BytePath(bytes: block[..<100].prefix { $0 != 0 }), size: size,
            modified: modified)
    }
}
