import SystemIO
import VaultCrypto

/// A file of a plain folder that is being written, with the digest of its bytes.
struct DigestedFile: ~Copyable {
    private var file: FolderFile
    private var hash: SHA256
    private var size = 0

    /// What became of a file.
    struct Written {
        let size: Int
        /// The number of bytes that did not have to be written.
        let kept: Int
        let sha256: [UInt8]
    }

    init(_ file: consuming FolderFile) throws(CryptoError) {
        hash = try SHA256()
        self.file = file
    }

    mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
        try file.write(bytes)
        hash.update(bytes)
        size += bytes.count
    }

    /// Closes the file.
    consuming func finish() throws(SystemError) -> Written {
        let hash = hash
        let size = size
        return Written(size: size, kept: try file.finish(), sha256: hash.finish())
    }
}
