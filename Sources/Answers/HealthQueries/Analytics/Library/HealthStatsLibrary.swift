public import ByteText
public import HealthArchive
import Synchronization
public import SystemIO
public import VaultCrypto

/// Daily, weekly, monthly and yearly analytics of a person's health data, in a database.
///
/// ```swift
/// let library = try HealthStatsLibrary(creating: "analytics.sqlite")
/// let user = try library.createUser(birthdate: "1984-03-01")
/// try library.initializeDatabase(for: user, from: ExportStore(path: "export.zip")) { progress in
///     print(progress.percentage, progress.currentTask)
/// }
/// let steps = try library.getDailyAnalytics(for: "2024-02-29")?.steps
/// ```
///
/// All calls are synchronous: reading a store happens on the calling thread, beside which another one may read ahead. Any thread may
/// call; calls that change the database wait for each other. If the name of the database ends in `.hvault`, it is kept in an
/// encrypted container, and nothing readable reaches a disk.
public final class HealthStatsLibrary: Sendable {
    /// The database.
    public let path: BytePath
    private let file: AnalyticsFile
    private let state: Mutex<State>
    /// Held while rows are computed, because they are computed from those before.
    let computing = Mutex(())

    /// The open database, and the file that it was read from.
    private struct State: ~Copyable {
        var database: AnalyticsDatabase
        /// nil until the database is first written.
        var kept: AnalyticsFile.Kept?
    }

    /// Returns whether a database with this name is encrypted, and needs a passphrase.
    public static func isEncrypted(_ path: BytePath) -> Bool { AnalyticsFile.isEncrypted(path) }

    /// Creates a database, which is written with its first change.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - settings: The rules by which analytics are computed.
    ///   - passphrase: The passphrase of an encrypted database.
    ///   - replacing: Whether to replace an existing database.
    /// - Throws: ``AnalyticsError``, with `existing` if there is a file at the path.
    public init(
        creating path: BytePath, _ settings: AnalyticsSettings = AnalyticsSettings(),
        passphrase: HeldPassphrase? = nil, replacing: Bool = false
    ) throws {
        self.path = path
        file = try AnalyticsFile(path, passphrase)
        do {
            var kept: AnalyticsFile.Kept?
            if try file.status() != nil {
                guard replacing else { throw AnalyticsError(.existing, path: path) }
                // Only a database of analytics is replaced: a typing error must not destroy any other file.
                let found = try file.read()
                _ = try Self.open(found.bytes, path)
                kept = found.file
            }
            let database = try AnalyticsDatabase()
            try database.save(settings)
            state = Mutex(State(database: database, kept: kept))
        } catch { throw AnalyticsError.wrapping(error, path: path) }
    }

    /// Opens an existing database.
    ///
    /// - Throws: ``AnalyticsError``.
    public init(opening path: BytePath, passphrase: HeldPassphrase? = nil) throws {
        self.path = path
        file = try AnalyticsFile(path, passphrase)
        do {
            let found = try file.read()
            state = Mutex(State(database: try Self.open(found.bytes, path), kept: found.file))
        } catch { throw AnalyticsError.wrapping(error, path: path) }
    }

    private static func open(_ bytes: [UInt8], _ path: BytePath) throws -> sending AnalyticsDatabase {
        do { return try AnalyticsDatabase(bytes) } catch let problem as AnalyticsDatabase.Problem {
            throw AnalyticsError(problem == .newer ? .unsupportedVersion : .notAnalytics, path: path)
        }
    }

    /// Reads from the database.
    func read<Result: Sendable>(_ body: @Sendable (borrowing AnalyticsDatabase) throws -> Result) throws
        -> Result
    {
        do {
            return try state.withLock { state in try body(state.database) }
        } catch { throw AnalyticsError.wrapping(error, path: path) }
    }

    /// Changes the database, and replaces its file.
    ///
    /// If the file cannot be replaced, the database stays as it was.
    func change<Result: Sendable>(_ body: @Sendable (borrowing AnalyticsDatabase) throws -> Result) throws
        -> Result
    {
        do {
            return try state.withLock { state in
                let before = try state.database.bytes()
                do {
                    let result = try state.database.change { try body(state.database) }
                    state.kept = try file.write(
                        state.database.bytes(), replacing: state.kept, at: SystemClock.now())
                    return result
                } catch {
                    state.database = try AnalyticsDatabase(before)
                    throw error
                }
            }
        } catch { throw AnalyticsError.wrapping(error, path: path) }
    }

    /// The rules by which analytics are computed.
    ///
    /// - Throws: ``AnalyticsError``.
    public func settings() throws -> AnalyticsSettings { try read { try $0.settings() } }

    /// Returns the zone of the days that the rows are about; nil before any were computed.
    public func zone() throws -> String? { try read { try $0.setting("zone") } }

    /// Returns whose data the rows are about; nil before any were computed.
    public func subject() throws -> Subject? { try read { try $0.subject() } }

    // MARK: Users

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - birthdate: The day of birth; nil if it is unknown.
    ///   - usesMetric: Whether values are shown in metric units.
    public func createUser(birthdate: CivilDate?, usesMetric: Bool = true) throws -> User {
        let now = Timestamp(seconds: SystemClock.now(), offsetMinutes: 0)
        var user = User(userID: UserID(), firstInit: now)
        user.birthdate = birthdate
        user.usesMetric = usesMetric
        let created = user
        try change { try $0.save(created) }
        return created
    }

    /// Returns the user with an identifier; nil if there is none.
    public func getUser(by userID: UserID) throws -> User? {
        try read { try $0.users() }.first { $0.userID == userID }
    }

    /// Returns all users, the newest first.
    public func getAllUsers() throws -> [User] { try read { try $0.users() } }

    /// Stores the changes to a user.
    ///
    /// - Throws: ``AnalyticsError``, with `noSuchUser` if the user was deleted.
    public func updateUser(_ user: User) throws {
        try change { database in
            guard try database.users().contains(where: { $0.userID == user.userID }) else {
                throw AnalyticsError(.noSuchUser, path: path)
            }
            try database.save(user)
        }
    }

    /// Deletes a user; the analytics stay.
    public func deleteUser(_ user: User) throws { try change { try $0.remove(user.userID) } }
}
