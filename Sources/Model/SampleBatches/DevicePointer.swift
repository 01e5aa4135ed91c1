import ByteText

/// The address at the start of Apple's device descriptions: `<<HKDevice: 0x2812f5540>, name:Apple Watch, ...>`.
public enum DevicePointer: Sendable {
    private static let prefix = Array("<<HKDevice: 0x".utf8)
    /// The number of bytes before the pointer.
    private static let start = 12

    /// Returns the range of the pointer in a description, nil if it has none.
    public static func range(in description: Span<UInt8>) -> Range<Int>? {
        guard description.count > prefix.count, prefix.indices.allSatisfy({ description[$0] == prefix[$0] })
        else {
            return nil
        }
        let end = description.endOfHexadecimal(from: prefix.count)
        guard end > prefix.count, end < description.count, description[end] == UInt8(ascii: ">") else {
            return nil
        }
        return start..<end
    }

    /// Returns the description without the pointer.
    public static func removed(from description: [UInt8]) -> [UInt8] {
        var result = description
        if let pointer = range(in: description.span) { result.removeSubrange(pointer) }
        return result
    }

    /// Returns the description without the pointer and the creation date that iOS 26 adds.
    ///
    /// The result is the same in every export.
    public static func normalized(_ description: [UInt8]) -> [UInt8] {
        var result = removed(from: description)
        let mark = Array(", creation date:".utf8)
        guard result.count >= mark.count else { return result }
        for start in 0...(result.count - mark.count)
        where result[start..<(start + mark.count)].elementsEqual(mark) {
            var end = start + mark.count
            while end < result.count, result[end] != UInt8(ascii: ","), result[end] != UInt8(ascii: ">") {
                end += 1
            }
            result.removeSubrange(start..<end)
            break
        }
        return result
    }
}
