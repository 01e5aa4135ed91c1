import SystemIO

/// How names of zip members become text.
enum ZipName: Sendable {
    /// UTF-8 where the bytes are UTF-8, whether flagged so or not (Apple's zips lack the flag), else code page 437.
    static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(
            String.UnicodeScalarView(bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : high[Int($0) - 0x80] }))
    }

    /// The upper half of code page 437.
    private static let high = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)

    /// The name stays inside the folder that it is extracted to.
    static func isSafe(_ name: String) -> Bool {
        let parts = RelativePath.parts(of: name)
        guard name.utf8.count <= longest, parts.first?.isEmpty == false,
            RelativePath.staysInside(parts.filter { !$0.isEmpty }.joined(separator: "/")),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\\" || $0.value == 0x7f })
        else { return false }
        return parts.first?.utf8.last != UInt8(ascii: ":")
    }

    private static let longest = 1024

    /// What archivers and the Finder leave behind, and no part of the export.
    static func isClutter(_ name: String) -> Bool {
        let parts = RelativePath.parts(of: name).filter { !$0.isEmpty }
        guard let last = parts.last else { return true }
        return parts.first == "__MACOSX" || last == ".DS_Store" || last.startsWithBytes(of: "._")
    }
}
