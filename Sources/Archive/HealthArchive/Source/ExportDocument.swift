package import AppleHealthExport
import ByteText
package import HealthModel
package import SystemIO
import VaultCrypto

/// The main document of an export, which can be opened repeatedly.
package struct ExportDocument: Sendable {
    package let name: BytePath
    /// Its length in bytes; nil if it is known only at the end.
    package let size: Int?
    package let open: @Sendable () throws -> any ByteStream
    /// Called with the progress of each pass.
    package var progress: ProgressHandler = { _ in }
    /// The facts that are known without reading any of it.
    private let givenFacts: [String: String]
    /// The path of the document, if it is a separate file.
    private let file: BytePath?

    /// Makes a document that is not in a file.
    package init(
        name: BytePath, facts: StoreFingerprint, open: @escaping @Sendable () throws -> any ByteStream
    ) {
        self.name = name
        self.open = open
        size = nil
        givenFacts = facts.facts
        file = nil
    }

    package init(_ source: ExportSource) {
        name = source.documentName
        size = source.documentSize
        open = { try source.openDocument() }
        file = source.documentFile
        var facts = ["kind": "export"]
        if let crc32 = source.documentCRC32 { facts["crc32"] = Hexadecimal.text(crc32) }
        givenFacts = facts
    }

    /// Reports how much of it a pass has read.
    func report(_ reader: borrowing DocumentReader) {
        progress(VaultProgress(.reading, subject: name.description, done: reader.bytesRead, total: size))
    }

    /// Returns the facts that are known without reading all of it: the checksum in a zip's directory, or digests of the
    /// first and the last MiB of a file.
    package func quickFacts() throws -> StoreFingerprint {
        var facts = givenFacts
        if let path = file {
            let file = try FileDescriptor(opening: path, .read)
            let size = try file.status().size
            let edge = SourceFingerprint.edge
            facts["length"] = String(size)
            let head = try file.bytes(at: 0, count: min(size, edge))
            let tail = try file.bytes(at: max(0, size - edge), count: min(size, edge))
            facts["head"] = Hexadecimal.text(try SHA256.digest(of: head.span))
            facts["tail"] = Hexadecimal.text(try SHA256.digest(of: tail.span))
        }
        return StoreFingerprint(facts)
    }

    /// Returns the fingerprint of a document that was read completely.
    package func fingerprint(_ observer: FingerprintObserver, crc32: UInt32) throws -> StoreFingerprint {
        var facts = givenFacts
        let seen = try observer.fingerprint(crc32: crc32)
        facts["length"] = String(seen.length)
        facts["head"] = Hexadecimal.text(seen.head)
        facts["tail"] = Hexadecimal.text(seen.tail)
        if size != nil { facts["crc32"] = Hexadecimal.text(seen.crc32) }
        return StoreFingerprint(facts)
    }
}
