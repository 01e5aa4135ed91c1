import ByteText

/// The number of oddities of each kind found in a document, for reporting.
public struct ScanOddities: Sendable, Equatable {
    /// Control characters that XML does not allow.
    public var controlCharacters = 0
    /// References to undefined entities, kept as written.
    public var undefinedReferences = 0
    /// Attributes that occur more than once in an element.
    public var duplicateAttributes = 0
    /// Bytes that are not UTF-8.
    public var malformedBytes = 0
    /// Times that are not in Apple's format, kept as text.
    public var unreadableDates = 0
    /// Runs of text between the children of the root element, which are kept.
    public var strayTexts = 0
    /// Comments between the elements, which are dropped.
    public var droppedComments = 0
    /// Processing instructions between the elements, which are dropped.
    public var droppedInstructions = 0
    /// Root elements of other documents among the children of the root element, which are kept like any element.
    public var nestedDocuments = 0

    /// Whether there are no oddities.
    public var isEmpty: Bool { self == ScanOddities() }

    /// Counts markup that is dropped.
    ///
    /// - Parameter mark: The byte after its `<`.
    mutating func addDropped(_ mark: UInt8) {
        if mark == UInt8(ascii: "?") { droppedInstructions += 1 } else { droppedComments += 1 }
    }

    mutating func add(_ other: ScanOddities, times: Int) {
        controlCharacters += other.controlCharacters * times
        undefinedReferences += other.undefinedReferences * times
        duplicateAttributes += other.duplicateAttributes * times
        malformedBytes += other.malformedBytes * times
        unreadableDates += other.unreadableDates * times
        strayTexts += other.strayTexts * times
        droppedComments += other.droppedComments * times
        droppedInstructions += other.droppedInstructions * times
        nestedDocuments += other.nestedDocuments * times
    }
}

/// Resolves references and normalises white space in attribute values, as XML 1.0 (section 3.3.3) requires.
enum AttributeText: Sendable {
    /// Returns the text between tags in a range, with references resolved and line ends normalised as XML 1.0 (section
    /// 2.11) requires.
    static func content(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ oddities: inout ScanOddities
    ) -> [UInt8] {
        var text: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "&") {
                index = reference(bytes, at: index, before: range.upperBound, into: &text, &oddities)
                continue
            }
            if bytes[index] < 0x20, !MarkupReader.isSpace(bytes[index]) { oddities.controlCharacters += 1 }
            appendLineEnd(bytes, &index, before: range.upperBound, to: &text)
        }
        return text
    }

    /// Returns the text of a CDATA section, which has no references.
    static func literal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound { appendLineEnd(bytes, &index, before: range.upperBound, to: &text) }
        return text
    }

    /// Appends a byte, or a line feed for a carriage return with or without a line feed after it.
    private static func appendLineEnd(
        _ bytes: Span<UInt8>, _ index: inout Int, before end: Int, to text: inout [UInt8]
    ) {
        let byte = bytes[index]
        text.append(byte == 0x0d ? 0x0a : byte)
        index += byte == 0x0d && index + 1 < end && bytes[index + 1] == 0x0a ? 2 : 1
    }

    /// Whether the bytes of a value stand for themselves: without references, and without characters that become others.
    private static func isLiteral(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where bytes[index] < 0x20 || bytes[index] == UInt8(ascii: "&") { return false }
        return true
    }

    /// Resolves the value in a range.
    static func resolve(_ bytes: Span<UInt8>, _ range: Range<Int>, _ oddities: inout ScanOddities) -> [UInt8]
    {
        if isLiteral(bytes, range) { return bytes.array(range) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let start = index
            while index < range.upperBound, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "&") {
                index += 1
            }
            text.append(copying: bytes.extracting(start..<index))
            guard index < range.upperBound else { break }
            switch bytes[index] {
            case UInt8(ascii: "&"):
                index = reference(bytes, at: index, before: range.upperBound, into: &text, &oddities)
                continue
            case 0x09, 0x0a: text.append(0x20)
            case 0x0d:
                // A line end becomes one character, however it is written (section 2.11).
                if index + 1 == range.upperBound || bytes[index + 1] != 0x0a { text.append(0x20) }
            default:
                oddities.controlCharacters += 1
                text.append(bytes[index])
            }
            index += 1
        }
        return text
    }

    /// Resolves the reference at `start` and returns the offset after it.
    ///
    /// An undefined reference is kept as written.
    static func reference(
        _ bytes: Span<UInt8>, at start: Int, before end: Int, into text: inout [UInt8],
        _ oddities: inout ScanOddities
    ) -> Int {
        // The longest defined reference, "&#x10FFFF;" apart from leading zeros, is short.
        let limit = min(end, start + 32)
        let stop = bytes.firstIndex(of: UInt8(ascii: ";"), from: start, before: limit)
        let name = bytes.extracting((start + 1)..<max(start + 1, stop))
        if stop < limit, let scalar = scalar(named: name) {
            if scalar.value < 0x20, ![0x09, 0x0a, 0x0d].contains(scalar.value) {
                oddities.controlCharacters += 1
            }
            if scalar.isASCII {
                text.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if let encoded = UTF8.encode(scalar) {
                text.append(contentsOf: encoded)
            }
            return stop + 1
        }
        oddities.undefinedReferences += 1
        text.append(UInt8(ascii: "&"))
        return start + 1
    }

    /// The entities that XML defines (section 4.6).
    private static let entities: [(name: [UInt8], scalar: Unicode.Scalar)] = [
        ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"),
    ].map { (Array($0.utf8), $1) }

    private static func scalar(named name: Span<UInt8>) -> Unicode.Scalar? {
        guard name.count > 0, name[0] == UInt8(ascii: "#") else {
            let known = entities.first { $0.name.count == name.count && name.matches(at: 0, $0.name) }
            return known?.scalar
        }
        let digits = String(decoding: name.extracting(1...).array, as: UTF8.self)
        let isHexadecimal = digits.hasPrefix("x")
        guard let first = digits.dropFirst(isHexadecimal ? 1 : 0).utf8.first, first != UInt8(ascii: "+"),
            first != UInt8(ascii: "-")
        else { return nil }
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init)
    }
}
