import AppleHealthExport
import ByteText
import HealthArchive
import HealthExport
public import SystemIO

/// An export, or a folder in which exports arrive.
///
/// What was found out about a file is remembered as long as the file stays the same.
public struct Inbox: Sendable {
    private let path: BytePath
    private let mayBeExport: Bool
    private var known: [BytePath: Item] = [:]

    /// Creates an inbox at the path of an export or a folder.
    ///
    /// - Parameter mayBeExport: Whether a folder may be an export itself: an unpacked one without any zip in it.
    public init(_ path: BytePath, mayBeExport: Bool = true) {
        self.path = path
        self.mayBeExport = mayBeExport
    }

    /// A file or folder in the inbox.
    public struct Item: Sendable, Equatable {
        /// Its path.
        public let path: BytePath
        /// A text that differs once it has changed.
        public let version: String
        /// What it is.
        public let kind: Kind
        /// The document, if it is a folder's.
        fileprivate let document: BytePath
        /// When the document was last modified, in seconds and nanoseconds since 1970.
        fileprivate let modified: [Int]
    }

    /// What is at a path.
    public enum Kind: Sendable, Equatable {
        /// An export, and its date in seconds since 1970; nil if it does not state one.
        case export(Int?)
        /// Not a complete export, or not yet.
        case incomplete
        /// Something else, however many of them there are.
        case other
    }

    /// Returns the exports and the files that may become one.
    ///
    /// Exports are ordered by their own dates, the newest first: the times of files say when they were copied. Only where
    /// the dates are equal do they decide.
    public mutating func look() -> [Item] {
        guard let status = try? FileStatus(at: path) else { return [] }
        if status.kind != .folder { return [item(at: path, status)] }
        // Files that a program is still copying often have names that start with a dot.
        let entries = (try? Folder.entries(of: path)) ?? []
        if mayBeExport, !entries.contains(where: { $0.name.hasExtension(".zip") }) {
            let itself = item(at: path, status)
            if itself.isExport { return [itself] }
        }
        let found = entries.filter { entry in
            entry.name.bytes.first != UInt8(ascii: ".")
                && (entry.status.kind == .folder || entry.name.hasExtension(".zip")
                    || entry.name.hasExtension(".xml"))
        }.map { item(at: path / $0.name, $0.status) }
        known = Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
        return found.filter { $0.kind != .other }.sorted { left, right in
            let (mine, theirs) = (left.date, right.date)
            if mine != theirs { return mine.isAfter(theirs) }
            if left.modified != right.modified { return left.isNewer(than: right) }
            return left.path < right.path
        }
    }

    private func item(at path: BytePath, _ status: FileStatus) -> Item {
        if let known = known[path], known.version == version(of: path, status, known.document) {
            return known
        }
        let kind: Kind
        var document = path
        do throws(ExportError) {
            let source = try ExportSource(opening: path)
            document = source.documentFile ?? path
            let exported = try? Exporter(source: path, target: "").exportDate()
            // Any XML can be opened; one without a date may be that of another program.
            let isForeign = source.kind == .xml && exported == nil && !Self.isHealthDocument(path)
            kind = isForeign ? .other : .export(exported?.seconds)
        } catch { kind = status.kind == .folder || Self.isSomethingElse(error) ? .other : .incomplete }
        let modified = (document == path ? status : (try? FileStatus(at: document)) ?? status).modified
        return Item(
            path: path, version: version(of: path, status, document), kind: kind, document: document,
            modified: [modified.seconds, modified.nanoseconds])
    }

    /// Returns a text that differs once a file, or a folder or the document in it, has changed.
    private func version(of path: BytePath, _ status: FileStatus, _ document: BytePath) -> String {
        let inner = document == path ? nil : try? FileStatus(at: document)
        return [status, inner].compactMap(\.self).map {
            "\($0.size) \($0.modified.seconds).\($0.modified.nanoseconds)"
        }.joined(separator: " ")
    }

    /// Whether the beginning of a document names the root element of exports.
    private static func isHealthDocument(_ path: BytePath) -> Bool {
        let name = Array("HealthData".utf8)
        let start = (try? FileDescriptor(opening: path, .read).bytes(at: 0, count: 1 << 16)) ?? []
        return start.indices.contains { start[$0...].starts(with: name) }
    }

    /// Whether a file that cannot be opened is whole, and no export.
    private static func isSomethingElse(_ error: ExportError) -> Bool {
        switch error.code {
        case .unrecognized, .noHealthDocument, .encryptedArchive, .unsupportedCompression: true
        default: false
        }
    }
}

extension Inbox.Item {
    /// Whether it is an export.
    public var isExport: Bool {
        if case .export = kind { true } else { false }
    }

    /// Whether it was modified later than another one.
    func isNewer(than other: Self) -> Bool { other.modified.lexicographicallyPrecedes(modified) }

    fileprivate var date: OrderedDate? {
        if case .export(let seconds?) = kind { OrderedDate(seconds) } else { nil }
    }
}
