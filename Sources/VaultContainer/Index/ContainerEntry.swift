public import SystemIO

/// One named entry of a container, as its index has it.
public struct ContainerEntry: Sendable, Equatable {
    /// Its path inside the container, with `/` between the parts.
    public let name: BytePath
    /// Where its first byte stands in the plaintext stream.
    public let offset: Int
    /// Length in bytes.
    public let length: Int
    /// SHA-256 of its bytes.
    public let sha256: [UInt8]
    /// What its writer noted about it, in the order written; the container gives no meaning to it.
    public let properties: [ContainerProperty]

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

    /// Its name; `name`, `offset`, `length` and `sha256` are the container's own.
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
