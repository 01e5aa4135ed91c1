import Database

/// A database that several writers share.
final class FileDatabase {
    let connection: Database

    init(_ connection: consuming Database) { self.connection = connection }
}
