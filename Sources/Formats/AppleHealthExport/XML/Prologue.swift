import ByteText

/// The part of a document before the root element: XML declaration, document type, comments.
///
/// Not all of Apple's document types are well-formed (that of iOS 16.0 is not), so they are not interpreted: a document
/// type ends at its first `]` and `>` outside comments and literals, and stray bytes after it are skipped.
struct Prologue: Sendable, Equatable {
    /// The bytes up to the root element.
    let bytes: [UInt8]

    /// The longest accepted prologue, in bytes.
    static let longest = 1 << 20

    /// Reads the prologue at the start of a window.
    ///
    /// - Returns: nil if the window ends inside the prologue.
    init?(_ window: Span<UInt8>, atEnd: Bool) throws(ExportError) {
        guard window.count >= 4 || atEnd else { return nil }
        try Self.checkEncoding(window)
        let root = Array("<HealthData".utf8)
        var index = 0
        while true {
            let start = window.firstIndex(of: UInt8(ascii: "<"), from: index)
            guard start + Self.longestOpening <= window.count || atEnd else {
                guard window.count <= Self.longest else {
                    throw ExportError(.malformed(.prologue), offset: 0)
                }
                return nil
            }
            guard start < window.count else { throw ExportError(.noHealthDocument) }
            if window.matches(at: start, root.span, 0..<root.count) {
                bytes = window.array(0..<start)
                return
            }
            if start + 1 < window.count, Self.startsName(window[start + 1]) {
                // The root element has a different name.
                throw ExportError(.noHealthDocument, offset: start)
            }
            let isAll = atEnd || window.count > Self.longest
            guard let end = Self.end(ofMarkupAt: start, window, isAll: isAll) else {
                guard window.count <= Self.longest, !atEnd else {
                    throw ExportError(atEnd ? .truncated : .malformed(.prologue), offset: start)
                }
                return nil
            }
            if let entity = MarkupReader.place(
                of: Array("<!ENTITY".utf8), in: window.extracting(0..<end), from: start)
            {
                throw ExportError(.entityDeclaration, offset: entity)
            }
            index = end
        }
    }

    private static let longestOpening = 12

    private static func startsName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Returns the offset after a declaration, a comment or a document type; nil if it is unterminated or a foreign
    /// root element.
    ///
    /// - Parameter isAll: Whether the window has all that may belong to the prologue; nil may otherwise mean that it ends too early.
    private static func end(ofMarkupAt start: Int, _ window: Span<UInt8>, isAll: Bool) -> Int? {
        let doctype = Array("<!DOCTYPE".utf8)
        guard window.matches(at: start, doctype.span, 0..<doctype.count) else {
            return try? MarkupReader.skipOther(window, at: start)
        }
        // Without an internal subset, a document type ends at its first `>`.
        let close = window.firstIndex(of: UInt8(ascii: ">"), from: start)
        let bracket = window.firstIndex(of: UInt8(ascii: "["), from: start)
        if close < bracket { return close + 1 }
        // Not more than a prologue may have, so that the result does not depend on how much more there is.
        let part = window.extracting(..<min(window.count, longest))
        if let end = endOfSubset(from: bracket + 1, part, isAll: isAll) { return end }
        guard isAll else { return nil }
        // An unterminated comment or literal is one of Apple's errors, and does not extend to the end of the document.
        return MarkupReader.place(of: Array("]>".utf8), in: part, from: start).map { $0 + 2 }
    }

    /// Returns the offset after the internal subset and the `>` that ends the document type.
    private static func endOfSubset(from start: Int, _ window: Span<UInt8>, isAll: Bool) -> Int? {
        let comment = Array("<!--".utf8)
        var index = start
        var line = start
        while index < window.count {
            switch window[index] {
            case UInt8(ascii: "<") where window.matches(at: index, comment.span, 0..<comment.count):
                guard let end = try? MarkupReader.skipOther(window, at: index) else { return nil }
                index = end
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // A literal lies within one line; a lone apostrophe does not start a literal.
                if line <= index { line = window.firstIndex(of: UInt8(ascii: "\n"), from: index) }
                let close = window.firstIndex(
                    of: window[index], from: index + 1, before: max(line, index + 1))
                // Neither may have come yet.
                guard close < line || line < window.count || isAll else { return nil }
                index = close < line ? close + 1 : index + 1
            case UInt8(ascii: "]"):
                index += 1
                while index < window.count, MarkupReader.isSpace(window[index]) { index += 1 }
                if index < window.count, window[index] == UInt8(ascii: ">") { return index + 1 }
            default: index += 1
            }
        }
        return nil
    }

    /// Whether it has a document type, as all exports since iOS 9.
    var hasDocumentType: Bool {
        MarkupReader.place(of: Array("<!DOCTYPE".utf8), in: bytes.span, from: 0) != nil
    }

    private static func checkEncoding(_ window: Span<UInt8>) throws(ExportError) {
        if window.count >= 2 {
            let first = (window[0], window[1])
            if first == (0xfe, 0xff) || first == (0xff, 0xfe) || first.0 == 0 || first.1 == 0 {
                throw ExportError(.unsupportedEncoding, offset: 0)
            }
        }
        let declaration = Array("<?xml".utf8)
        guard window.matches(at: 0, declaration.span, 0..<declaration.count) else { return }
        let end = window.firstIndex(of: UInt8(ascii: ">"), from: 0)
        let text = Array(String(decoding: window.array(0..<min(end, 200)), as: UTF8.self).lowercased().utf8)
        let mark = Array("encoding".utf8)
        guard let place = MarkupReader.place(of: mark, in: text.span, from: 0),
            place + mark.count < text.count
        else { return }
        let name = String(decoding: text[(place + mark.count)...], as: UTF8.self)
            .drop { "= \t\"'".contains($0) }.prefix { !"\"'".contains($0) }
        guard ["utf-8", "utf8", "us-ascii"].contains(String(name)) else {
            throw ExportError(.unsupportedEncoding, offset: 0, detail: String(name))
        }
    }

    /// The number in Apple's comment "HealthKit Export Version: 14".
    var version: Int? {
        let mark = Array("HealthKit Export Version:".utf8)
        guard let place = MarkupReader.place(of: mark, in: bytes.span, from: 0) else { return nil }
        let digits = bytes[(place + mark.count)...].drop { $0 == 0x20 }.prefix { $0 &- 0x30 < 10 }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
