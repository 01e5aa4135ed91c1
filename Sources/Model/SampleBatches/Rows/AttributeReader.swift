public import ByteText

/// Converts the attributes of an element, in the order written, to the slots of a context and the values of a row.
public struct AttributeReader: Sendable {
    /// The slots so far.
    public private(set) var slots: [BatchContext.Slot] = []
    /// The values so far.
    public private(set) var values = RowValues()
    /// Number of bytes that were not well-formed UTF-8.
    public private(set) var malformedBytes = 0
    /// Number of time attributes that are not in Apple's form.
    public private(set) var unreadableTimes = 0
    private var times: [(name: String, time: Timestamp)] = []
    /// The time attributes that are not in Apple's form, with those in the form of iOS 8 as times.
    private var compactTimes: [(name: String, time: Timestamp?)] = []
    /// The day in the first day attribute.
    private var day: Timestamp?
    private var hasDay = false
    private let element: String

    /// Creates a reader for an element with this name, and so many attributes if that is known.
    public init(element: String, count: Int = 0) {
        self.element = element
        // Contexts keep the slots, with whatever room is left.
        slots.reserveCapacity(count)
    }

    /// Adds the next attribute with its text (entities resolved).
    public mutating func add(name: String, text: [UInt8]) {
        add(name: name, AttributeKind(of: name, in: element), text: text)
    }

    /// Adds the next attribute, whose kind is known.
    public mutating func add(name: String, _ kind: AttributeKind, text: [UInt8]) {
        switch kind {
        case .shared:
            slots.append(.constant(name: name, text: token(text)))
        case .device:
            if let pointer = DevicePointer.range(in: text.span) {
                let before = inside(token([UInt8](text[..<pointer.lowerBound])))
                let after = inside(token([UInt8](text[pointer.upperBound...])))
                slots.append(.enclosed(name: name, before: before, after: after))
                values.append(token: token([UInt8](text[pointer])).span)
            } else {
                slots.append(.constant(name: name, text: token(text)))
            }
        case .time:
            if let time = Timestamp(apple: text.span) {
                slots.append(.time(name: name, offsetMinutes: time.offsetMinutes))
                values.append(instant: time.seconds)
                times.append((name, time))
            } else {
                // A time of iOS 8 stays as it is written, so that it can be written again.
                let time = Timestamp(compact: text.span)
                if time == nil { unreadableTimes += 1 }
                compactTimes.append((name, time))
                addText(name, token(text))
            }
        case .measurement:
            addText(name, JSONNumber.matches(text.span) ? text : token(text))
        case .text:
            if name == AttributeKind.dayName, !hasDay {
                day = CivilDate(text.span)?.start
                hasDay = true
            }
            addText(name, token(text))
        }
    }

    private mutating func addText(_ name: String, _ token: [UInt8]) {
        slots.append(.text(name: name))
        values.append(token: token.span)
    }

    private mutating func token(_ text: [UInt8]) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(text.count + 2)
        malformedBytes += JSONEscaping.append(text.span, to: &token)
        return token
    }

    private func inside(_ token: [UInt8]) -> [UInt8] { [UInt8](token.dropFirst().dropLast()) }

    /// The start of the element: the first of its start attributes, or the day of an activity summary, in UTC; otherwise a
    /// start attribute in the form of iOS 8.
    public var start: Timestamp? {
        for name in AttributeKind.startNames {
            if let found = times.first(where: { $0.name == name }) { return found.time }
        }
        if hasDay { return day }
        for name in AttributeKind.startNames {
            if let found = compactTimes.first(where: { $0.name == name }) { return found.time }
        }
        return nil
    }
}

extension BatchContext {
    /// Returns the text of the first attribute called `name` that has a separate text in each row.
    ///
    /// - Parameters:
    ///   - cells: The values of a row.
    ///   - text: The bytes with its tokens.
    public func text(_ name: String, _ cells: Span<Int>, _ text: Span<UInt8>) -> String? {
        for (number, column) in columns.enumerated() where slots[column.slot] == .text(name: name) {
            let token = text.array(TokenPlace(code: cells[number]).range)
            return String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
        }
        return nil
    }
}
