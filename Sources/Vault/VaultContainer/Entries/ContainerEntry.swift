package import ByteText
public import SystemIO
import VaultCrypto

/// One named entry of a container, as listed in its index.
public struct ContainerEntry: Sendable, Equatable {
    /// Where an entry is stored.
    package enum Place: Sendable, Equatable {
        /// In the payload, with the SHA-256 of its bytes.
        case payload(sha256: [UInt8])
        /// In a bundle: its number among the bundles, from 0.
        case bundle(Int)
    }

    /// Its path inside the container, with `/` between the parts.
    public let name: BytePath
    /// Where it is stored.
    package let place: Place
    /// Offset of its first byte, in the plaintext stream or in the content of its bundle.
    package let offset: Int
    /// Length in bytes.
    public let length: Int
    private let recorded: RecordedProperties

    /// Creates an entry with what its writer records about it.
    package init(
        name: BytePath, place: Place, offset: Int, length: Int, properties: [ContainerProperty]
    ) {
        self.init(name: name, place: place, offset: offset, length: length, recorded: .list(properties))
    }

    init(name: BytePath, place: Place, offset: Int, length: Int, recorded: RecordedProperties) {
        self.name = name
        self.place = place
        self.offset = offset
        self.length = length
        self.recorded = recorded
    }

    /// What its writer recorded about it, in the order written; the container does not interpret it.
    public var properties: [ContainerProperty] { recorded.list }

    /// Calls `body` with the number of the name and the value of each property that has one of some names, in the order written, until
    /// it returns false.
    package func readProperties(
        _ names: JSONNameList, _ body: (_ number: Int, _ value: ContainerProperty.Value) -> Bool
    ) {
        recorded.read(names, body)
    }

    /// Whether it shares a bundle with others.
    public var isInBundle: Bool { if case .bundle = place { true } else { false } }

    /// Its range in the stream, or in the content of its bundle.
    var range: Range<Int> { offset..<(offset + length) }

    /// Returns the value of a text property.
    public func text(_ name: String) -> String? {
        if case .text(let value)? = recorded[name] { value } else { nil }
    }

    /// Returns the value of a number property.
    public func number(_ name: String) -> Int? {
        if case .number(let value)? = recorded[name] { value } else { nil }
    }
}

/// A property of an entry in the index, which can be read without opening the entry.
public struct ContainerProperty: Sendable, Equatable {
    /// The value of a property.
    public enum Value: Sendable, Equatable {
        case text(String)
        case number(Int)
    }

    /// Its name; `name`, `offset`, `length`, `sha256` and `members` are reserved for the container.
    public let name: String
    /// Its value.
    public let value: Value

    init(name: String, value: Value) {
        self.name = name
        self.value = value
    }

    /// Creates a text property.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = .text(value)
    }

    /// Creates a number property.
    public init(_ name: String, _ value: Int) {
        self.name = name
        self.value = .number(value)
    }
}

/// The rules for names of entries: relative paths in UTF-8 that stay below the folder that they are extracted to.
enum EntryName: Sendable {
    static let longest = 1024
    /// The most parts of a name: its folders and the name itself.
    static let mostParts = 32

    static func isSafe(_ name: BytePath) -> Bool {
        guard name.count <= longest, name.staysInside else { return false }
        var (slashes, highest): (Int, UInt8) = (0, 0)
        for byte in name.bytes {
            guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return false }
            if byte == UInt8(ascii: "/") { slashes += 1 }
            highest |= byte
        }
        return slashes < mostParts && (highest < 0x80 || name.text != nil)
    }

    /// Returns 128 bits of the name's SHA-256: enough to distinguish a hundred thousand names without storing them.
    static func fingerprint(_ name: BytePath) throws(ContainerError) -> UInt128 {
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: name.bytes.span) }
        return digest[..<16].reduce(0) { $0 << 8 | UInt128($1) }
    }
}
