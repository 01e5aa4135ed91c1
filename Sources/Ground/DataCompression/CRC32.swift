import CISAL

/// The CRC-32 of zip and gzip (polynomial 0x04C11DB7, reflected; ISO 3309).
public struct CRC32: Sendable, Equatable {
    /// The checksum of the bytes so far.
    public private(set) var value: UInt32 = 0

    /// Starts a checksum.
    public init() {}

    /// Adds bytes to the checksum.
    public mutating func update(_ bytes: Span<UInt8>) {
        let seed = value
        value = unsafe bytes.withUnsafeBufferPointer {
            unsafe crc32_gzip_refl(seed, $0.baseAddress, UInt64($0.count))
        }
    }
}
