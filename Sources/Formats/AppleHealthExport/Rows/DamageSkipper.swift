import ByteText

/// Skips unreadable parts of a document, each up to the next element.
struct DamageSkipper {
    /// The byte ranges that were skipped, in order.
    private(set) var skipped: [Range<Int>] = []
    /// The start of the range being skipped.
    private var start: Int?
    /// The white space between a line break and the element at which skipping began; nil if there is none.
    private var indentation: Int?
    /// Whether skipping began at a correlation without indentation, so that only its end tells which records are its own.
    private var isInCorrelation = false
    /// Whether skipping is allowed at all.
    let isActive: Bool

    /// The maximum number of ranges; each may have required reading a whole element.
    private static let mostRanges = 10_000
    /// A length in bytes that no element name reaches.
    private static let longestName = 64

    init(isActive: Bool) { self.isActive = isActive }

    /// Whether all places have been skipped that may be.
    var isExhausted: Bool { isActive && skipped.count >= Self.mostRanges }

    /// Whether bytes are being skipped.
    var isSkipping: Bool { start != nil }

    /// Starts skipping at an offset in the document; returns false if skipping is not allowed or the limit is reached.
    mutating func begin(at offset: Int) -> Bool {
        guard isActive, skipped.count < Self.mostRanges else { return false }
        if start == nil {
            indentation = nil
            isInCorrelation = false
        }
        start = start ?? offset
        return true
    }

    /// Starts skipping at an element of a window.
    mutating func begin(_ bytes: Span<UInt8>, at index: Int, offset: Int) -> Bool {
        let isFirst = start == nil
        guard begin(at: offset + index) else { return false }
        if isFirst {
            indentation = Self.indentation(bytes, of: index)
            isInCorrelation =
                indentation == nil && bytes.matches(at: index, Self.startOfCorrelation)
        }
        return true
    }

    /// Stops skipping at an offset in the document.
    mutating func end(at offset: Int) {
        guard let start = start.take(), start < offset else { return }
        if let last = skipped.last, last.upperBound == start {
            skipped[skipped.count - 1] = last.lowerBound..<offset
        } else {
            skipped.append(start..<offset)
        }
    }

    /// Searches a window for the next element.
    ///
    /// - Parameters:
    ///   - bytes: The window.
    ///   - index: The index to search from; everything before it has been searched.
    ///   - offset: The window's offset in the document.
    ///   - atEnd: Whether nothing follows the window.
    /// - Returns: The index of the element and true, or the number of bytes no longer needed and false.
    mutating func next(
        _ bytes: Span<UInt8>, from index: Int, offset: Int, atEnd: Bool
    ) -> (index: Int, isFound: Bool) {
        guard let start else { return (index, true) }
        var place = max(index, start + 1 - offset)
        while true {
            place = bytes.firstIndex(of: UInt8(ascii: "<"), from: min(place, bytes.count))
            if place >= bytes.count { break }
            guard atEnd || place + Self.longestName < bytes.count else {
                // The white space in front of the element belongs to it.
                return (Self.lineStart(bytes, of: place), false)
            }
            if Self.isElement(bytes, at: place), !isNested(bytes, at: place) {
                switch isInCorrelation ? correlationEnd(bytes, from: place, atEnd: atEnd) : .elsewhere {
                case .elsewhere:
                    end(at: offset + place)
                    return (place, true)
                case .at(let end):
                    isInCorrelation = false
                    place = end
                    continue
                case .unknown: return (place, false)
                }
            }
            place += 1
        }
        if atEnd { end(at: offset + bytes.count) }
        return (atEnd ? bytes.count : Self.lineStart(bytes, of: bytes.count), false)
    }

    /// Where the correlation at which skipping began ends.
    private enum CorrelationEnd {
        /// After this index.
        case at(Int)
        /// Before what was found, or nowhere.
        case elsewhere
        /// More bytes will tell.
        case unknown
    }

    /// Looks for the end of a damaged correlation, which comes before the next one starts if an element is in it.
    private func correlationEnd(_ bytes: Span<UInt8>, from place: Int, atEnd: Bool) -> CorrelationEnd {
        let limit = min(bytes.count, place + Self.longestCorrelation)
        var place = place
        while place < limit {
            if bytes.matches(at: place, Self.endOfCorrelation) { return .at(place + 1) }
            if bytes.matches(at: place, Self.startOfCorrelation)
                || bytes.matches(at: place, Self.endOfDocument)
            {
                return .elsewhere
            }
            place = bytes.firstIndex(of: UInt8(ascii: "<"), from: place + 1)
        }
        return atEnd || limit < bytes.count ? .elsewhere : .unknown
    }

    /// The number of bytes in which the end of a correlation is looked for.
    private static let longestCorrelation = 1 << 16

    private static let startOfCorrelation = Array("<Correlation".utf8)
    private static let endOfCorrelation = Array("</Correlation".utf8)
    private static let endOfDocument = Array("</HealthData".utf8)

    /// Returns whether an element is indented more than the one at which skipping began, of which it is then a part: the
    /// records in a damaged correlation are none of their own.
    private func isNested(_ bytes: Span<UInt8>, at place: Int) -> Bool {
        guard let indentation, let deeper = Self.indentation(bytes, of: place) else { return false }
        return deeper > indentation
    }

    /// Returns the length of the white space between a line break and a place; nil if there is anything else.
    private static func indentation(_ bytes: Span<UInt8>, of place: Int) -> Int? {
        let start = lineStart(bytes, of: place)
        return start < place ? place - start - 1 : nil
    }

    /// The names of the root's known children, and its end tag.
    private static let children = [
        "Record", "Workout", "Correlation", "ActivitySummary", "ClinicalRecord", "Audiogram",
        "VisionPrescription",
        "ExportDate", "Me", "/HealthData",
    ].map { Array($0.utf8) }

    /// Returns whether a child of the root, or the root's end tag, starts at `place`.
    ///
    /// A known child counts anywhere; any other element counts only at the start of a line, and only if it is not a
    /// declared part of another element.
    private static func isElement(_ bytes: Span<UInt8>, at place: Int) -> Bool {
        var end = place + 1
        let limit = min(bytes.count, end + longestName)
        while end < limit, !MarkupReader.isSpace(bytes[end]), bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "/") || end == place + 1
        { end += 1 }
        let name = bytes.array((place + 1)..<end)
        if children.contains(name) { return true }
        guard let first = name.first, (first | 0x20) &- 0x61 < 26, lineStart(bytes, of: place) < place else {
            return false
        }
        return !DeclaredNames.has(element: String(decoding: name, as: UTF8.self))
    }

    /// Returns the index of the line break before `place` if only white space lies between them, or else `place`.
    private static func lineStart(_ bytes: Span<UInt8>, of place: Int) -> Int {
        var index = place
        while index > 0, place - index < longestName, MarkupReader.isSpace(bytes[index - 1]) {
            index -= 1
            if bytes[index] == UInt8(ascii: "\n") { return index }
        }
        return place
    }
}
