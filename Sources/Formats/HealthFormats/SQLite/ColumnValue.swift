import ByteText
import Database
import SampleBatches

/// Converts attributes to column values.
enum ColumnValue: Sendable {
    /// Returns the column value of an attribute, and whether it determines the attribute's exact text.
    static func value(
        of attribute: ElementNode.Attribute, in element: String
    ) -> (value: DatabaseValue, isExact: Bool) {
        let text = attribute.text
        switch AttributeKind(of: attribute.name, in: element) {
        case .measurement:
            let span = text.span
            guard JSONNumber.matches(span), let number = DecimalText.number(ofToken: span, text.indices)
            else {
                return (.null, false)
            }
            return (.real(number), isExact(text.span, number))
        case .time:
            guard let time = Timestamp(apple: text.span) else { break }
            return (.text(Array(time.iso.utf8)), true)
        case .device:
            // The pointer differs in each export.
            let description = DevicePointer.removed(from: text)
            return (.text(JSONEscaping.repaired(description)), JSONEscaping.isWellFormed(text.span))
        case .shared, .text: break
        }
        guard JSONEscaping.isWellFormed(text.span) else { return (.text(JSONEscaping.repaired(text)), false) }
        let isTimeInOtherForm =
            AttributeKind(of: attribute.name, in: element) == .time && Timestamp(iso: text.span) != nil
        return (.text(text), !isTimeInOtherForm)
    }

    /// Returns whether a number is written in its shortest form without an exponent, so that its value determines its
    /// text.
    static func isExact(_ text: Span<UInt8>, _ value: Double) -> Bool {
        var digits = 0
        var hasPoint = false
        var isPlain = true
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "-"): if index > 0 { isPlain = false }
            default: isPlain = false
            }
        }
        let isNegativeZero = value == 0 && text[0] == UInt8(ascii: "-")
        let endsInZero = hasPoint && text[text.count - 1] == UInt8(ascii: "0")
        // Up to 15 digits survive the conversion to a double and back.
        guard isPlain else { return false }
        if digits <= 15 { return !isNegativeZero && !endsInZero }
        var written = Array("\(value)".utf8)
        if !hasPoint, written.suffix(2) == [UInt8(ascii: "."), UInt8(ascii: "0")] { written.removeLast(2) }
        return text.matches(at: 0, written) && text.count == written.count
    }
}
