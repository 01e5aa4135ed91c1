import JSONText

/// Reads single values from a packed row.
public enum RowValueReader: Sendable {
    /// Returns the text of the first attribute called `name` that has a separate text in each row.
    public static func text(_ name: String, _ context: BatchContext, _ values: Span<UInt8>) -> String? {
        var offset = 0
        for column in context.columns {
            if column.isTime {
                _ = Varint.readSigned(values, at: &offset)
                continue
            }
            let length = Varint.read(values, at: &offset)
            let range = offset..<(offset + length)
            offset += length
            guard context.slots[column.slot].name == name else { continue }
            var token: [UInt8] = []
            for index in range { token.append(values[index]) }
            return String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
        }
        return nil
    }
}
