import ByteSpans
package import SystemIO
import VaultCrypto

/// The paths that the files beside the document get.
extension EntryPath {
    /// The paths of side files; where a file system may take two for one, the later gets a number.
    package static func files(_ names: [BytePath]) -> [BytePath] {
        // A file must not have the name of another one's folder either, nor must its pieces.
        var taken: Set<FoldedPath> = []
        let paths = names.map(file)
        for folder in paths.flatMap(folders) {
            taken.insert(FoldedPath(folder))
            if let file = pieceOwner(folder) { taken.insert(FoldedPath(file)) }
        }
        // All numbers below are taken: thousands of files can have one name.
        var numbers: [FoldedPath: Int] = [:]
        return paths.map { path in
            let key = FoldedPath(path)
            if taken.insert(key).inserted { return path }
            var number = numbers[key] ?? 2
            while !taken.insert(FoldedPath("\(path)~\(number)")).inserted { number += 1 }
            numbers[key] = number + 1
            return "\(path)~\(number)"
        }
    }

    /// The path of a side file: its own, with what FAT forbids, and bytes that are no UTF-8, written as `%XX`.
    package static func file(_ name: BytePath) -> BytePath {
        let parts = name.parts
        if parts.count <= deepestPath {
            let path = files + .joined(parts.map { shortened(escaped($0)) })
            if path.count <= longestPath { return path }
        }
        return "\(files)long-paths/\(shortDigest(name))-\(shortened(escaped(parts.last ?? "")))"
    }

    /// Containers take names of 1024 bytes, and a file's pieces have endings and perhaps a number to tell it apart.
    private static let longestPath = 960
    /// Apple's files lie two folders deep; each file of a stranger's could make hundreds of them.
    private static let deepestPath = 16
    /// Disks take 255 bytes.
    private static let longestName = 230

    private static let forbidden = Set("%:?*\"<>|\\".utf8)

    private static func escaped(_ part: BytePath) -> BytePath {
        var bytes: [UInt8] = []
        for character in part.characters {
            let byte = character.bytes.first ?? 0
            let isAtEnd = character.bytes.endIndex == part.count && (byte == 0x2e || byte == 0x20)
            if character.text == nil || byte < 0x20 || byte == 0x7f || forbidden.contains(byte) || isAtEnd {
                bytes += Array(("%" + Hexadecimal.text([byte]).uppercased()).utf8)
            } else {
                bytes += character.bytes
            }
        }
        return BytePath(bytes: bytes)
    }

    /// A name that leaves room for the endings that it gets in a container; a longer one keeps its start and gets a digest.
    private static func shortened(_ name: BytePath) -> BytePath {
        guard name.count > longestName else { return name }
        var end = longestName - 17
        // Not in the middle of a character.
        while end > 0, name.bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return "\(BytePath(bytes: name.bytes[..<end]))~\(shortDigest(name))"
    }

    /// 16 digits that stand for a path.
    private static func shortDigest(_ path: BytePath) -> String {
        let digest = (try? SHA256.digest(of: path.bytes.span)) ?? []
        return String(Hexadecimal.text(digest).prefix(16))
    }

    /// The paths of the folders that a path leads through.
    private static func folders(of path: BytePath) -> [BytePath] {
        let parts = path.parts
        return parts.indices.dropFirst().map { .joined(parts[..<$0]) }
    }
}

/// What some file systems tell paths apart by: neither by case, nor by how Unicode composes a letter.
///
/// The only place where two paths are the same although their bytes differ.
package struct FoldedPath: Hashable {
    // Swift's strings are equal where Unicode says so, which is what those file systems go by.
    private let text: String

    package init(_ path: BytePath) { text = String(decoding: path.bytes, as: UTF8.self).lowercased() }
}
