import ByteText
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// What the commands for archives say of an encrypted database of analytics.
extension EncryptedDatabase {
    /// Runs what needs an archive; if there is no manifest because the container has a database, throws that.
    static func instead<Result>(
        of path: BytePath, _ key: ArchiveKey, _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch { throw try replacing(error, path, key) }
    }

    /// Runs a synchronous operation in the same way.
    static func instead<Result>(
        of path: BytePath, _ key: ArchiveKey, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw try replacing(error, path, key) }
    }

    private static func replacing(
        _ error: any Error, _ path: BytePath, _ key: ArchiveKey
    ) throws -> any Error {
        guard let failure = error as? VaultError, failure.code == .noManifest,
            let database = try EncryptedDatabase(at: path, key: key)
        else { return error }
        return database
    }

    /// What it is, for people.
    private var text: TerminalText {
        "an encrypted database of analytics: \(Quantities.bytes(length)) of SQLite in \(Quantities.bytes(size))"
    }

    /// Writes members that say what it is.
    private func write(_ writer: inout JSONWriter) {
        writer.member("path", path)
        writer.member("isAnalytics", true)
        writer.member("bytes", size)
        writer.member("warnings", warnings.map(\.rawValue).sorted())
    }

    /// Shows what it is.
    func show(json: Bool) throws {
        guard json else {
            try Console.print("\(path): \(text)")
            try Console.print("read it: healthvault analytics show day --database \(path)")
            return
        }
        var writer = JSONWriter()
        writer.object { writer in write(&writer) }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
    }

    /// Whether the container has no defect; that the database in it is intact is known from `check`.
    var isIntact: Bool { warnings.allSatisfy { $0 == .weakKdf } }

    /// Reports a verification of a container that is authentic, and whose database has been checked.
    func showVerified(json: Bool, quiet: Bool) throws -> ExitStatus {
        guard !json else {
            var writer = JSONWriter()
            writer.object { writer in
                write(&writer)
                writer.member("intact", isIntact)
                writer.member("problems", [String]())
            }
            try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
            return isIntact ? .done : .damaged
        }
        WarningText.show(warnings, path)
        let verdict: TerminalText = isIntact ? "intact" : "damaged"
        if !quiet || !isIntact { try Console.print("\(path): \(verdict), \(text)") }
        return isIntact ? .done : .damaged
    }

    /// Writes the database to a plain file.
    func decrypt(to target: BytePath, replacing: Bool, json: Bool, quiet: Bool) throws -> ExitStatus {
        try check()
        try write(to: target, replacing: replacing)
        if json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("path", target)
                writer.member("isAnalytics", true)
                writer.member("bytes", length)
                writer.member("warnings", warnings.map(\.rawValue).sorted())
            }
            try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
        } else if !quiet {
            WarningText.show(warnings, path)
            Console.log("\(Quantities.bytes(length)) of SQLite, a database of analytics")
            Console.log("written unencrypted: \(target)")
        }
        return .done
    }
}
