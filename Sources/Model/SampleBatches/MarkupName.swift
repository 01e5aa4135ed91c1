/// Names of elements and attributes, which are copied into tags when a document is written.
package enum MarkupName: Sendable {
    /// Returns whether a name could have been read from a document: it is not empty, contains none of the bytes that end
    /// a name, and does not begin other markup.
    ///
    /// Archives that others have made could otherwise put whole elements into a name.
    package static func isReadable(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
            return false
        }
        return !name.utf8.contains { byte in
            switch byte {
            case 0x09, 0x0a, 0x0d, 0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="),
                UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                true
            default: false
            }
        }
    }
}
