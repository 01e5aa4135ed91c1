import AppleHealthExport
import ByteText
import DataCompression
import HealthArchive
import HealthModel
import SampleBatches
import VaultContainer

/// The text in an output that describes the session that writes it and the container that it continues.
struct SessionDescription: Sendable {
    private let tool: String
    private let batching: String
    private let documentLength: Int?
    private let documentCRC32: UInt32?
    private let head: String?
    private let tail: String?
    private let files: Int

    init(_ input: ExportInput, tool: String) throws {
        let facts = try ExportDocument(input.source).quickFacts().facts
        self.tool = tool
        batching = input.batching.description
        documentLength = input.source.documentSize
        documentCRC32 = input.source.documentCRC32
        head = facts["head"]
        tail = facts["tail"]
        files = input.source.sideFiles.count
    }

    /// Makes the text for an export that was read back.
    init(_ manifest: Manifest, tool: String) {
        self.tool = tool
        batching = manifest.batching
        documentLength = manifest.fingerprint.length
        documentCRC32 = manifest.fingerprint.crc32
        head = Hexadecimal.text(manifest.fingerprint.head)
        tail = Hexadecimal.text(manifest.fingerprint.tail)
        files = manifest.files.count
    }

    /// Returns the text for a container with a key.
    ///
    /// - Parameters:
    ///   - key: The key of the container.
    ///   - predecessor: The container that it continues.
    ///   - continuation: The record of the predecessor.
    /// - Throws: `cryptoFailed` if there is not enough memory.
    func json(
        for key: ContainerKey, continuing predecessor: ChainLink, as continuation: Continuation
    ) throws(ContainerError) -> [UInt8] {
        var continuation = continuation
        continuation.key = try key.wrap(predecessor.reader.key, index: predecessor.reader.indexDigest)
        return json(continuing: continuation)
    }

    /// Returns the text.
    func json(continuing: Continuation? = nil) -> [UInt8] {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            writer.member("session", 1)
            writer.member("tool", tool)
            writer.member("zstd", ZstandardCompressor.libraryVersion)
            writer.member("batching", batching)
            writer.member("memory", BatchCollector.memory)
            writer.member("idleRows", BatchCollector.idleRows)
            writer.key("documentLength")
            if let documentLength { writer.integer(documentLength) } else { writer.null() }
            writer.key("documentCRC32")
            if let documentCRC32 { writer.string(Hexadecimal.text(documentCRC32)) } else { writer.null() }
            if let head { writer.member("documentHead", head) }
            if let tail { writer.member("documentTail", tail) }
            writer.member("files", files)
            continuing?.write(&writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
