import ByteText
import SystemIO

/// The members of a zip whose directory is missing or wrong, found by the header before each of them (APPNOTE 4.3.7).
enum ZipSalvage {
    /// A member as its own header describes it.
    struct Member: Sendable, Equatable {
        let name: BytePath
        /// The offset of the content in the zip.
        let offset: Int
        /// The size in the zip, in bytes; nil if the header does not have it.
        let compressedSize: Int?
        /// The size of the content, in bytes; nil if the header does not have it.
        let size: Int?
        /// The CRC-32 of the content; nil if the header does not have it.
        let crc32: UInt32?
        /// Whether the content is deflated; it is stored otherwise.
        let isDeflated: Bool

        var isFolder: Bool { name.bytes.last == UInt8(ascii: "/") }
    }

    private static let signature: [UInt8] = [0x50, 0x4b, 0x03, 0x04]
    private static let headerLength = 30
    /// The maximum number of headers to look at: a crafted file could have one in every 31 bytes.
    private static let mostHeaders = 100_000
    private static let pieceLength = 1 << 20

    /// Finds the members in a file.
    ///
    /// The next member is searched behind the content of the one before, which is read if its size is not known: members
    /// that share bytes could expand to any size. Of members with the same name, the first one counts.
    ///
    /// - Throws: `io` if the system reports an error, `damagedArchive` if there are none.
    static func members(of path: BytePath) throws(ExportError) -> [Member] {
        do {
            let file = try FileDescriptor(opening: path, .read)
            let size = try file.status().size
            var members: [Member] = []
            var names: Set<BytePath> = []
            var (offset, headers) = (0, 0)
            var search = Search(size: size)
            while headers < mostHeaders, let place = try search.next(in: file, from: offset) {
                headers += 1
                guard let member = try member(at: place, of: file, size: size) else {
                    offset = place + signature.count
                    continue
                }
                if names.insert(member.name).inserted { members.append(member) }
                if let length = member.compressedSize, length <= size - member.offset {
                    offset = member.offset + length
                } else if member.isDeflated {
                    offset = max(member.offset, try SalvagedMemberStream(member, of: path).skip())
                } else {
                    // All that is left belongs to it.
                    offset = size
                }
            }
            guard !members.isEmpty else { throw ExportError(.damagedArchive, file: path) }
            return members
        } catch let error as SystemError {
            throw ExportError(.io(error), file: path)
        } catch let error as ExportError { throw error } catch {
            throw ExportError(.damagedArchive, file: path)
        }
    }

    /// Finds signatures in a file, of which it keeps the piece that was read last.
    private struct Search {
        let size: Int
        private var start = 0
        private var piece: [UInt8] = []

        init(size: Int) { self.size = size }

        /// Returns the offset of the next signature; nil if there is none.
        mutating func next(
            in file: borrowing FileDescriptor, from offset: Int
        ) throws(SystemError) -> Int? {
            var offset = offset
            while offset + headerLength <= size {
                if offset < start || offset + signature.count > start + piece.count {
                    piece = try file.bytes(at: offset, count: min(pieceLength, size - offset))
                    start = offset
                }
                guard piece.count >= signature.count else { return nil }
                var index = offset - start
                while true {
                    index = piece.span.firstIndex(of: signature[0], from: index)
                    guard index + signature.count <= piece.count else { break }
                    if piece[index..<(index + signature.count)].elementsEqual(signature) {
                        return start + index
                    }
                    index += 1
                }
                // A signature may lie across the end of the piece.
                offset = start + piece.count - signature.count + 1
            }
            return nil
        }
    }

    /// Reads the header at an offset; nil if there is none that makes sense.
    private static func member(
        at offset: Int, of file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> Member? {
        let header = try file.bytes(at: offset, count: headerLength)
        guard header.count == headerLength else { return nil }
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(header[place + $1]) << (8 * $1) }
        }
        let (flags, method) = (number(6, 2), number(8, 2))
        let (nameLength, extraLength) = (number(26, 2), number(28, 2))
        // Only what Apple and zip programs write to it: deflated or stored, and not encrypted.
        guard method == 8 || method == 0, flags & 1 == 0, nameLength > 0,
            case let start = offset + headerLength + nameLength + extraLength, start <= size
        else { return nil }
        let name = try file.bytes(at: offset + headerLength, count: nameLength)
        guard name.count == nameLength else { return nil }
        // With bit 3 the sizes follow the content; of large members they are in the extra field, and not needed.
        let hasSizes = flags & 8 == 0 && number(18, 4) != 0xffff_ffff && number(22, 4) != 0xffff_ffff
        guard hasSizes || method == 8 else { return nil }
        return Member(
            name: ZipName.path(name), offset: start, compressedSize: hasSizes ? number(18, 4) : nil,
            size: hasSizes ? number(22, 4) : nil, crc32: hasSizes ? UInt32(number(14, 4)) : nil,
            isDeflated: method == 8)
    }
}
