import AppleHealthExport
import ByteText
import HealthArchive
public import SystemIO
import VaultCrypto

/// Watches a folder in which exports arrive.
///
/// An export has arrived once it can be opened, so that a zip has its directory, and its lengths and time have stayed the
/// same for a while. The system tells about changes where it can; otherwise the folder is looked at again and again.
public struct InboxWatcher: ~Copyable, Sendable {
    /// The folder.
    public let path: BytePath
    private let changes: FolderChanges
    private let settlingSeconds: Double
    private var inbox: Inbox
    /// Since when each file has been as it is.
    private var since: [BytePath: (version: String, time: Double)] = [:]
    /// The exports that have arrived, whose content was read.
    private var arrived: [BytePath: ArrivedExport] = [:]

    /// Starts to watch a folder.
    ///
    /// - Parameter settlingSeconds: How long an export must stay the same.
    public init(_ path: BytePath, settlingSeconds: Double = 2) {
        self.path = path
        self.settlingSeconds = settlingSeconds
        inbox = Inbox(path, mayBeExport: false)
        changes = FolderChanges(in: path)
    }

    /// What is in the folder.
    public struct Sight: Sendable {
        /// The complete exports, the newest by their own dates first.
        public fileprivate(set) var exports: [ArrivedExport] = []
        /// The files that have stayed the same, but are not complete exports.
        public fileprivate(set) var incomplete: [Inbox.Item] = []
        /// The files that are still changing, or have only just been seen.
        public fileprivate(set) var settling: [BytePath] = []
    }

    /// Looks for exports; what is no export is passed over.
    public mutating func look() -> Sight {
        var sight = Sight()
        let (before, former) = (since, arrived)
        (since, arrived) = ([:], [:])
        for item in inbox.look() {
            let now = SystemClock.uptime()
            let start = before[item.path].flatMap { $0.version == item.version ? $0.time : nil } ?? now
            since[item.path] = (item.version, start)
            guard now - start >= settlingSeconds else {
                sight.settling.append(item.path)
                continue
            }
            guard item.isExport else {
                sight.incomplete.append(item)
                continue
            }
            let known = former[item.path].flatMap { $0.version == item.version ? $0 : nil }
            do {
                let export = try known ?? ArrivedExport(item)
                arrived[item.path] = export
                sight.exports.append(export)
            } catch let error as SystemError where error.isMissing {
                // One that disappears meanwhile has not arrived.
            } catch { sight.incomplete.append(item) }
        }
        return sight
    }

    /// Waits until something changes in the folder, but at most for a time.
    public func wait(milliseconds: Int) { changes.wait(milliseconds: milliseconds) }
}

/// A complete export in an inbox.
public struct ArrivedExport: Sendable {
    /// Its path.
    public let path: BytePath
    /// A text that differs once the file has changed.
    public let version: String
    /// The digest of all its bytes, in hexadecimal digits: two exports with the same one are the same.
    public let content: String

    /// Reads an export.
    init(_ item: Inbox.Item) throws {
        path = item.path
        version = item.version
        var hash = try SHA256()
        let source = try ExportSource(opening: path)
        try Self.add(source.documentFile ?? path, to: &hash)
        if source.kind == .folder {
            for file in source.sideFiles {
                var reader = try SideFileReader(file, of: source)
                while let piece = try reader.next() { hash.update(piece.span) }
            }
        }
        content = Hexadecimal.text(hash.finish())
    }

    private static func add(_ path: BytePath, to hash: inout SHA256) throws {
        let file = try FileDescriptor(opening: path, .read)
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { return }
            hash.update(bytes.span)
            offset += bytes.count
        }
    }
}
