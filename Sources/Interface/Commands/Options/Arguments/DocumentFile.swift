import HealthVault
package import SystemIO

/// A document that a command writes: a drawing or a page, readable by its owner alone.
///
/// It has its name only once it is complete.
package struct DocumentFile {
    private let path: BytePath
    private let kind: ReplaceableFile
    private let isReplacing: Bool

    /// Creates a document that is not written yet.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - start: The text that all such documents of this program begin with.
    ///   - isReplacing: Whether to replace an existing document of this kind.
    package init(_ path: BytePath, start: String, replacing isReplacing: Bool) {
        self.path = path
        kind = .text(Array(start.utf8))
        self.isReplacing = isReplacing
    }

    /// Checks that nothing else has the name.
    ///
    /// - Throws: `VaultError`.
    package func check() throws {
        do { try Target.check(path, kind, replacing: isReplacing) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Writes the document.
    ///
    /// - Throws: `VaultError`.
    package func save(_ bytes: [UInt8]) throws {
        do {
            let output = try FormatOutput(file: path, kind, replacing: isReplacing)
            do {
                let name: BytePath = "document"
                try output.append(bytes.span, to: name)
                try output.end(name)
                try output.finish(manifest: [], name)
            } catch {
                output.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }
}
