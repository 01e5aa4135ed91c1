import SystemIO

/// Converts names of zip members to paths.
enum ZipName: Sendable {
    /// Returns the name unchanged if it is UTF-8, flagged or not (Apple's zips lack the flag), or else decoded from
    /// code page 437.
    static func path(_ bytes: [UInt8]) -> BytePath {
        if String(validating: bytes, as: UTF8.self) != nil { return BytePath(bytes: bytes) }
        let scalars = bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : high[Int($0) - 0x80] }
        return BytePath(String(String.UnicodeScalarView(scalars)))
    }

    /// The upper half of code page 437.
    private static let high = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)

    /// Returns whether the name stays inside the folder that it is extracted to, on any system, and can be printed.
    static func isSafe(_ name: BytePath) -> Bool {
        let parts = name.parts
        guard name.count <= longest, !name.isAbsolute, !parts.isEmpty, parts.allSatisfy(\.isPlainName),
            !name.bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") || $0 == 0x7f })
        else { return false }
        return parts.first?.bytes.last != UInt8(ascii: ":")
    }

    private static let longest = 1024

    /// Returns whether a file was left by an archiver or the Finder, and is not part of the export.
    static func isClutter(_ name: BytePath) -> Bool {
        let parts = name.parts
        guard let last = parts.last else { return true }
        return parts.first == "__MACOSX" || last == ".DS_Store" || last.hasPrefix("._")
    }
}
