package import SystemIO

/// A member's header in the payload: POSIX.1-1988 (ustar), with a pax header before it where a name or size does not
/// fit.
package struct TarHeader: Sendable, Equatable {
    let name: BytePath
    let size: Int
    /// Seconds since 1970.
    let modified: Int

    package init(name: BytePath, size: Int, modified: Int) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    static let blockSize = 512
    /// The most bytes that the header of an entry takes, with the records of a long name.
    static let largest = 8 * blockSize
    /// The two blocks of zeroes that end the payload.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    /// Returns how many zero bytes follow `size` bytes of data, up to the next block.
    static func padding(after size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

    /// The header's blocks.
    package var bytes: [UInt8] {
        var records: [UInt8] = []
        if name.count > 100 || !name.bytes.allSatisfy({ $0 < 0x80 }) {
            records += Self.record("path", name.bytes)
        }
        if size > 0o77_777_777_777 { records += Self.record("size", Array(String(size).utf8)) }
        guard !records.isEmpty else { return block(name: name, size: size, kind: UInt8(ascii: "0")) }
        let fallback = BytePath(bytes: name.bytes.suffix(100).filter { $0 < 0x80 })
        return block(name: "PaxHeaders/entry", size: records.count, kind: UInt8(ascii: "x")) + records
            + [UInt8](repeating: 0, count: Self.padding(after: records.count))
            + block(name: fallback, size: min(size, 0o77_777_777_777), kind: UInt8(ascii: "0"))
    }

    /// Returns a pax record, which starts with its own length.
    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let rest = Array(" \(key)=".utf8) + value + [UInt8(ascii: "\n")]
        var length = rest.count
        while String(length).utf8.count + rest.count != length {
            length = String(length).utf8.count + rest.count
        }
        return Array(String(length).utf8) + rest
    }

    private func block(name: BytePath, size: Int, kind: UInt8) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { block[offset + index] = byte }
        }
        func octal(_ value: Int, digits: Int) -> [UInt8] {
            let text = String(value, radix: 8)
            return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
        }
        put(name.bytes, at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(min(max(0, modified), 0o77_777_777_777), digits: 11), at: 136)
        put(repeatElement(UInt8(ascii: " "), count: 8), at: 148)
        block[156] = kind
        put("ustar\u{0}00".utf8, at: 257)
        put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
        return block
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
