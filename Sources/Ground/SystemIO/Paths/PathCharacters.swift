/// Paths as characters, and bytes that do not belong to one.
extension BytePath {
    /// A character, or a byte that does not belong to one.
    public struct Character: Sendable {
        /// One to four bytes.
        public let bytes: ArraySlice<UInt8>
        /// The character that they encode in UTF-8; nil for a byte that does not belong to one.
        public let text: String?
    }

    /// The path, Unicode scalar by Unicode scalar.
    public var characters: [Character] {
        var characters: [Character] = []
        characters.reserveCapacity(count)
        var rest = bytes[...]
        while !rest.isEmpty {
            // No prefix of a character is a character itself, and none has more than four bytes.
            let found = (1...min(4, rest.count)).lazy.compactMap { length in
                String(validating: rest.prefix(length), as: UTF8.self).map { (length, $0) }
            }.first
            characters.append(Character(bytes: rest.prefix(found?.0 ?? 1), text: found?.1))
            rest = rest.dropFirst(found?.0 ?? 1)
        }
        return characters
    }
}
