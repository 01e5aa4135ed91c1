import DataCompression
import HealthFormats
import HealthModel
import VaultCrypto

/// Turns the compressed entries of a container back into what they were made of.
final class BatchDecoder: @unchecked Sendable {
    // @unchecked: a decoder is used by one task at a time, which has it from the pool.
    private var decompressor: ZstandardDecompressor
    private var reader = StoredBatchReader()
    private var writer = NDJSONWriter()

    /// The largest content of an entry.
    ///
    /// An element of the XML is at most 16 MiB, and six times that where all of it must be escaped.
    static let largestContent = 1 << 28

    init() throws { decompressor = try ZstandardDecompressor() }

    func decompress(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
        do { return try decompressor.decompress(bytes.span, limit: Self.largestContent) } catch {
            throw VaultError(.format(FormatError(.malformed)), path: path)
        }
    }

    func batch(_ bytes: [UInt8], _ path: String) throws -> SampleBatch {
        do { return try reader.read(try decompress(bytes, path)) } catch let error as FormatError {
            throw VaultError(.format(error), path: path)
        }
    }

    /// The rows of a batch as they stand in a plain folder.
    func lines(of batch: SampleBatch) -> [UInt8] {
        var text: [UInt8] = []
        writer.write(batch, to: &text)
        return text
    }

    /// The entry as it stands in a plain folder.
    func plain(_ name: String, _ bytes: [UInt8]) throws -> EncodedEntry {
        let content = try plainContent(name, bytes)
        return EncodedEntry(
            name: StoredEntry.plainPath(ofEntry: name), bytes: content,
            sha256: try SHA256.digest(of: content.span))
    }

    private func plainContent(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
        switch StoredEntry(name) {
        case .batch:
            return lines(of: try batch(bytes, name))
        case .prologue, .piece: return try decompress(bytes, name)
        case .session, .manifest, .other: return bytes
        }
    }
}
