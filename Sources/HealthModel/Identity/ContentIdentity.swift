import JSONText

/// The identity of what is nested in a record: of the JSON object that holds it, with times as instants, device
/// descriptions without pointers, and what an export may change left out.
enum ContentIdentity: Sendable {
    static func hash(of content: [UInt8]) -> UInt128 {
        var hash = SipHash128()
        var index = 0
        while index < content.count {
            guard content[index] == quote else {
                hash.update(content[index])
                index += 1
                continue
            }
            let end = endOfString(content, from: index)
            if end < content.count, content[end] == UInt8(ascii: ":"), isIgnored(content[index..<end]) {
                // The name, the colon and the string behind it.
                index = end + 1
                if index < content.count, content[index] == quote {
                    index = endOfString(content, from: index)
                }
            } else {
                add(content[index..<end], to: &hash)
                index = end
            }
        }
        return hash.finish()
    }

    /// A JSON string with a device description, without what changes from one export to the next.
    static func normalizedDevice(_ token: [UInt8]) -> [UInt8] {
        DevicePointer.normalized([UInt8](token.dropFirst().dropLast()))
    }

    private static func add(_ token: ArraySlice<UInt8>, to hash: inout SipHash128) {
        let body = [UInt8](token.dropFirst().dropLast())
        if let time = Timestamp(iso: body.span) {
            hash.update(UInt8(ascii: "t"))
            hash.update(UInt64(bitPattern: Int64(time.seconds)))
        } else if DevicePointer.range(in: body.span) != nil {
            hash.update(DevicePointer.normalized(body).span)
        } else {
            hash.update(body.span)
        }
        hash.update(quote)
    }

    private static func isIgnored(_ token: ArraySlice<UInt8>) -> Bool {
        RecordIdentity.ignoredNames.contains { token.dropFirst().dropLast().elementsEqual($0.utf8) }
    }

    /// The place behind the string that starts at `start`.
    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != quote { index += json[index] == backslash ? 2 : 1 }
        return min(index + 1, json.count)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
