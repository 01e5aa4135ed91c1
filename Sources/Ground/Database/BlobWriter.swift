import CSQLite

/// Writes the content of a blob in pieces.
///
/// A blob has a fixed length: bytes that are not written stay zero. After a change to its row, writing fails
/// (`SQLITE_ABORT`).
@safe public struct BlobWriter: ~Copyable {
    private let blob: OpaquePointer
    // Stays valid as long as the blob is open.
    private let connection: OpaquePointer
    /// Number of bytes written so far, and the offset of the next ones.
    public private(set) var position = 0

    init(_ blob: OpaquePointer, _ connection: OpaquePointer) {
        unsafe self.blob = blob
        unsafe self.connection = connection
    }

    deinit { unsafe sqlite3_blob_close(blob) }

    /// The length of the blob in bytes.
    public var count: Int { Int(unsafe sqlite3_blob_bytes(blob)) }

    /// Writes the next bytes.
    ///
    /// - Throws: `SQLITE_ERROR`, with nothing written, if they would go beyond the end.
    public mutating func write(_ bytes: Span<UInt8>) throws(DatabaseError) {
        guard !bytes.isEmpty else { return }
        let code = unsafe bytes.withUnsafeBytes {
            unsafe sqlite3_blob_write(
                blob, $0.baseAddress, Int32(clamping: $0.count), Int32(clamping: position))
        }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(.writeBlob, code: code, connection: connection)
        }
        position += bytes.count
    }

    /// Closes the blob; outside of a transaction, this commits it.
    public consuming func close() throws(DatabaseError) {
        let (blob, connection) = unsafe (blob, connection)
        discard self
        let code = unsafe sqlite3_blob_close(blob)
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(.closeBlob, code: code, connection: connection)
        }
    }
}

@available(*, unavailable)
extension BlobWriter: Sendable {}
