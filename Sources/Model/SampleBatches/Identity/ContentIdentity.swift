import ByteText
import SipHash

/// The identity of a record's nested content: a hash of its JSON object, with times as instants, device descriptions
/// without pointers, and without anything else that may change between exports.
enum ContentIdentity: Sendable {
    static func hash(of content: [UInt8]) -> UInt128 {
        let bytes = content.span
        var hash = SipHash128()
        // What is as it is in the content is added as far as it goes, up to a string that is not.
        var start = 0
        var index = nextQuote(bytes, from: 0)
        while index < bytes.count {
            let end = endOfString(bytes, from: index)
            let body = (index + 1)..<max(index + 1, end - 1)
            if end < bytes.count, bytes[end] == UInt8(ascii: ":"), isIgnored(bytes, body) {
                hash.update(bytes.extracting(start..<index))
                // Skips the name, the colon and the string after it.
                start = end + 1
                if start < bytes.count, bytes[start] == quote { start = endOfString(bytes, from: start) }
                index = nextQuote(bytes, from: start)
                continue
            }
            if mayDiffer(bytes, body) {
                hash.update(bytes.extracting(start..<body.lowerBound))
                start = addNormalized(bytes.extracting(body), to: &hash) ? body.upperBound : body.lowerBound
            }
            index = nextQuote(bytes, from: end)
        }
        hash.update(bytes.extracting(start..<bytes.count))
        return hash.finish()
    }

    private static let ignoredNames = RecordIdentity.ignoredNames.map { Array($0.utf8) }

    /// Returns the device description in a JSON string, without the parts that change between exports.
    static func normalizedDevice(_ token: [UInt8]) -> [UInt8] {
        DevicePointer.normalized([UInt8](token.dropFirst().dropLast()))
    }

    /// Whether a string looks like one that different exports may spell differently: a time, or a device description.
    @inline(__always)
    private static func mayDiffer(_ bytes: Span<UInt8>, _ body: Range<Int>) -> Bool {
        guard body.count > 1 else { return false }
        return bytes[body.lowerBound] == UInt8(ascii: "<")
            || body.count == Timestamp.length && bytes[body.lowerBound + 4] == UInt8(ascii: "-")
    }

    /// Adds a string that different exports may spell differently; returns false for any other.
    private static func addNormalized(_ body: Span<UInt8>, to hash: inout SipHash128) -> Bool {
        // Apps write times into metadata in the form of Apple's XML.
        if body.count == Timestamp.length, let time = Timestamp(iso: body) ?? Timestamp(apple: body) {
            hash.update(UInt8(ascii: "t"))
            hash.update(UInt64(bitPattern: Int64(time.seconds)))
            return true
        }
        guard DevicePointer.range(in: body) != nil else { return false }
        hash.update(DevicePointer.normalized(body.array).span)
        return true
    }

    /// Returns the next quote that is not in a string, or the end.
    @inline(__always)
    private static func nextQuote(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        index = bytes.endOfRun(from: index) { $0.unquotedCount }
        while index < bytes.count, bytes[index] != quote { index += 1 }
        return index
    }

    @inline(__always)
    private static func isIgnored(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        for ignored in ignoredNames where name.count == ignored.count {
            if bytes.matches(at: name.lowerBound, ignored) { return true }
        }
        return false
    }

    /// Returns the end of the string that starts at `start`.
    @inline(__always)
    private static func endOfString(_ json: Span<UInt8>, from start: Int) -> Int {
        min(JSONEscaping.endOfString(json, from: start) + 1, json.count)
    }

    private static let quote = UInt8(ascii: "\"")
}
