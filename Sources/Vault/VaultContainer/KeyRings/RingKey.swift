import Glibc
public import SystemIO
import VaultCrypto

/// The key of a key ring, or the secret of pseudonyms: 32 random bytes in a file of their own.
///
/// Keep the file apart from what it is for: with a ring and its key, anyone can open the archives whose keys are in the ring.
public final class RingKey: Sendable {
    private let secret: SecretBytes

    /// The length of a key, and of its file, in bytes.
    public static let length = 32

    private init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Makes a random key, which is in no file yet.
    ///
    /// - Throws: `ContainerError`.
    public static func random() throws(ContainerError) -> RingKey {
        try crypto { () throws(CryptoError) in RingKey(try .random(count: length)) }
    }

    /// Reads the key in a file into locked memory.
    ///
    /// - Throws: `ContainerError`: `ringKeyExposed` if users other than its owner have permissions for the file,
    ///   `ringKeyMalformed` unless it has exactly 32 bytes.
    public init(reading path: BytePath) throws(ContainerError) {
        let file = try reading { () throws(SystemError) in try FileDescriptor(opening: path, .read) }
        let status = try reading { () throws(SystemError) in try file.status() }
        guard status.kind == .file else { throw ContainerError(.ringKeyMalformed) }
        guard !status.isOpenToOthers else { throw ContainerError(.ringKeyExposed) }
        do {
            // One byte more, to notice a file that is too long.
            var memory = try SecretBytes(zeroes: Self.length + 1)
            let count = try memory.withMutableSpan { span throws(SystemError) in
                try file.read(into: &span, at: 0)
            }
            guard count == Self.length else { throw ContainerError(.ringKeyMalformed) }
            secret = try memory.part(0..<Self.length)
        } catch let error as ContainerError {
            throw error
        } catch let error as SystemError {
            throw ContainerError(.io(error))
        } catch {
            throw ContainerError(.cryptoFailed)
        }
    }

    /// Writes the key to a new file that only its owner can read, durably; it has its name once it is complete.
    ///
    /// - Throws: `ContainerError`: `io` if there is a file already or it cannot be written, `ringKeyExposed` if the file
    ///   system has no permissions. Nothing is left behind then.
    public func save(to path: BytePath) throws(ContainerError) {
        let folder = try reading { () throws(SystemError) in try OpenFolder(holding: path) }
        let unfinished = path.name + ContainerFormat.temporarySuffix
        let file = try reading { () throws(SystemError) in try folder.claim(unfinished, .updateOrCreate) }
        let status = try reading { () throws(SystemError) in try file.status() }
        // A crash leaves an empty file or a key that no ring was made with; any other is left alone.
        guard status.size == 0 || status.size == Self.length && !status.isOpenToOthers else {
            throw ContainerError(
                .io(SystemError(call: .open, path: folder.place(unfinished), number: EEXIST)))
        }
        do throws(ContainerError) {
            guard !status.isOpenToOthers else { throw ContainerError(.ringKeyExposed) }
            try reading { () throws(SystemError) in
                try secret.withSpan { span throws(SystemError) in try file.write(span, at: 0) }
                try file.sync()
                try folder.rename(unfinished, being: status, to: path.name, replacing: nil)
            }
        } catch {
            try? folder.removeFile(unfinished, being: status)
            throw error
        }
    }

    /// Derives bytes for one purpose and one ring.
    ///
    /// - Parameters:
    ///   - purpose: What they are for, a text that no other purpose has.
    ///   - ring: The 32 bytes that identify the ring.
    ///   - archive: The 32 bytes that identify an archive; empty for what concerns the whole ring.
    func derive(
        _ purpose: StaticString, ring: [UInt8], archive: [UInt8] = [], count: Int
    ) throws(CryptoError) -> SecretBytes {
        let info = Array("healthvault/v1 keyring \(purpose)".utf8) + ring + archive
        return try HKDFSHA512.expand(key: secret, info: info.span, count: count)
    }

    /// Returns a code of a text, HMAC-SHA-512 (RFC 2104) under a key that is derived for one purpose.
    ///
    /// - Parameters:
    ///   - message: The text.
    ///   - purpose: What the code is for, a text that no other purpose has.
    /// - Throws: `ContainerError`, `cryptoFailed` if the crypto module fails.
    package func code(of message: [UInt8], for purpose: StaticString) throws(ContainerError) -> [UInt8] {
        try crypto { () throws(CryptoError) in
            let info = Array("healthvault/v1 \(purpose)".utf8)
            let key = try HKDFSHA512.expand(key: secret, info: info.span, count: HMACSHA512.codeLength)
            return try HMACSHA512.code(of: message.span, key: key)
        }
    }
}
