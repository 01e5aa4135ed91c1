import AppleHealthExport
import ArchiveManifest
public import HealthModel
public import SystemIO

/// Watches a folder in which exports arrive.
///
/// An export has arrived once it can be opened, so that a zip has its directory, and its lengths and time have stayed the
/// same for a while. The system tells about changes where it can; otherwise the folder is looked at again and again.
public struct InboxWatcher: ~Copyable, Sendable {
    /// The folder.
    public let path: BytePath
    private let changes: FolderChanges
    private let settlingSeconds: Double
    /// What was seen last, and when it was first seen so.
    private var last: (sight: Inbox.Finding, since: Double)?
    /// The files that were returned as incomplete, which are passed over until they change.
    private var incomplete: [Inbox.Finding] = []
    /// The export that was returned last, which is opened once and not at each look.
    private var arrived: ArrivedExport?

    /// The times in exports, as long as they are looked at, with what tells whether a file has changed.
    private var dates: [BytePath: (version: [Int], date: Int?)] = [:]

    /// Starts to watch a folder.
    ///
    /// - Parameter settlingSeconds: How long an export must stay the same.
    public init(_ path: BytePath, settlingSeconds: Double = 2) {
        self.path = path
        self.settlingSeconds = settlingSeconds
        changes = FolderChanges(in: path)
    }

    /// What is in the folder.
    public enum Sight: Sendable {
        /// No export.
        case nothing
        /// The newest file is still changing, or has only just been seen.
        case settling
        /// The newest file has stayed the same, but is not a complete export. It is returned once, and then passed over for
        /// the next older one until it changes.
        case incomplete(BytePath)
        /// A complete export.
        case export(ArrivedExport)
    }

    /// Looks for the newest export.
    public mutating func look() -> Sight {
        let known = incomplete
        let earlier = dates
        dates = [:]
        let finding = Inbox(path).newest { place in
            guard let sight = try? Self.stamped(.unreadable(place)) else { return false }
            return known.contains(sight)
        } exportDate: { place, status in
            let version = [status.size, status.modified.seconds, status.modified.nanoseconds]
            let found = earlier[place].flatMap { $0.version == version ? $0.date : nil }
            let date = found ?? Inbox.exportDate(place)
            dates[place] = (version, date)
            return date
        }
        let sight = try? Self.stamped(finding)
        if finding == .none || sight.map({ known.contains($0) }) == true {
            last = nil
            return .nothing
        }
        let now = SystemClock.uptime()
        if last == nil || last?.sight != sight { last = sight.map { (sight: $0, since: now) } }
        guard let last, now - last.since >= settlingSeconds else { return .settling }
        switch finding {
        case .none: return .nothing
        case .unreadable(let place): return passOver(place)
        case .export(let place, let version):
            if let arrived, arrived.path == place, arrived.version == version { return .export(arrived) }
            arrived = try? ArrivedExport(place, version: version)
            return arrived.map { .export($0) } ?? passOver(place)
        }
    }

    /// Returns an incomplete file, and passes over it from now on.
    private mutating func passOver(_ place: BytePath) -> Sight {
        if let sight = try? Self.stamped(.unreadable(place)) { incomplete.append(sight) }
        incomplete.removeFirst(max(0, incomplete.count - Self.most))
        return .incomplete(place)
    }

    /// The number of incomplete files that are remembered.
    private static let most = 100

    /// Returns a finding that differs while a file that cannot be read yet grows.
    private static func stamped(_ finding: Inbox.Finding) throws(SystemError) -> Inbox.Finding {
        guard case .unreadable(let place) = finding else { return finding }
        let status = try FileStatus(at: place)
        return .export(
            place, version: "\(status.size) \(status.modified.seconds).\(status.modified.nanoseconds)")
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
    /// The fingerprint of its content, as far as it is known without reading all of it.
    public let fingerprint: StoreFingerprint

    init(_ path: BytePath, version: String) throws(VaultError) {
        self.path = path
        self.version = version
        do { fingerprint = try ExportDocument(ExportSource(opening: path)).quickFacts() } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }
}
