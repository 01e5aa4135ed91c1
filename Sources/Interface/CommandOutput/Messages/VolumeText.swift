package import SystemIO

/// The names of archives that were split into several files.
package enum VolumeText {
    /// Returns the path of an archive, or that of the first of its files.
    package static func start(_ path: BytePath) -> BytePath { (try? VolumeName.start(of: path)) ?? path }

    /// Returns the path of the first file of a split archive that a path is a later file of; nil for any other path.
    package static func first(ofLater path: BytePath) -> BytePath? {
        guard let dot = path.bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let digits = path.bytes[(dot + 1)...]
        guard digits.count == 3, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        let first = VolumeName.volume(1, of: BytePath(bytes: path.bytes[..<dot]))
        guard first != path, (try? FileStatus(at: first)) != nil else { return nil }
        return first
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
