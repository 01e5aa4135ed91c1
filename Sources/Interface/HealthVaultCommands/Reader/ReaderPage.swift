import ArchiveManifest
import ArchiveWriting
import CBrowserReader
import SystemIO
import VaultCrypto

/// The page that opens archives in a browser, which is a part of this program.
struct ReaderPage {
    let bytes: [UInt8]
    let digest: [UInt8]

    init() throws {
        let bytes = (0..<healthvault_reader_page_size()).map { healthvault_reader_page_byte($0) }
        self.bytes = bytes
        digest = try SHA256.digest(of: bytes.span)
    }

    /// Writes the page, which appears at its path once it is complete.
    ///
    /// - Throws: `VaultError`.
    func save(as target: BytePath, replacing: Bool) throws(VaultError) {
        do {
            let output = try FormatOutput(file: target, .readerPage, replacing: replacing)
            do {
                try output.append(bytes.span, to: target.name)
                try output.end(target.name)
                try output.finish(manifest: [], target.name)
            } catch {
                output.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: target) }
    }
}
