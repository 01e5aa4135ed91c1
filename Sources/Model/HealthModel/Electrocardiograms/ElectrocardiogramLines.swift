/// The lines of a text, which end with LF, CR LF or CR.
struct ElectrocardiogramLines {
    private let bytes: [UInt8]
    private var position: Int
    /// The number of the last line read, from 1; 0 before the first.
    private(set) var number = 0

    /// Starts after the byte order mark, if there is one.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// Returns the next line without its line ending; nil after the last.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    mutating func next() -> Substring.UnicodeScalarView? {
        guard position < bytes.count else { return nil }
        let end = bytes[position...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        let isPair = end + 1 < bytes.count && bytes[end] == 0x0d && bytes[end + 1] == 0x0a
        position = end + (isPair ? 2 : 1)
        number += 1
        return Substring(text).unicodeScalars
    }
}

// The text of a field in a file of comma-separated values (RFC 4180, section 2).
extension Substring.UnicodeScalarView {
    /// The text without white space at its ends, including non-breaking spaces.
    var trimmed: Self {
        let start = drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return start }
        return start[...last]
    }

    /// The trimmed text without the quotes around it; a doubled quote inside stands for one.
    var unquoted: Self {
        let field = trimmed
        guard field.first == "\"", field.last == "\"", field.count >= 2 else { return field }
        var text = String.UnicodeScalarView()
        var isDoubled = false
        for scalar in field.dropFirst().dropLast() {
            isDoubled = scalar == "\"" && !isDoubled
            if !isDoubled { text.append(scalar) }
        }
        return Substring(String(text)).unicodeScalars.trimmed
    }
}
