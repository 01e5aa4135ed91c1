import SystemIO

/// An entry that waits to be decoded.
struct EntryWork: Sendable {
    let name: BytePath
    let bytes: [UInt8]
}
