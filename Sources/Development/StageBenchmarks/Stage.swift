import AppleHealthExport
import ByteText
import DataCompression
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// A stage, and the function that runs it alone.
struct Stage: Sendable {
    let name: String
    let summary: String
    /// Runs the stage once and returns a number that depends on its output, so that no work can be optimised away.
    let run: @Sendable (borrowing Material) throws -> Int

    /// All stages: first those of an export in their order, then those of reading it back.
    static let all = [
        Stage(name: "read", summary: "read or inflate the document, with its CRC-32") { material in
            let stream = try material.source.openDocument()
            var window = [UInt8](repeating: 0, count: 1 << 18)
            var size = 0
            while true {
                let count = try Material.read(stream, into: &window)
                if count == 0 { return size }
                size += count
            }
        },
        Stage(name: "scan", summary: "find rows and their values") { material in
            var sink = CountingSink()
            var reader = DocumentReader(MemoryStream(material.document), name: "document")
            while try reader.advance(into: &sink) {}
            return sink.size
        },
        Stage(name: "scan+collect", summary: "the same, and write them into the columns of their batches") {
            material in
            try Material.collect(material.document).reduce(0) { $0 + $1.rowSize }
        },
        Stage(name: "columns", summary: "write batches as JSON") { material in
            var writer = StoredBatchWriter()
            return material.closed.reduce(0) { $0 + writer.write($1.columns).count }
        },
        Stage(name: "zstd", summary: "compress the columns") { material in
            var compressor = try ZstandardCompressor()
            return try material.columns.indices.reduce(0) {
                try $0 + material.compress($1, &compressor).count
            }
        },
        Stage(name: "seal", summary: "derive keys and encrypt what was compressed") { material in
            let key = try SecretBytes.random(count: 32)
            let salt = [UInt8](repeating: 0, count: 24)
            var sealed: [UInt8] = []
            return try material.segments.reduce(0) { size, segment in
                var encryption = try ChunkedEncryption(inputKey: key, salt: salt, context: [])
                sealed.removeAll(keepingCapacity: true)
                let chunks = 0..<ChunkedEncryption.chunkCount(of: segment.count)
                try encryption.seal(chunks: chunks, of: segment.span, into: &sealed)
                return size + sealed.count
            }
        },
        Stage(name: "NDJSON", summary: "write batches as NDJSON") { material in
            var writer = NDJSONWriter()
            var text: [UInt8] = []
            return material.batches.reduce(0) { size, batch in
                text.removeAll(keepingCapacity: true)
                writer.write(batch, to: &text)
                return size + text.count
            }
        },
        Stage(name: "SHA-256", summary: "digest the NDJSON, for the list beside it") { material in
            try material.lines.reduce(0) { try $0 + SHA256.digest(of: $1.span).count }
        },
        Stage(name: "unzstd", summary: "decompress the columns") { material in
            var decompressor = try ZstandardDecompressor()
            return try material.frames.reduce(0) {
                try $0 + decompressor.decompress(frames: $1.span, frameLimit: .max, limit: .max).count
            }
        },
        Stage(name: "decode", summary: "read the columns back into batches") { material in
            var reader = StoredBatchReader()
            return try material.columns.reduce(0) { try $0 + reader.read($1).count }
        },
        Stage(name: "identity", summary: "sum the identities of all rows, for comparing exports") {
            material in
            material.batches.reduce(0) { $0 + $1.identitySum().count }
        },
        Stage(name: "samples", summary: "read start and value of each quantity sample") { material in
            var (sum, starts) = (0.0, 0)
            for batch in material.batches {
                guard let type = SampleType<QuantitySample>(batch.sampleType.identifier),
                    let samples = batch.samples(of: type)
                else { continue }
                for sample in samples {
                    sum += sample.value ?? 0
                    starts &+= sample.startDate?.seconds ?? 0
                }
            }
            return starts &+ Int(sum)
        },
        Stage(name: "quantities", summary: "put starts, ends, values and sources into columns") { material in
            var count = 0
            for batch in material.batches {
                guard let type = SampleType<QuantitySample>(batch.sampleType.identifier),
                    let samples = batch.samples(of: type)
                else { continue }
                var columns = QuantityColumns()
                columns.append(samples)
                count += columns.count
            }
            return count
        },
    ]
}

/// A sink that keeps only the total size of the rows.
private struct CountingSink: RowSink {
    var size = 0

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        self.size += size
    }

    mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>
    ) {
        for row in 0..<rows.count { size += rows.size(of: row) }
    }
}
