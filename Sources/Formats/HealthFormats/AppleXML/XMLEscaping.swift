import ByteSpans

/// Escapes text for XML.
enum XMLEscaping: Sendable {
    /// Returns whether a byte can be copied unchanged to the value of an attribute.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
            && byte != UInt8(ascii: "\"")
    }

    /// Appends the value of an attribute, without its quotes.
    ///
    /// White space that a parser would normalize to spaces is written as character references. Bytes that XML does not
    /// allow are written unchanged.
    static func append(value: Span<UInt8>, to output: inout [UInt8]) {
        append(value, to: &output) { byte in
            switch byte {
            case UInt8(ascii: "\""): "&quot;"
            case 0x09: "&#9;"
            case 0x0a: "&#10;"
            default: nil
            }
        }
    }

    /// Appends text between tags.
    static func append(text: Span<UInt8>, to output: inout [UInt8]) {
        append(text, to: &output) { _ in nil }
    }

    private static func append(
        _ text: Span<UInt8>, to output: inout [UInt8], _ further: (UInt8) -> StaticString?
    ) {
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, isPlain(text[index]) { index += 1 }
            output.append(copying: text.extracting(start..<index))
            guard index < text.count else { return }
            let byte = text[index]
            let reference: StaticString? =
                switch byte {
                case UInt8(ascii: "&"): "&amp;"
                case UInt8(ascii: "<"): "&lt;"
                case UInt8(ascii: ">"): "&gt;"
                case 0x0d: "&#13;"
                default: further(byte)
                }
            if let reference { output += Array("\(reference)".utf8) } else { output.append(byte) }
            index += 1
        }
    }
}
