import SystemIO

/// Steps through the members of a tar stream by their headers.
struct TarCursor {
    /// A member: its name from the pax header before it, or else from its own.
    struct Member {
        let name: BytePath
        /// Where its content starts.
        let start: Int
        /// The length of its content, which may extend beyond the stream.
        let size: Int
    }

    /// What is at the cursor.
    enum Step {
        /// A member; the cursor is after it.
        case member(Member)
        /// A member whose content or padding extends beyond the stream; the cursor stays where it was.
        case cutOff(Member)
        /// A pax header that extends beyond the stream.
        case cutOffRecords
        /// A block of zeroes, as at the end of a tar stream.
        case zeroes
        /// A block that is not a header.
        case noHeader
        /// A block that cannot be read.
        case lost
        /// Less than a block.
        case end
    }

    /// Where the next header is expected.
    private(set) var position = 0
    private let length: Int

    /// Pax headers of this format are much shorter; a foreign one must not take up memory.
    private static let mostRecords = 1 << 16

    init(length: Int) { self.length = length }

    /// Moves to the next block.
    mutating func skipBlock() { position += TarHeader.blockSize }

    /// Reads the header of the next member, and the pax header before it.
    ///
    /// - Parameter read: Returns a part of the stream; nil if it is lost.
    mutating func step(_ read: (Range<Int>) throws(ContainerError) -> [UInt8]?) throws(ContainerError) -> Step
    {
        var records = PaxRecords()
        while length - position >= TarHeader.blockSize {
            let start = position + TarHeader.blockSize
            guard let block = try read(position..<start) else { return .lost }
            guard let header = TarHeader(block) else {
                return block.allSatisfy { $0 == 0 } ? .zeroes : .noHeader
            }
            guard block[156] == UInt8(ascii: "x") else {
                let member = Member(
                    name: records.path ?? header.name, start: start, size: records.size ?? header.size)
                guard let next = next(start, member.size) else { return .cutOff(member) }
                position = next
                return .member(member)
            }
            guard let next = next(start, header.size) else { return .cutOffRecords }
            let bytes = try read(start..<(start + min(header.size, Self.mostRecords)))
            records = bytes.map { PaxRecords($0) } ?? PaxRecords()
            position = next
        }
        return .end
    }

    /// Returns where the header after some content starts; nil beyond the end of the stream.
    private func next(_ start: Int, _ size: Int) -> Int? {
        // Compared before the addition: a header may claim any size.
        guard size <= length - start else { return nil }
        let next = start + size + TarHeader.padding(after: size)
        return next <= length ? next : nil
    }
}

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
