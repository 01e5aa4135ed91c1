/// Collects small writes to a file into large ones.
public struct OutputBuffer: ~Copyable, Sendable {
    private let file: FileDescriptor
    private var pending: [UInt8] = []
    private let capacity: Int
    /// Bytes written so far, those still collected included.
    public private(set) var count = 0

    /// Writes to `file` in pieces of about `capacity` bytes.
    public init(_ file: consuming FileDescriptor, capacity: Int = 1 << 16) {
        self.file = file
        self.capacity = capacity
        pending.reserveCapacity(capacity)
    }

    /// Appends bytes; large ones go to the file directly.
    public mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
        count += bytes.count
        if pending.count + bytes.count > capacity { try flush() }
        if bytes.count >= capacity {
            try file.write(bytes)
        } else {
            for index in bytes.indices { pending.append(bytes[index]) }
        }
    }

    /// Hands everything collected to the system.
    public mutating func flush() throws(SystemError) {
        guard !pending.isEmpty else { return }
        try file.write(pending.span)
        pending.removeAll(keepingCapacity: true)
    }

    /// Flushes, brings the bytes onto the device if asked to, and closes the file.
    public consuming func finish(syncing: Bool) throws(SystemError) {
        try flush()
        if syncing { try file.sync() }
        try file.close()
    }
}
