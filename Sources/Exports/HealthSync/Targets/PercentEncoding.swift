import ByteText

/// Texts that a stranger may have chosen, as names of files, in URLs and in identifiers of a server.
enum PercentEncoding: Sendable {
    /// Returns a name that neither a file system nor a URL takes for anything else: letters, digits, hyphens,
    /// underscores, and the rest as `%XX`; `%` alone for an empty text.
    static func name(_ text: String) -> String {
        var name = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: name.unicodeScalars.append(.init(byte))
            default: name += "%" + Hexadecimal.text([byte])
            }
        }
        return name.isEmpty ? "%" : name
    }

    /// Returns the text that a name stands for; nil if it is not one of ours.
    static func text(ofName name: String) -> String? {
        if name == "%" { return "" }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self))
            else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
