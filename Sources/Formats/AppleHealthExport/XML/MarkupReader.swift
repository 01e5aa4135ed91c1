import ByteText
import SampleBatches

/// The reason that markup could not be read.
enum MarkupIssue: Error, Equatable {
    /// The window ends inside the markup.
    case needsMore
    /// The markup is not well-formed XML.
    case problem(ExportError.Problem, at: Int)
    /// Elements are nested too deeply.
    case tooDeep(at: Int)
    /// An element has too many attributes or nested parts.
    case tooMany(at: Int)
}

/// A start tag, as ranges of its source bytes.
struct StartTag {
    var name = 0..<0
    /// Names and values of the attributes; values are without quotes, with entities as written.
    var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    /// Whether the tag ends with `/>`.
    var isEmpty = false
    /// The offset after the tag.
    var end = 0
    /// Whether any value is in single quotes.
    var hasSingleQuotes = false
}

/// Reads markup by the rules of XML 1.0, without interpreting names and values.
enum MarkupReader: Sendable {
    /// The limit on the nesting of elements; Apple's are nested five deep.
    static let depthLimit = 64
    /// The limit on the attributes of an element; Apple's have a dozen, and each in a row may need its own column.
    static let attributeLimit = BatchContext.mostSlots
    /// The limit on the elements, attributes and texts nested in a row; each takes a hundred bytes of memory or more.
    static let partLimit = 1 << 17

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d
    }

    @inline(__always)
    private static func isNameEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    /// Reads the start tag whose `<` is at `start`.
    ///
    /// - Parameter allowsSpaces: Whether names of attributes may have spaces, as those of iOS 8.
    static func startTag(
        _ bytes: Span<UInt8>, at start: Int, into tag: inout StartTag, allowsSpaces: Bool = false
    ) throws(MarkupIssue) {
        tag.attributes.removeAll(keepingCapacity: true)
        tag.hasSingleQuotes = false
        var index = start + 1
        tag.name = try name(bytes, &index)
        guard !tag.name.isEmpty else { throw .problem(.startTag, at: start) }
        while true {
            let before = index
            try skipSpace(bytes, &index)
            if bytes[index] == UInt8(ascii: ">") {
                tag.isEmpty = false
                tag.end = index + 1
                return
            }
            if bytes[index] == UInt8(ascii: "/") {
                guard index + 1 < bytes.count else { throw .needsMore }
                guard bytes[index + 1] == UInt8(ascii: ">") else { throw .problem(.startTag, at: index) }
                tag.isEmpty = true
                tag.end = index + 2
                return
            }
            guard index > before else { throw .problem(.startTag, at: index) }
            guard tag.attributes.count < attributeLimit else { throw .tooMany(at: index) }
            try attribute(bytes, &index, into: &tag, allowsSpaces)
        }
    }

    private static func attribute(
        _ bytes: Span<UInt8>, _ index: inout Int, into tag: inout StartTag, _ allowsSpaces: Bool
    ) throws(MarkupIssue) {
        var name = try name(bytes, &index)
        guard !name.isEmpty else { throw .problem(.startTag, at: index) }
        let nameEnd = index
        try skipSpace(bytes, &index)
        if allowsSpaces, index == nameEnd + 1, !isNameEnd(bytes[index]) {
            name = try spacedName(bytes, from: name.lowerBound, &index)
            try skipSpace(bytes, &index)
        }
        guard bytes[index] == UInt8(ascii: "=") else {
            throw .problem(.attributeWithoutValue, at: name.lowerBound)
        }
        index += 1
        try skipSpace(bytes, &index)
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .problem(.attributeWithoutQuotes, at: index)
        }
        if quote == UInt8(ascii: "'") { tag.hasSingleQuotes = true }
        let start = index + 1
        let end = bytes.firstIndex(of: quote, from: start)
        // A missing quote would extend the value to the next quote; this is detected, because `<` is not allowed in a
        // value.
        let open = bytes.firstIndex(of: UInt8(ascii: "<"), from: start, before: end)
        guard open == end else { throw .problem(.lessThanInAttribute, at: open) }
        // A block of zeros may have taken the closing quote, and the value then includes other elements.
        if let zeros = zeros(bytes, start..<end) { throw .problem(.zeros, at: zeros) }
        guard !endsInRecord(bytes, start..<end) else {
            throw .problem(.elementWithoutBracket, at: end - recordStart.count)
        }
        guard end < bytes.count else { throw .needsMore }
        tag.attributes.append((name, start..<end))
        index = end + 1
    }

    private static func name(_ bytes: Span<UInt8>, _ index: inout Int) throws(MarkupIssue) -> Range<Int> {
        let start = index
        while index < bytes.count, !isNameEnd(bytes[index]) { index += 1 }
        guard index < bytes.count else { throw .needsMore }
        // A name that is not UTF-8 could not be stored exactly.
        guard
            bytes.isASCII(start..<index)
                || String(validating: bytes.array(start..<index), as: UTF8.self) != nil
        else { throw .problem(.nameEncoding, at: start) }
        if let zeros = zeros(bytes, start..<index) { throw .problem(.zeros, at: zeros) }
        return start..<index
    }

    /// Reads the rest of a name that has spaces: the words up to the equals sign, each after one space.
    ///
    /// - Parameter index: The start of the second word.
    private static func spacedName(
        _ bytes: Span<UInt8>, from start: Int, _ index: inout Int
    ) throws(MarkupIssue) -> Range<Int> {
        var end = index
        while !isNameEnd(bytes[index]) {
            end = try name(bytes, &index).upperBound
            guard bytes[index] == 0x20 else { break }
            guard index + 1 < bytes.count else { throw .needsMore }
            if !isNameEnd(bytes[index + 1]) { index += 1 }
        }
        let words = String(decoding: bytes.array(start..<end), as: UTF8.self).split(separator: " ")
        guard MarkupName.isSpaced(words.map { String($0) }) else {
            throw .problem(.attributeWithoutValue, at: start)
        }
        return start..<end
    }

    private static func skipSpace(_ bytes: Span<UInt8>, _ index: inout Int) throws(MarkupIssue) {
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { throw .needsMore }
    }

    /// Finds the end of an element whose start tag ends at `start`.
    ///
    /// - Returns: The offset of its end tag, and the offset after that tag.
    static func content(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>
    ) throws(MarkupIssue) -> (end: Int, next: Int) {
        var index = start
        var depth = 0
        while true {
            index = bytes.firstIndex(of: UInt8(ascii: "<"), from: index)
            guard index + 1 < bytes.count else { throw .needsMore }
            switch bytes[index + 1] {
            case UInt8(ascii: "/"):
                let close = bytes.firstIndex(of: UInt8(ascii: ">"), from: index)
                guard close < bytes.count else { throw .needsMore }
                if depth == 0 {
                    guard isName(bytes, (index + 2)..<close, name) else {
                        throw .problem(.endTagMismatch, at: index)
                    }
                    return (index, close + 1)
                }
                depth -= 1
                index = close + 1
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                index = try skipOther(bytes, at: index)
            default:
                let (end, isEmpty) = try endOfTag(bytes, at: index)
                if !isEmpty { depth += 1 }
                guard depth < depthLimit else { throw .tooDeep(at: index) }
                index = end
            }
        }
    }

    /// Returns whether the name in an end tag, without trailing white space, equals the name at `expected`.
    static func isName(_ bytes: Span<UInt8>, _ range: Range<Int>, _ expected: Range<Int>) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound, isSpace(bytes[end - 1]) { end -= 1 }
        return end - range.lowerBound == expected.count
            && bytes.matches(at: range.lowerBound, bytes, expected)
    }

    /// Finds the end of a start tag, skipping quoted values.
    private static func endOfTag(_ bytes: Span<UInt8>, at start: Int) throws(MarkupIssue) -> (
        end: Int, isEmpty: Bool
    ) {
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                index = bytes.firstIndex(of: byte, from: index + 1)
                guard index < bytes.count else { throw .needsMore }
            } else if byte == UInt8(ascii: ">") {
                return (index + 1, bytes[index - 1] == UInt8(ascii: "/"))
            } else if byte == UInt8(ascii: "<") {
                throw .problem(.startTag, at: index)
            }
            index += 1
        }
        throw .needsMore
    }

    /// Returns the offset after a comment, a processing instruction or a CDATA section.
    static func skipOther(_ bytes: Span<UInt8>, at start: Int) throws(MarkupIssue) -> Int {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
            let open = Array(opening.utf8)
            guard bytes.matches(at: start, open.span, 0..<open.count) else {
                // The window may end inside the opening.
                let rest = bytes.count - start
                if rest < open.count, bytes.matches(at: start, open.span, 0..<rest) { throw .needsMore }
                continue
            }
            guard let end = place(of: Array(closing.utf8), in: bytes, from: start + open.count) else {
                throw .needsMore
            }
            return end + closing.utf8.count
        }
        throw .problem(.unterminatedMarkup, at: start)
    }

    /// Returns whether `skipOther` skips a CDATA section at `start`, which is text and not a comment.
    static func isCDATA(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        bytes[start + 1] == UInt8(ascii: "!") && bytes[start + 2] == UInt8(ascii: "[")
    }

    private static let recordStart = Array("Record type=".utf8)

    /// Returns whether a value that lost its closing quote took the start of a record, up to the quote of its type, that lost
    /// its bracket.
    @inline(__always)
    static func endsInRecord(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        !value.isEmpty && bytes[value.upperBound - 1] == UInt8(ascii: "=") && value.count > recordStart.count
            && bytes.matches(at: value.upperBound - recordStart.count, recordStart)
    }

    /// The number of NUL bytes in succession that no program writes; fewer are kept as they are.
    private static let longestZeros = 16

    /// Returns the start of a block of zeros; nil if there is none.
    static func zeros(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = bytes.firstIndex(of: 0, from: range.lowerBound, before: range.upperBound)
        while index + longestZeros <= range.upperBound {
            var end = index
            while end < range.upperBound, bytes[end] == 0 { end += 1 }
            if end - index >= longestZeros { return index }
            index = bytes.firstIndex(of: 0, from: end, before: range.upperBound)
        }
        return nil
    }

    /// Returns whether a text between elements has attributes, as an element has that lost its `<`.
    static func looksLikeAttributes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        place(of: Array("=\"".utf8), in: bytes.extracting(range), from: 0) != nil
    }

    /// Returns the offset of the first occurrence of a pattern; nil if there is none.
    static func place(of pattern: [UInt8], in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index <= bytes.count - pattern.count {
            index = bytes.firstIndex(of: pattern[0], from: index)
            if bytes.matches(at: index, pattern.span, 0..<pattern.count) { return index }
            index += 1
        }
        return nil
    }
}
