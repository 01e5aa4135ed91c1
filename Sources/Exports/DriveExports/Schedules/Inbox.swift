import AppleHealthExport
import ByteSpans
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
                && (entry.status.kind == .folder || entry.name.hasSuffix(".zip")
                    || entry.name.hasSuffix(".xml"))
        }
        for entry in found.sorted(by: { Self.isNewer($0.status, $1.status) }) {
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

    private static func isNewer(_ one: FileStatus, _ other: FileStatus) -> Bool {
        (one.modified.seconds, one.modified.nanoseconds) > (
            other.modified.seconds, other.modified.nanoseconds
        )
    }

    /// Returns a text that differs once the export has changed.
    private static func version(of source: ExportSource) -> String {
        guard let status = try? FileStatus(at: source.documentFile ?? source.path) else { return "" }
        let files = source.sideFiles.total(\.size)
        return "\(status.size)+\(files) \(status.modified.seconds).\(status.modified.nanoseconds)"
    }
}
