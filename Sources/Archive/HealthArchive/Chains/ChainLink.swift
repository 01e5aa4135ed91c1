import ByteText
package import SystemIO
package import VaultContainer
import VaultCrypto

/// One container of a chain.
package final class ChainLink: Sendable {
    package let path: BytePath
    package let reader: ContainerReader
    /// The record of its predecessor; nil if it has none.
    let continuation: Continuation?

    /// Makes the link of a container.
    ///
    /// - Parameters:
    ///   - path: The path of the container.
    ///   - reader: The container.
    ///   - acceptingDamage: Whether to assume that it continues no other if damage hides what it continues.
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

    /// The entries of the export, without those that describe how it was made, each with its path in a plain folder.
    var contents: [(path: BytePath, entry: ContainerEntry)] {
        reader.entries.compactMap { entry in
            switch StoredEntry(entry.name) {
            case .session, .manifest: nil
            default: (StoredEntry.plainPath(ofEntry: entry.name), entry)
            }
        }
    }
}
