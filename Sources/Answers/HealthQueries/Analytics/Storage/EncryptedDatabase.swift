public import ByteText
import Database
public import SystemIO
public import VaultContainer

/// An encrypted database of analytics, as those find it who expect an archive.
///
/// It is thrown in place of the error that it has no manifest.
public struct EncryptedDatabase: ClassifiedError, Sendable {
    /// The path of the container.
    public let path: BytePath
    /// The size of the container in bytes.
    public let size: Int
    /// Defects of the container that do not prevent reading.
    public let warnings: Set<ContainerWarning>
    /// The bytes of the database.
    private let content: [UInt8]

    /// Reads a database; nil if the container has anything else.
    ///
    /// - Throws: ``AnalyticsError``.
    public init?(at path: BytePath, key: ArchiveKey) throws {
        do {
            let reader = try ContainerReader(opening: path, key: key)
            guard reader.entries.map(\.name) == [AnalyticsFile.entryName] else { return nil }
            self.path = path
            size = reader.size
            warnings = reader.warnings
            content = try reader.data(of: reader.entries[0])
        } catch { throw AnalyticsError.wrapping(error, path: path) }
    }

    /// The length of the database in bytes.
    public var length: Int { content.count }

    /// Checks that the database is one of analytics, and that SQLite finds it intact.
    ///
    /// - Throws: ``AnalyticsError``, with `malformed` if it is not.
    public func check() throws {
        var isIntact = false
        do {
            let database = try AnalyticsDatabase(content)
            try database.query("PRAGMA integrity_check") { row in isIntact = row.first?.string == "ok" }
        } catch let problem as AnalyticsDatabase.Problem {
            throw AnalyticsError(problem == .newer ? .unsupportedVersion : .notAnalytics, path: path)
        } catch is DatabaseError {
            // SQLite may find damage before it is asked to look for it.
            throw AnalyticsError(.malformed, path: path)
        }
        guard isIntact else { throw AnalyticsError(.malformed, path: path) }
    }

    /// Writes the database to a plain file of SQLite that only its owner can read.
    ///
    /// - Parameters:
    ///   - target: The path of the file.
    ///   - replacing: Whether to replace another database of analytics.
    /// - Throws: ``AnalyticsError``.
    public func write(to target: BytePath, replacing: Bool) throws {
        do {
            let file = try AnalyticsFile(target, nil)
            var kept: AnalyticsFile.Kept?
            if try file.status() != nil {
                guard replacing else { throw AnalyticsError(.existing, path: target) }
                let found = try file.read()
                guard (try? AnalyticsDatabase(found.bytes)) != nil else {
                    throw AnalyticsError(.notAnalytics, path: target)
                }
                kept = found.file
            }
            _ = try file.write(content, replacing: kept, at: SystemClock.now())
        } catch { throw AnalyticsError.wrapping(error, path: target) }
    }
}

extension EncryptedDatabase {
    /// What it means.
    public var kind: ErrorKind { .unsupported }
}
