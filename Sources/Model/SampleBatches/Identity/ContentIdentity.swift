import ByteSpans
import CivilTime
import SipHash

/// The identity of a record's nested content: a hash of its JSON object, with times as instants, device descriptions
/// without pointers, and without anything else that may change between exports.
enum ContentIdentity: Sendable {
    static func hash(
        of content: [UInt8], ignoring names: [[UInt8]] = ignoredNames
    ) -> UInt128 {
        let bytes = content.span
        var hash = SipHash128()
        // Of the two quotes of a string, only the closing one is part of the hash: a string is added with what follows it, up to
        // the next string.
        var start = 0
        var index = nextQuote(bytes, from: 0)
        hash.update(bytes.extracting(start..<index))
        while index < bytes.count {
            var end = endOfString(bytes, from: index)
            if end < bytes.count, bytes[end] == UInt8(ascii: ":"), isIgnored(names, bytes, index..<end) {
                // Skips the name, the colon and the string after it.
                end += 1
                if end < bytes.count, bytes[end] == quote { end = endOfString(bytes, from: end) }
                start = end
            } else {
                let body = (index + 1)..<max(index + 1, end - 1)
                start = addNormalized(bytes.extracting(body), to: &hash) ? body.upperBound : body.lowerBound
            }
            index = nextQuote(bytes, from: end)
            hash.update(bytes.extracting(start..<index))
        }
        return hash.finish()
    }

    private static let ignoredNames = RecordIdentity.ignoredNames.map { Array($0.utf8) }

    /// Returns the device description in a JSON string, without the parts that change between exports.
    static func normalizedDevice(_ token: [UInt8]) -> [UInt8] {
        DevicePointer.normalized([UInt8](token.dropFirst().dropLast()))
    }

    /// Adds a string that different exports may spell differently; returns false for any other.
    private static func addNormalized(_ body: Span<UInt8>, to hash: inout SipHash128) -> Bool {
        // Apps write times into metadata in the form of Apple's XML.
        if body.count == Timestamp.length, let time = Timestamp(iso: body) ?? Timestamp(apple: body) {
            hash.update(UInt8(ascii: "t"))
            hash.update(UInt64(bitPattern: Int64(time.seconds)))
            return true
        }
        guard body.count > 1, body[0] == UInt8(ascii: "<"), DevicePointer.range(in: body) != nil else {
            return false
        }
        hash.update(DevicePointer.normalized(body.array).span)
        return true
    }

    /// Returns the next quote that is not in a string, or the end.
    private static func nextQuote(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += 1 }
        return index
    }

    private static func isIgnored(_ names: [[UInt8]], _ bytes: Span<UInt8>, _ token: Range<Int>) -> Bool {
        names.contains { token.count == $0.count + 2 && bytes.matches(at: token.lowerBound + 1, $0) }
    }

    /// Returns the end of the string that starts at `start`.
    private static func endOfString(_ json: Span<UInt8>, from start: Int) -> Int {
        var index = json.endOfRun(from: start + 1) { $0.plainCount }
        while index < json.count, json[index] != quote { index += json[index] == backslash ? 2 : 1 }
        return min(index + 1, json.count)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
