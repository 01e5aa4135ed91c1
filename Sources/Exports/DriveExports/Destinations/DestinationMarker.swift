import ByteText
import SystemIO
import VaultCrypto

/// The file that marks a folder as a destination, with random digits that no other folder has.
enum DestinationMarker {
    static let name: BytePath = ".healthvault-destination"
    private static let length = 16
    /// The maximum number of bytes to read from such a file.
    private static let longest = 4096

    /// Returns the digits in a folder's marker; nil if it has none.
    static func read(in folder: BytePath) throws(SystemError) -> String? {
        let file: FileDescriptor
        do { file = try OpenFolder(opening: folder).open(name, .read) } catch {
            if error.isMissing || error.isNotFileOrFolder { return nil }
            throw error
        }
        let bytes = try file.bytes(at: 0, count: longest)
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return Hexadecimal.bytes(line)?.count == length ? line : nil
    }

    /// Marks a folder, unless it is already marked.
    ///
    /// - Returns: The digits, and whether other users can read files in the folder.
    /// - Throws: `SystemError`, `CryptoError`.
    static func write(in path: BytePath) throws -> (marker: String, isOpen: Bool) {
        let folder = try OpenFolder(opening: path)
        if let marker = try read(in: path) { return (marker, try !folder.status(of: name).isPrivate) }
        let marker = Hexadecimal.text(try Random.bytes(length))
        // A file of this name that marks nothing may be another name of a file elsewhere.
        try folder.replaceFile(
            name, with: Array((marker + "\nThis folder is a destination of healthvault.\n").utf8))
        return (marker, try !folder.status(of: name).isPrivate)
    }
}
