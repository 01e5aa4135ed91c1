package import ByteText

/// Reads contexts of stored batches.
///
/// Successive ones mostly differ in a slot or two; the others are known by their bytes.
package struct ContextReader: Sendable {
    /// The slots that were read last at each place, with their texts, which are spelled as this program spells them.
    private var last: [(text: [UInt8], slot: BatchContext.Slot)] = []
    /// The last context that was not long.
    private var lastContext: BatchContext?

    /// The number of places at which slots are kept.
    private static let mostKept = 32
    /// The maximum length of the text of a slot to keep, in bytes.
    private static let longestKept = 1 << 10

    /// Makes a reader that has read nothing.
    package init() {}

    /// Reads a context.
    ///
    /// - Throws: `JSONError` if it is none.
    package mutating func context(_ reader: inout JSONReader) throws -> BatchContext {
        var slots: [BatchContext.Slot] = []
        let start = reader.offset
        // The bytes that the context takes as this program writes it, unless a string has escapes.
        var (length, isPlain) = (1, true)
        try reader.array { reader in
            guard slots.count < BatchContext.mostSlots else { throw reader.failure(.outOfRange) }
            slots.append(try slot(&reader, slots.count, &length, &isPlain))
            length += 1
        }
        let text = reader.bytes[start..<reader.offset]
        let isOwnSpelling = isPlain && !slots.isEmpty && text.count == length
        let context = BatchContext(
            slots: slots, json: isOwnSpelling ? Array(text) : BatchContext.json(of: slots), like: lastContext)
        if context.isShort { lastContext = context }
        return context
    }

    /// Reads the slot at a place.
    private mutating func slot(
        _ reader: inout JSONReader, _ place: Int, _ length: inout Int, _ isPlain: inout Bool
    ) throws -> BatchContext.Slot {
        if place < last.count, reader.skip(last[place].text) {
            length += last[place].text.count
            return last[place].slot
        }
        let start = reader.offset
        var (own, isOwnPlain) = (0, true)
        let slot = try Self.slot(&reader, &own, &isOwnPlain)
        length += own
        isPlain = isPlain && isOwnPlain
        let text = reader.bytes[start..<reader.offset]
        if isOwnPlain, text.count == own, own <= Self.longestKept { keep(slot, Array(text), place) }
        return slot
    }

    private mutating func keep(_ slot: BatchContext.Slot, _ text: [UInt8], _ place: Int) {
        if place < last.count {
            last[place] = (text, slot)
        } else if place == last.count, place < Self.mostKept {
            last.append((text, slot))
        }
    }

    /// Reads a slot.
    ///
    /// - Parameters:
    ///   - length: Raised by the bytes of the slot as this program writes it, if it has no escapes.
    ///   - isPlain: Becomes false if it has.
    private static func slot(
        _ reader: inout JSONReader, _ length: inout Int, _ isPlain: inout Bool
    ) throws -> BatchContext.Slot {
        var name: String?
        // As JSON strings.
        var texts: [[UInt8]] = []
        var offset: Int?
        length += 1
        try reader.array { reader in
            if name == nil {
                let start = reader.offset
                let text = try reader.string()
                guard MarkupName.isReadable(attribute: text) else { throw reader.failure(.unexpected) }
                name = text
                length += text.utf8.count + 3
                isPlain = isPlain && reader.offset - start == text.utf8.count + 2
            } else if try reader.kind() == .number {
                guard offset == nil else { throw reader.failure(.unexpected) }
                let number = try reader.integer()
                length += String(number).utf8.count + 1
                offset = number
            } else {
                let body = try reader.stringBody()
                // A string without escapes is spelled as this program spells it.
                let token = reader.bytes[(body.range.lowerBound - 1)..<(body.range.upperBound + 1)]
                length += token.count + 1
                isPlain = isPlain && body.isPlain
                texts.append(
                    body.isPlain ? Array(token) : Self.token(try reader.unescaped(body.range)))
            }
        }
        switch (name, texts.count, offset) {
        case (let name?, 0, nil): return .text(name: name)
        case (let name?, 1, nil): return .constant(name: name, text: texts[0])
        case (let name?, 2, nil):
            // Bytes at these edges could become a character together with those of a value.
            let before = isPlain ? [] : JSONEscaping.text(ofToken: texts[0])
            let after = isPlain ? [] : JSONEscaping.text(ofToken: texts[1])
            guard JSONEscaping.endsWellFormed(before.span), JSONEscaping.startsWellFormed(after.span) else {
                throw reader.failure(.unexpected)
            }
            return .enclosed(
                name: name, before: [UInt8](texts[0].dropFirst().dropLast()),
                after: [UInt8](texts[1].dropFirst().dropLast()))
        case (let name?, 0, let minutes?) where minutes.magnitude < 24 * 60:
            return .time(name: name, offsetMinutes: minutes)
        default: throw reader.failure(.unexpected)
        }
    }

    private static func token(_ text: [UInt8]) -> [UInt8] {
        var token: [UInt8] = []
        JSONEscaping.append(text.span, to: &token)
        return token
    }
}
