package import SystemIO

/// An entry that is waiting to be decoded.
package struct EntryWork: Sendable {
    package let name: BytePath
    package let bytes: [UInt8]

    /// Makes the work for an entry.
    package init(name: BytePath, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
