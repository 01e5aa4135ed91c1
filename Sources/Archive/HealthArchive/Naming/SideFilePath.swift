import ByteText
package import SystemIO
import VaultCrypto

/// The paths of the files beside the document.
extension EntryPath {
    /// Returns the paths of side files; if a file system may confuse two of them, the later one gets a number.
    package static func files(_ names: [BytePath]) -> [BytePath] {
        // Neither a file nor its pieces may have the name of another file's folder.
        var taken: Set<FoldedPath> = []
        var spellings: [FoldedPath: BytePath] = [:]
        let paths = names.map { name in
            let path = file(name)
            // `Notes` and `notes` are the same folder on some file systems.
            let isOther = folders(of: path).contains { folder in
                let known = spellings[FoldedPath(folder)]
                if known == nil { spellings[FoldedPath(folder)] = folder }
                return known != nil && known != folder
            }
            return isOther ? longPath(name) : path
        }
        for folder in paths.flatMap(folders) {
            taken.insert(FoldedPath(folder))
            if let file = pieceOwner(folder) { taken.insert(FoldedPath(file)) }
        }
        // The lowest number that may be free for each path: thousands of files can have the same name.
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

    /// Returns the path of a side file, with characters that FAT forbids and bytes that are not UTF-8 escaped as `%XX`.
    package static func file(_ name: BytePath) -> BytePath {
        if name.bytes.count(where: { $0 == UInt8(ascii: "/") }) < deepestPath {
            let path = files + .joined(name.parts.map { shortened(escaped($0)) })
            if path.count <= longestPath { return path }
        }
        return longPath(name)
    }

    /// Returns the path of a side file without the folders that it is in.
    private static func longPath(_ name: BytePath) -> BytePath {
        "\(files)long-paths/\(shortDigest(name))-\(shortened(escaped(name.name)))"
    }

    /// Returns whether a part of a path is the name of a device on Windows, with or without an extension.
    package static func isReserved(_ name: BytePath) -> Bool {
        name.parts.contains { part in
            let stem = String(decoding: part.bytes, as: UTF8.self).prefix { $0 != "." && $0 != " " }
                .lowercased()
            return devices.contains(stem)
        }
    }

    private static let devices: Set<String> = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
        "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// The longest path in bytes: containers accept 1024, and a file's pieces get suffixes and perhaps a number.
    private static let longestPath = 960
    /// The limit on parts of a path: Apple's files are two folders deep, but each file of an untrusted export could
    /// make hundreds.
    private static let deepestPath = 16
    /// The longest name in bytes: file systems accept 255.
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

    /// Returns a name with room for the suffixes that it gets in a container; a longer one keeps its start and gets a
    /// digest.
    private static func shortened(_ name: BytePath) -> BytePath {
        guard name.count > longestName else { return name }
        var end = longestName - 17
        // Do not split a character.
        while end > 0, name.bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return "\(BytePath(bytes: name.bytes[..<end]))~\(shortDigest(name))"
    }

    /// Returns 16 hexadecimal digits that represent a path.
    private static func shortDigest(_ path: BytePath) -> String {
        let digest = (try? SHA256.digest(of: path.bytes.span)) ?? []
        return String(Hexadecimal.text(digest).prefix(16))
    }

    /// Returns the paths of all folders above a path.
    private static func folders(of path: BytePath) -> [BytePath] {
        let parts = path.parts
        return parts.indices.dropFirst().map { .joined(parts[..<$0]) }
    }
}

/// A path as some file systems compare it: ignoring case, and how Unicode composes a letter.
///
/// This is the only place where two paths are equal although their bytes differ.
package struct FoldedPath: Hashable {
    // Swift compares strings by canonical equivalence, as those file systems do.
    private let text: String

    package init(_ path: BytePath) { text = String(decoding: path.bytes, as: UTF8.self).lowercased() }
}
