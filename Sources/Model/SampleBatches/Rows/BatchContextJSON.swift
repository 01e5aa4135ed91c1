package import JSONText

extension BatchContext {
    /// Returns the slots as they are stored in a batch.
    ///
    /// `[["type","..."],["device","before","after"],["startDate",120],["value"]]`
    static func json(of slots: [Slot]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            for slot in slots {
                writer.array { writer in
                    writer.string(slot.name)
                    switch slot {
                    case .constant(_, let text): writer.raw(text.span)
                    case .text: break
                    case .enclosed(_, let before, let after):
                        for part in [before, after] {
                            writer.raw(([UInt8(ascii: "\"")] + part + [UInt8(ascii: "\"")]).span)
                        }
                    case .time(_, let offsetMinutes): writer.integer(offsetMinutes)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Reads a context from a stored batch.
    package convenience init(_ reader: inout JSONReader) throws {
        var slots: [Slot] = []
        try reader.array { reader in
            guard slots.count < Self.mostSlots else { throw reader.failure(.outOfRange) }
            slots.append(try Self.slot(&reader))
        }
        self.init(slots: slots)
    }

    private static func slot(_ reader: inout JSONReader) throws -> Slot {
        var name: String?
        var texts: [[UInt8]] = []
        var offset: Int?
        try reader.array { reader in
            if name == nil {
                name = try reader.string()
            } else if try reader.kind() == .number {
                guard offset == nil else { throw reader.failure(.unexpected) }
                offset = try reader.integer()
            } else {
                texts.append(try reader.stringBytes())
            }
        }
        func token(_ text: [UInt8]) -> [UInt8] {
            var token: [UInt8] = []
            JSONEscaping.append(text.span, to: &token)
            return token
        }
        switch (name, texts.count, offset) {
        case (let name?, 0, nil): return .text(name: name)
        case (let name?, 1, nil): return .constant(name: name, text: token(texts[0]))
        case (let name?, 2, nil):
            return .enclosed(
                name: name, before: [UInt8](token(texts[0]).dropFirst().dropLast()),
                after: [UInt8](token(texts[1]).dropFirst().dropLast()))
        case (let name?, 0, let minutes?) where minutes.magnitude < 24 * 60:
            return .time(name: name, offsetMinutes: minutes)
        default: throw reader.failure(.unexpected)
        }
    }
}
