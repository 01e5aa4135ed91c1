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

    /// Returns whether a name of an attribute could have been read from a document.
    ///
    /// iOS 8 writes the keys of metadata as names, with single spaces between their words.
    package static func isReadable(attribute name: String) -> Bool {
        name.split(separator: " ", omittingEmptySubsequences: false).allSatisfy { isReadable(String($0)) }
    }

    /// Returns whether words can form one name: none is the name of an attribute that has lost its value.
    package static func isSpaced(_ words: [String]) -> Bool {
        words.allSatisfy { AttributeKind(of: $0, in: "") == .text && $0 != AttributeKind.dayName }
    }
}
