package import ByteText

/// How the value of a field is written as JSON, and read.
package struct RecordValue<Value>: Sendable {
    package let write: @Sendable (Value, inout JSONWriter) -> Void
    /// Throws if it is no such value.
    package let read: @Sendable (inout JSONReader) throws -> Value

    package init(
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
        read: @escaping @Sendable (inout JSONReader) throws -> Value
    ) {
        self.write = write
        self.read = read
    }

    /// A value that is made of another one.
    ///
    /// - Parameters:
    ///   - source: How the other one is written.
    ///   - make: Makes the value; nil if the other one does not stand for any.
    ///   - original: Returns what the value is made of.
    package static func mapped<Source>(
        _ source: RecordValue<Source>, _ make: @escaping @Sendable (Source) -> Value?,
        _ original: @escaping @Sendable (Value) -> Source
    ) -> Self {
        Self { value, writer in
            source.write(original(value), &writer)
        } read: { reader in
            guard let value = make(try source.read(&reader)) else { throw reader.failure(.unexpected) }
            return value
        }
    }

    /// A value, or null.
    package static func nullable<Content>(_ content: RecordValue<Content>) -> Self where Value == Content? {
        Self { value, writer in
            if let value { content.write(value, &writer) } else { writer.null() }
        } read: { reader in
            guard try reader.kind() != .null else {
                try reader.skip()
                return nil
            }
            return try content.read(&reader)
        }
    }

    /// Returns the same for values that meet a condition; others are refused when they are read.
    package func when(_ condition: @escaping @Sendable (Value) -> Bool) -> Self {
        .mapped(self, { condition($0) ? $0 : nil }, { $0 })
    }
}

extension RecordValue<String> {
    /// Text in UTF-8.
    package static let text = Self(write: { $1.string($0) }, read: { try $0.string() })
}

extension RecordValue<BytePath> {
    /// A path, which may be no UTF-8.
    package static let path = Self(write: { $1.string($0) }, read: { try $0.path() })
    /// A path from the root.
    package static let absolutePath = path.when { $0.isAbsolute }
}

extension RecordValue<Bool> {
    /// True or false.
    package static let flag = Self(write: { $1.bool($0) }, read: { try $0.bool() })
}

extension RecordValue<Int> {
    /// Any integer.
    package static let integer = Self(write: { $1.integer($0) }, read: { try $0.integer() })
    /// A count or a size, of which many can be added up.
    package static let count = number(0...1 << 50)
    /// A time in seconds since 1970 that has a year of four digits.
    package static let time = number(Timestamp.writableSeconds)

    /// An integer in a range.
    package static func number(_ range: ClosedRange<Int>) -> Self {
        integer.when { range.contains($0) }
    }
}

extension RecordValue<Timestamp> {
    /// An instant with its offset.
    package static let instant = mapped(.text, { Timestamp(iso: $0.utf8Span.span) }, { $0.iso })
}

extension RecordValue where Value: FixedWidthInteger & UnsignedInteger & Sendable {
    /// Hexadecimal digits, as many as the largest number has.
    package static var hexadecimal: Self {
        .mapped(.text, { Hexadecimal.number($0.utf8Span.span, Value.self) }, { Hexadecimal.text($0) })
    }
}

extension RecordValue where Value: RawRepresentable<String> & Sendable {
    /// A case of an enumeration.
    package static var name: Self { .mapped(.text, { Value(rawValue: $0) }, { $0.rawValue }) }
}

extension JSONReader {
    /// The most members of a list that are read: no file comes near it, and short ones take far more memory than text.
    package static let mostMembers = 1 << 20

    fileprivate func require(_ count: Int) throws {
        guard count < Self.mostMembers else { throw failure(.unexpected) }
    }
}

extension RecordValue {
    /// A list.
    package static func list<Element>(of element: RecordValue<Element>) -> Self where Value == [Element] {
        Self { list, writer in
            writer.array { writer in
                for value in list { element.write(value, &writer) }
            }
        } read: { reader in
            var list: [Element] = []
            try reader.array { reader in
                try reader.require(list.count)
                list.append(try element.read(&reader))
            }
            return list
        }
    }

    /// An object whose members have names of all kinds, and are sorted by them.
    package static func named<Key: Hashable & Comparable & Sendable, Element>(
        _ element: RecordValue<Element>, _ key: @escaping @Sendable (String) -> Key,
        _ name: @escaping @Sendable (Key) -> String
    ) -> Self where Value == [Key: Element] {
        Self { members, writer in
            writer.object { writer in
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(name(key))
                    element.write(value, &writer)
                }
            }
        } read: { reader in
            var members: [Key: Element] = [:]
            try reader.object { reader, name in
                try reader.require(members.count)
                members[key(name)] = try element.read(&reader)
            }
            return members
        }
    }
}

extension RecordValue<[String: String]> {
    /// An object with texts.
    package static let texts = named(.text, { $0 }, { $0 })
}

extension RecordValue where Value: FileRecord {
    /// An object with the fields of a record.
    package static var object: Self {
        Self { record, writer in
            Value.fields.write(record, &writer)
        } read: { reader in
            var record = Value.blank
            try Value.fields.read(&record, &reader)
            return record
        }
    }
}
