import JSONText
package import SystemIO
package import VaultContainer
import VaultCrypto

/// One container of a chain.
package final class ChainLink: Sendable {
    package let path: BytePath
    package let reader: ContainerReader
    /// What it says of its predecessor, nil where it has none.
    let continuation: Continuation?

    /// - Parameters:
    ///   - path: Where it lies.
    ///   - reader: The container.
    ///   - acceptingDamage: Where damage hides what it continues, it is taken to continue none.
    init(_ path: BytePath, _ reader: consuming ContainerReader, acceptingDamage: Bool) throws {
        let reader = reader
        try PlainPaths.check(reader.entries)
        do { continuation = try Self.continuation(reader) } catch let error as ContainerError {
            if case .io = error.code { throw error }
            guard acceptingDamage else { throw error }
            continuation = nil
        }
        self.path = path
        self.reader = reader
    }

    private static func continuation(_ reader: borrowing ContainerReader) throws -> Continuation? {
        guard let entry = reader.entries.first, StoredEntry(entry.name) == .session else { return nil }
        let json = try reader.data(of: entry)
        do { return try Continuation(session: json) } catch {
            throw VaultError(.manifestMismatch, path: reader.path)
        }
    }

    /// What it holds of an export, without what says how it was made, and with the path that each has in a plain folder.
    var contents: [(path: BytePath, entry: ContainerEntry)] {
        reader.entries.compactMap { entry in
            switch StoredEntry(entry.name) {
            case .session, .manifest: nil
            default: (StoredEntry.plainPath(ofEntry: entry.name), entry)
            }
        }
    }
}
