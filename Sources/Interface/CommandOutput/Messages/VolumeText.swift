package import SystemIO

/// The names of archives that were split into several files.
package enum VolumeText {
    /// Returns the path of an archive, or that of the first of its files.
    package static func start(_ path: BytePath) -> BytePath { (try? VolumeName.start(of: path)) ?? path }

    /// Returns the path of an archive and, if it was split, the number of its files.
    package static func describe(_ path: BytePath) -> TerminalText {
        let start = start(path)
        guard start != path, let count = try? VolumeFile(opening: start, .read).volumeCount, count > 1 else {
            return "\(start)"
        }
        return "\(start) and \(Quantities.count(count - 1, "more file")); keep them together"
    }
}
