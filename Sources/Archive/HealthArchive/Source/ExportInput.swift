package import AppleHealthExport
package import ByteText
package import SampleBatches

/// An open source, with the facts that are known before it is read.
package struct ExportInput {
    package let source: ExportSource
    package let document: any ByteStream
    package let fingerprint: FingerprintObserver
    /// The size of the source.
    package let size: SourceSize
    /// The time of the export, if it is in the document's first bytes.
    package let exported: Timestamp?
    /// The rule for putting samples into batches, determined for this source.
    package let batching: BatchOptions

    package init(_ source: ExportSource, _ batching: BatchOptions) throws {
        self.source = source
        self.batching = batching.resolved(forLength: source.documentSize)
        let (stream, prefix) = try source.openDocumentWithPrefix(count: 1 << 16)
        document = stream
        fingerprint = try FingerprintObserver(expectedLength: source.documentSize)
        exported = Self.exportDate(in: prefix)
        size = SourceSize(source)
    }

    /// The modification time for the output: that of the export, or 0.
    package var modified: Int { exported?.seconds ?? 0 }

    /// Returns the value of the element `ExportDate`.
    private static func exportDate(in bytes: [UInt8]) -> Timestamp? {
        let mark = Array("<ExportDate value=\"".utf8)
        guard bytes.count > mark.count + Timestamp.length else { return nil }
        for start in 0..<(bytes.count - mark.count - Timestamp.length)
        where bytes[start] == mark[0] && bytes[start..<(start + mark.count)].elementsEqual(mark) {
            let text = [UInt8](bytes[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") })
            return Timestamp(healthApp: text.span)
        }
        return nil
    }
}
