import CBrowserReader
import CommandOptions
import SystemIO
import VaultCrypto

/// The page that opens archives in a browser, which is a part of this program.
struct ReaderPage {
    /// The start of all such pages.
    private static let start = "<!DOCTYPE html>\n<!-- healthvault reader -->"

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
    func save(as target: BytePath, replacing: Bool) throws {
        try DocumentFile(target, start: Self.start, replacing: replacing).save(bytes)
    }
}
