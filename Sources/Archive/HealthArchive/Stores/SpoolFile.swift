import ByteText
package import SystemIO
package import VaultCrypto

/// An unnamed file, and the key of what is sealed in it.
package final class SpoolFile: Sendable {
    private let descriptor: FileDescriptor
    private let key: SecretBytes

    /// Makes a file in a folder, and removes its name.
    package init(in folder: OpenFolder, named name: BytePath = ".spool") throws {
        var name = name
        descriptor = try Self.create(&name, in: folder)
        do throws(SystemError) { try folder.removeFile(name, being: descriptor.status()) } catch {
            // Another process mistook it for a leftover and removed it.
            guard error.isMissing || error.isReplaced else { throw error }
        }
        key = try SecretBytes.random(count: AES256GCM.keyLength)
    }

    /// Creates the file, under another name if a file of somebody else has that one.
    ///
    /// A file that a killed process left behind is replaced. It is empty, because nothing is written before the name is gone.
    private static func create(_ name: inout BytePath, in folder: OpenFolder) throws -> FileDescriptor {
        do throws(SystemError) { return try folder.open(name, .create) } catch {
            guard error.isExisting else { throw error }
        }
        if let left = try folder.statusIfThere(of: name), left.kind == .file, left.size == 0 {
            try? folder.removeFile(name, being: left)
        } else {
            name = name + "-" + BytePath(Hexadecimal.text(try Random.bytes(8)))
        }
        return try folder.open(name, .create)
    }

    /// Returns a cipher with the key.
    package func cipher() throws(CryptoError) -> AES256GCM { try AES256GCM(key: key) }

    /// Seals an entry and writes it.
    ///
    /// - Parameters:
    ///   - bytes: The entry.
    ///   - number: Its number, which no other entry has.
    ///   - start: Where it starts in the file.
    ///   - positions: The positions of the first and the last row of a batch; nil for anything else.
    ///   - cipher: A cipher with the key.
    package func write(
        _ bytes: [UInt8], number: UInt64, at start: Int, positions: ClosedRange<Int>? = nil,
        _ cipher: inout AES256GCM
    ) throws -> SpooledPlace {
        let place = SpooledPlace(
            number: number, start: start, length: bytes.count + AES256GCM.tagLength, positions: positions)
        let (nonce, nothing) = (place.nonce, [UInt8]())
        let sealed = try [UInt8](capacity: place.length) {
            (output: inout OutputSpan<UInt8>) throws(CryptoError) in
            try cipher.seal(bytes.span, nonce: nonce.span, authenticating: nothing.span, into: &output)
        }
        try descriptor.write(sealed.span, at: start)
        return place
    }

    /// Returns the bytes of an entry.
    package func bytes(at place: SpooledPlace, _ cipher: inout AES256GCM) throws -> [UInt8] {
        let sealed = try descriptor.bytes(at: place.start, count: place.length)
        let (nonce, nothing) = (place.nonce, [UInt8]())
        return try [UInt8](capacity: sealed.count) {
            (output: inout OutputSpan<UInt8>) throws(CryptoError) in
            try cipher.open(sealed.span, nonce: nonce.span, authenticating: nothing.span, into: &output)
        }
    }
}

/// The place of an entry in a spool.
package struct SpooledPlace: Sendable {
    package let number: UInt64
    package let start: Int
    package let length: Int
    /// The positions of the first and the last row of a batch; nil for anything else.
    package let positions: ClosedRange<Int>?

    package init(number: UInt64, start: Int, length: Int, positions: ClosedRange<Int>? = nil) {
        self.number = number
        self.start = start
        self.length = length
        self.positions = positions
    }

    /// Four zero bytes, followed by the entry's number in big-endian order.
    var nonce: [UInt8] {
        [UInt8](repeating: 0, count: 4)
            + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
