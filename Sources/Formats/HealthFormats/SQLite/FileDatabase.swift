import Database

/// A database shared by several writers.
final class FileDatabase {
    let connection: Database

    init(_ connection: consuming Database) { self.connection = connection }
}
