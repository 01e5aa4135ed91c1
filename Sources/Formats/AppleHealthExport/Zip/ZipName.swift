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
        guard name.count <= longest, !name.isEmpty, !name.isAbsolute, name.hasOnlyNames,
            !name.bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") || $0 == 0x7f })
        else { return false }
        return name.bytes.prefix { $0 != UInt8(ascii: "/") }.last != UInt8(ascii: ":")
    }

    private static let longest = 1024

    /// Returns whether a file was left by an archiver or the Finder, and is not part of the export.
    static func isClutter(_ name: BytePath) -> Bool {
        let last = name.name
        return name == "__MACOSX" || name.hasPrefix("__MACOSX/") || last == ".DS_Store"
            || last.hasPrefix("._")
    }
}
