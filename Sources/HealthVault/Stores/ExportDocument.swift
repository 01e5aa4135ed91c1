import AppleHealthExport
import HealthModel
import SystemIO
import VaultCrypto

/// The main document of an export, which can be opened again and again.
struct ExportDocument: Sendable {
    let name: String
    /// Its length, nil where only the end will tell.
    let size: Int?
    let open: @Sendable () throws -> any ByteStream
    /// What is known of it without reading it through.
    let quickFacts: @Sendable () throws -> StoreFingerprint

    init(
        name: String, size: Int?, open: @escaping @Sendable () throws -> any ByteStream,
        quickFacts: @escaping @Sendable () throws -> StoreFingerprint
    ) {
        self.name = name
        self.size = size
        self.open = open
        self.quickFacts = quickFacts
    }

    init(_ source: ExportSource) {
        self.init(name: source.documentName, size: source.documentSize) {
            try source.openDocument()
        } quickFacts: {
            try Self.facts(source)
        }
    }

    /// A zip's directory knows the checksum; of a file the first and the last MiB are read.
    private static func facts(_ source: ExportSource) throws -> StoreFingerprint {
        var facts = ["kind": "export"]
        if let crc32 = source.documentCRC32 { facts["crc32"] = Hexadecimal.text(crc32) }
        if let path = source.documentFile {
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

    /// The fingerprint of a document that was read through.
    func fingerprint(_ observer: FingerprintObserver, crc32: UInt32) throws -> StoreFingerprint {
        var facts = try quickFacts().facts
        let seen = try observer.fingerprint(crc32: crc32)
        facts["length"] = String(seen.length)
        facts["head"] = Hexadecimal.text(seen.head)
        facts["tail"] = Hexadecimal.text(seen.tail)
        if size != nil { facts["crc32"] = Hexadecimal.text(seen.crc32) }
        return StoreFingerprint(facts)
    }
}
