import AppleHealthExport
import ByteSpans
import CivilTime
import HealthExport
public import SystemIO

/// An export, or a folder in which exports arrive.
public struct Inbox: Sendable {
    private let path: BytePath

    /// Creates an inbox at the path of an export or a folder.
    public init(_ path: BytePath) { self.path = path }

    /// The result of a search.
    public enum Finding: Sendable, Equatable {
        /// An export, and a text that differs once the export has changed.
        case export(BytePath, version: String)
        /// No export was found.
        case none
        /// The newest file is not a complete export, or not yet.
        case unreadable(BytePath)
    }

    /// Returns the newest export.
    ///
    /// - Parameter isPassedOver: Returns whether not to look at a file in the folder.
    public func newest(except isPassedOver: (BytePath) -> Bool = { _ in false }) -> Finding {
        newest(except: isPassedOver) { place, _ in Self.exportDate(place) }
    }

    /// Does the same with a function that returns the time in an export, in seconds since 1970, by path and status; nil if it
    /// cannot be read.
    func newest(
        except isPassedOver: (BytePath) -> Bool, exportDate: (BytePath, FileStatus) -> Int?
    ) -> Finding {
        guard let status = try? FileStatus(at: path) else { return .none }
        if let source = try? ExportSource(opening: path) {
            return .export(path, version: Self.version(of: source))
        }
        guard status.kind == .folder, let entries = try? Folder.entries(of: path) else {
            return .unreadable(path)
        }
        // Files that a program is still copying often have names that start with a dot.
        let found = entries.filter { entry in
            entry.name.bytes.first != UInt8(ascii: ".")
                && (entry.status.kind == .folder || entry.name.hasExtension(".zip")
                    || entry.name.hasExtension(".xml"))
        }
        for entry in sorted(found, exportDate) {
            let place = path / entry.name
            if isPassedOver(place) { continue }
            if let source = try? ExportSource(opening: place) {
                return .export(place, version: Self.version(of: source))
            }
            // A folder may contain anything, but the newest file is meant to be the export.
            if entry.status.kind == .file { return .unreadable(place) }
        }
        return .none
    }

    /// Returns the files, the newest first.
    ///
    /// As long as the clocks that dated them were right, that is the one modified last. A time after now was given by a
    /// wrong one, and would hide every later export for years: then the times in the exports themselves decide.
    private func sorted(
        _ entries: [OpenFolder.Entry], _ exportDate: (BytePath, FileStatus) -> Int?
    ) -> [OpenFolder.Entry] {
        let limit = SystemClock.now() + Self.tolerance
        let isUnsure = entries.contains { $0.status.modified.seconds > limit }
        return entries.map { entry in
            let modified = entry.status.modified
            let known = [isUnsure ? exportDate(path / entry.name, entry.status) : nil, modified.seconds]
            let time = known.lazy.compactMap(\.self).first { $0 <= limit } ?? .min
            return (entry: entry, time: (time, modified.seconds, modified.nanoseconds))
        }.sorted { $0.time > $1.time }.map(\.entry)
    }

    /// Returns the time in an export, in seconds since 1970; nil if it cannot be read.
    static func exportDate(_ path: BytePath) -> Int? {
        try? Exporter(source: path, target: "").exportDate()?.seconds
    }

    /// The seconds by which the clocks of two computers may differ.
    private static let tolerance = 86400

    /// Returns a text that differs once the export has changed.
    private static func version(of source: ExportSource) -> String {
        guard let status = try? FileStatus(at: source.documentFile ?? source.path) else { return "" }
        let files = source.sideFiles.total(\.size)
        return "\(status.size)+\(files) \(status.modified.seconds).\(status.modified.nanoseconds)"
    }
}
