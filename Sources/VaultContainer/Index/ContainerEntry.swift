public import SystemIO

/// One named entry of a container, as its index has it.
public struct ContainerEntry: Sendable, Equatable {
    /// Where an entry rests.
    package enum Place: Sendable, Equatable {
        /// In the payload, with the SHA-256 of its bytes.
        case payload(sha256: [UInt8])
        /// In a bundle: its number among the bundles, from 0.
        case bundle(Int)
    }

    /// Its path inside the container, with `/` between the parts.
    public let name: BytePath
    /// Where it rests.
    package let place: Place
    /// Where its first byte stands: in the plaintext stream, or in the content of its bundle.
    package let offset: Int
    /// Length in bytes.
    public let length: Int
    /// What its writer noted about it, in the order written; the container gives no meaning to it.
    public let properties: [ContainerProperty]

    /// It shares a bundle with others.
    public var isInBundle: Bool { if case .bundle = place { true } else { false } }

    /// Its place in the stream, or in the content of its bundle.
    var range: Range<Int> { offset..<(offset + length) }

    /// The value of a noted text.
    public func text(_ name: String) -> String? {
        for property in properties where property.name == name {
            if case .text(let value) = property.value { return value }
        }
        return nil
    }

    /// The value of a noted number.
    public func number(_ name: String) -> Int? {
        for property in properties where property.name == name {
            if case .number(let value) = property.value { return value }
        }
        return nil
    }
}

/// Something noted about an entry in the index, so that it is known without opening the entry.
public struct ContainerProperty: Sendable, Equatable {
    /// What can be noted.
    public enum Value: Sendable, Equatable {
        case text(String)
        case number(Int)
    }

    /// Its name; `name`, `offset`, `length`, `sha256` and `members` are the container's own.
    public let name: String
    /// Its value.
    public let value: Value

    /// Notes a text.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = .text(value)
    }

    /// Notes a number.
    public init(_ name: String, _ value: Int) {
        self.name = name
        self.value = .number(value)
    }
}
