import ByteText
import SystemIO
import VaultCrypto

/// The page that opens archives in a browser.
struct ReaderPage {
    /// The start of all such pages.
    private static let start = "<!DOCTYPE html>\n<!-- healthvault reader -->"

    let bytes: [UInt8]
    private let digest: [UInt8]

    init() throws {
        let bytes = try ReaderSources.page()
        self.bytes = bytes
        digest = try SHA256.digest(of: bytes.span)
    }

    /// The SHA-256 of the page in hexadecimal digits.
    var digestText: String { Hexadecimal.text(digest) }

    /// Checks that nothing else has the page's name beside an archive; the same page may be there.
    ///
    /// - Throws: `VaultError`.
    func check(beside archive: BytePath, replacing: Bool) throws {
        let path = archive.sibling("\(DefaultText.readerPage)")
        guard !isThere(path) else { return }
        try DocumentFile(path, start: Self.start, replacing: replacing).check()
    }

    /// Writes the page beside an archive, unless it is there already.
    ///
    /// - Returns: The path of the page, and whether it is new.
    /// - Throws: `VaultError`.
    func save(beside archive: BytePath, replacing: Bool) throws -> (path: BytePath, isNew: Bool) {
        let path = archive.sibling("\(DefaultText.readerPage)")
        guard !isThere(path) else { return (path, false) }
        try save(as: path, replacing: replacing)
        return (path, true)
    }

    /// Returns whether this page is at a path, byte for byte.
    private func isThere(_ path: BytePath) -> Bool {
        guard let file = try? FileDescriptor(opening: path, .read), let status = try? file.status(),
            status.kind == .file, status.size == bytes.count
        else { return false }
        return (try? file.bytes(at: 0, count: bytes.count)) == bytes
    }

    /// Writes the page, which appears at its path once it is complete.
    ///
    /// - Throws: `VaultError`.
    func save(as target: BytePath, replacing: Bool) throws {
        try DocumentFile(target, start: Self.start, replacing: replacing).save(bytes)
    }
}
