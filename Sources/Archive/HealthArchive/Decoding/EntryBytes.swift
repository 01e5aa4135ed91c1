package import SystemIO

/// The bytes of an entry, as they are stored or as a plain folder contains them.
package struct EntryBytes: Sendable {
    /// The name of the stored entry, or the path in a plain folder.
    package let name: BytePath
    package let bytes: [UInt8]

    /// Makes a value of a name and bytes.
    package init(name: BytePath, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
