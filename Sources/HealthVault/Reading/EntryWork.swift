/// An entry that waits to be decoded.
struct EntryWork: Sendable {
    let name: String
    let bytes: [UInt8]
}
