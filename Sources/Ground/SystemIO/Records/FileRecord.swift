package import ByteText

/// A record that is stored as a line of JSON.
///
/// It declares its fields by key path, in the order in which they are written:
///
/// ```swift
/// struct Visit: FileRecord {
///     var place = ""
///     var seconds: Int?
///
///     static let blank = Visit()
///     static let fields: RecordFields<Visit> = [
///         .version("visit"), .field(\.place, "place", .text), .field(\.seconds, "seconds", .count),
///     ]
/// }
/// ```
package protocol FileRecord: Sendable, Equatable {
    /// A record whose fields are assigned as they are read.
    static var blank: Self { get }
    /// The fields.
    static var fields: RecordFields<Self> { get }
}

extension FileRecord {
    /// The record as a line of JSON, without the line's end.
    package var line: [UInt8] {
        var writer = JSONWriter()
        RecordValue<Self>.object.write(self, &writer)
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    package init?(line: [UInt8]) {
        var reader = JSONReader(line)
        do {
            self = try RecordValue<Self>.object.read(&reader)
            try reader.finish()
        } catch { return nil }
    }
}

/// The fields of a record, in the order in which they are written.
package struct RecordFields<Record>: Sendable, ExpressibleByArrayLiteral {
    package let list: [RecordField<Record>]
    private let names: JSONNameList
    /// A bit for each field that must be there.
    private let required: UInt64

    package init(arrayLiteral fields: RecordField<Record>...) { self.init(fields) }

    package init(_ fields: [RecordField<Record>]) {
        list = fields
        names = JSONNameList(fields.map(\.name))
        required = fields.indices.reduce(into: 0) { if fields[$1].isRequired { $0 |= 1 << UInt64($1) } }
    }

    /// Writes an object.
    package func write(_ record: Record, _ writer: inout JSONWriter) {
        writer.object { writer in
            for field in list { field.write(record, &writer) }
        }
    }

    /// Reads an object; members that are no fields, which a later version may have written, are left out.
    package func read(_ record: inout Record, _ reader: inout JSONReader) throws {
        var missing = required
        var members = try reader.members()
        while let number = try reader.nextMember(&members, of: names) {
            guard number >= 0 else {
                try reader.skip()
                continue
            }
            try list[number].read(&record, &reader)
            missing &= ~(1 << UInt64(number))
        }
        guard missing == 0 else { throw reader.failure(.unexpected) }
    }
}

/// A field of a record, bound to the property that has its value.
package struct RecordField<Record>: Sendable {
    /// A key path that may be stored in a table of fields; a literal such as `\.path` is one.
    package typealias Property<Value> = any WritableKeyPath<Record, Value> & Sendable

    package let name: String
    fileprivate var isRequired = false
    /// Writes the member, or nothing.
    fileprivate let write: @Sendable (Record, inout JSONWriter) -> Void
    fileprivate let read: @Sendable (inout Record, inout JSONReader) throws -> Void

    /// The first field of a record that may get another form in later versions: its name tells the kind of record.
    package static func version(_ name: String) -> Self {
        Self(name: name, isRequired: true) { _, writer in
            writer.member(name, 1)
        } read: { _, reader in
            guard try reader.integer() == 1 else { throw reader.failure(.unexpected) }
        }
    }

    /// A field that is always written, and that must be there.
    package static func field<Value>(
        _ property: Property<Value>, _ name: String, _ value: RecordValue<Value>
    ) -> Self {
        var field = member(property, name, value)
        field.isRequired = true
        return field
    }

    /// A field that is always written, and that may be missing: the property then has the value of a blank record.
    package static func member<Value>(
        _ property: Property<Value>, _ name: String, _ value: RecordValue<Value>
    ) -> Self {
        Self(name: name) { record, writer in
            writer.key(name)
            value.write(record[keyPath: property], &writer)
        } read: { record, reader in
            record[keyPath: property] = try value.read(&reader)
        }
    }

    /// A field that is left out if its value is nil.
    package static func field<Value>(
        _ property: Property<Value?>, _ name: String, _ value: RecordValue<Value>
    ) -> Self {
        Self(name: name) { record, writer in
            guard let content = record[keyPath: property] else { return }
            writer.key(name)
            value.write(content, &writer)
        } read: { record, reader in
            record[keyPath: property] = try value.read(&reader)
        }
    }

    /// A field that is left out if it has its default value, which a blank record has.
    package static func field<Value: Equatable & Sendable>(
        _ property: Property<Value>, _ name: String, _ value: RecordValue<Value>, unless standard: Value
    ) -> Self {
        let field = member(property, name, value)
        return Self(name: name) { record, writer in
            if record[keyPath: property] != standard { field.write(record, &writer) }
        } read: {
            try field.read(&$0, &$1)
        }
    }

    /// An object with fields of the same record.
    package static func group(_ name: String, _ fields: RecordFields<Record>) -> Self {
        Self(name: name) { record, writer in
            writer.key(name)
            fields.write(record, &writer)
        } read: { record, reader in
            try fields.read(&record, &reader)
        }
    }

    /// A member that is made of other fields, and is not read; it is left out if it is nil.
    package static func written<Value>(
        _ name: String, _ value: RecordValue<Value>, _ content: @escaping @Sendable (Record) -> Value?
    ) -> Self {
        Self(name: name) { record, writer in
            guard let content = content(record) else { return }
            writer.key(name)
            value.write(content, &writer)
        } read: { _, reader in
            try reader.skip()
        }
    }

    /// The same field, which is only read.
    package var unwritten: Self {
        Self(name: name, isRequired: isRequired, write: { _, _ in }, read: read)
    }
}
