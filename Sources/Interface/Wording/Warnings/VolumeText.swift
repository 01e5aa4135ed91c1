package import SystemIO
import VaultContainer

/// The names of archives that were split into several files.
package enum VolumeText {
    /// Returns the path of an archive, or that of the first of its files.
    package static func start(_ path: BytePath) -> BytePath { (try? VolumeName.start(of: path)) ?? path }

    /// Returns the path of the first file of a split archive that a path is a later file of; nil for any other path.
    package static func first(ofLater path: BytePath) -> BytePath? {
        guard let (whole, _) = parts(of: path) else { return nil }
        let first = VolumeName.volume(1, of: whole)
        guard first != path, (try? FileStatus(at: first)) != nil else { return nil }
        return first
    }

    /// Returns the path that a split archive would have in one piece, and the number of the file at this path; nil if
    /// the path does not end like that of a volume.
    private static func parts(of path: BytePath) -> (whole: BytePath, number: Int)? {
        guard let dot = path.bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let digits = path.bytes[(dot + 1)...]
        guard digits.count == 3, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return (BytePath(bytes: path.bytes[..<dot]), number)
    }

    /// The maximum number of missing files to name; the rest is counted.
    private static let shown = 5

    /// Returns which files are missing from a split archive, given one of their paths or that of the whole; nil if none
    /// is, or it is in one piece.
    package static func missing(from path: BytePath) -> TerminalText? {
        let whole = parts(of: path)?.whole ?? path
        guard (try? FileStatus(at: whole)) == nil, let entries = try? Folder.entries(of: whole.parent) else {
            return nil
        }
        var sizes: [Int: Int] = [:]
        for entry in entries {
            guard let (name, number) = parts(of: entry.name), name == whole.name, number > 0 else { continue }
            sizes[number] = entry.status.size
        }
        guard let last = sizes.keys.max() else { return nil }
        let gaps = (1...last).filter { sizes[$0] == nil }.map { VolumeName.volume($0, of: whole) }
        if !gaps.isEmpty {
            let more: TerminalText = gaps.count > shown ? " and \(gaps.count - shown) more" : ""
            return "\(TerminalText.list(gaps.prefix(shown)))\(more)"
        }
        // Without its last file a split archive ends with a full one, and not with a header.
        guard sizes[last] == sizes[1], last < VolumeName.most,
            CleartextHeader.identifiers(of: VolumeName.volume(1, of: whole)).count > 1
        else { return nil }
        return "\(VolumeName.volume(last + 1, of: whole)) and any after it"
    }

    /// Returns the path of an archive and, if it was split, the number of its files.
    package static func describe(_ path: BytePath) -> TerminalText {
        let start = start(path)
        guard start != path, let count = try? VolumeFile(opening: start, .read).volumeCount, count > 1 else {
            return "\(start)"
        }
        return "\(start) and \(Quantities.count(count - 1, "more file")); keep them together"
    }
}
