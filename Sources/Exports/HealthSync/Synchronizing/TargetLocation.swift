import ByteText
import HealthFHIR
public import SystemIO
import VaultCrypto

/// The location of a target, as text: `sqlite:health.db`, `dir:folder`, `postgresql://host/database`,
/// `fhir+https://host/fhir`.
public enum TargetLocation: Sendable, Hashable {
    /// An SQLite database.
    case sqlite(BytePath)
    /// A folder.
    case folder(BytePath)
    /// A connection string of libpq.
    case postgreSQL(String)
    /// The base URL of a FHIR server, with `https`.
    case fhir(String)

    /// Reads a location; nil if the text is in none of these forms.
    public init?(_ text: String) {
        func rest(_ prefix: String) -> String? {
            text.hasPrefix(prefix) && text.count > prefix.count ? String(text.dropFirst(prefix.count)) : nil
        }
        if let path = rest("sqlite:") {
            self = .sqlite(BytePath(path))
        } else if let path = rest("dir:") {
            self = .folder(BytePath(path))
        } else if rest("postgresql:") != nil || rest("postgres:") != nil {
            self = .postgreSQL(text)
        } else if let url = rest("fhir+"), url.hasPrefix("https://"),
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        {
            self = .fhir(url.last == "/" ? String(url.dropLast()) : url)
        } else {
            return nil
        }
    }

    /// The number of changes in a batch that suits the target.
    public var batchSize: Int {
        switch self {
        case .sqlite, .postgreSQL: 10_000
        case .folder: 500
        case .fhir: 100
        }
    }
}

/// The only place that connects to a server.
extension TargetLocation {
    /// Opens the target.
    ///
    /// - Parameters:
    ///   - access: What a FHIR server needs.
    ///   - isReadOnly: Whether to change nothing; otherwise, a database is repaired after a crash.
    /// - Throws: ``SyncError``, `SystemError`.
    public func open(
        _ access: ServerAccess = ServerAccess(), isReadOnly: Bool = false
    ) throws -> any TransactionalStore {
        switch self {
        case .sqlite(let path): return try DatabaseTarget(sqlite: path, isReadOnly: isReadOnly)
        case .folder(let path): return try FolderTarget(path: path, isReadOnly: isReadOnly)
        case .postgreSQL(let location):
            return try DatabaseTarget(postgreSQL: location, isReadOnly: isReadOnly)
        case .fhir(let base):
            var mapper = FHIRMapper()
            if let subject = access.subject { mapper.subject = .reference(subject) }
            return try FHIRTarget(
                base: base, token: access.token(), authorities: access.authorities?.text, mapper: mapper,
                isReadOnly: isReadOnly)
        }
    }

    /// Locks a server, which cannot be locked itself, for this user of this computer; nil for other targets.
    func lock() throws -> FileDescriptor? {
        guard case .fhir(let base) = self else { return nil }
        guard let folder = StateFolder.standard()?.path else { throw SyncError(.noStateFolder) }
        try Folder.makeAll(folder)
        let digest = Hexadecimal.text(try SHA256.digest(of: Array(base.utf8).span))
        let file = try FileDescriptor(
            opening: folder / BytePath("sync-\(String(digest.prefix(16))).lock"), .updateOrCreate)
        do throws(SystemError) { try file.lock(exclusively: true) } catch {
            throw error.isLocked ? SyncError(.inUse) : error
        }
        return file
    }
}

/// What a FHIR server needs: a token, and whose samples they are; and by whom it is trusted.
public struct ServerAccess: Sendable {
    /// The file with the bearer token.
    public var tokenFile: BytePath?
    /// The file with the certificates of authorities; nil for the system's.
    public var authorities: BytePath?
    /// The person whose samples they are, such as `Patient/123`.
    public var subject: String?

    /// Creates the access to a server that asks for no token.
    public init() {}

    /// Reads the token; empty if none is given.
    func token() throws -> [UInt8] {
        guard let tokenFile else { return [] }
        var memory = try LockedPages(count: Self.longest)
        let count = try FileDescriptor(opening: tokenFile, .stream).readAll(into: &memory)
        let token = memory.withSpan { bytes in
            var token: [UInt8] = []
            for place in 0..<count where !Self.lineEnds.contains(bytes[place]) { token.append(bytes[place]) }
            return token
        }
        guard !token.isEmpty else { throw SyncError(.missingToken("there is nothing in it")) }
        return token
    }

    private static let longest = 16384
    private static let lineEnds: Set<UInt8> = [0x0a, 0x0d]
}
