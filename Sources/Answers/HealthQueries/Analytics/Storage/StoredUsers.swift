import ByteText
import Database

/// Reading and writing of users.
extension AnalyticsDatabase {
    /// Returns all users, the newest first.
    func users() throws -> [User] {
        var users: [User] = []
        try query(
            """
            SELECT userID, birthdate, lastProcessedAt, firstInit, firstHealthKitRecord,
            receivesNotifications, healthkitAuthorized, usesMetric FROM users
            ORDER BY firstInit DESC, userID
            """
        ) { row in
            guard let id = row[0].string.flatMap({ UserID($0) }), let last = row[2].instant,
                let first = row[3].instant, let record = row[4].day
            else { return }
            users.append(
                User(
                    userID: id, birthdate: row[1].day, lastProcessedAt: last, firstInit: first,
                    firstHealthKitRecord: record, receivesNotifications: row[5].integer == 1,
                    healthkitAuthorized: row[6].integer == 1, usesMetric: row[7].integer == 1))
        }
        return users
    }

    /// Adds a user, or replaces one with the same identifier.
    func save(_ user: User) throws {
        try run(
            "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(user.userID.description), user.birthdate.map { .text($0.description) } ?? .null,
                .text(user.lastProcessedAt.iso), .text(user.firstInit.iso),
                .text(user.firstHealthKitRecord.description), .integer(user.receivesNotifications ? 1 : 0),
                .integer(user.healthkitAuthorized ? 1 : 0), .integer(user.usesMetric ? 1 : 0),
            ])
    }

    /// Removes a user.
    func remove(_ id: UserID) throws {
        try run("DELETE FROM users WHERE userID = ?", [.text(id.description)])
    }
}
