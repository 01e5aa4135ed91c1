/// Builds JSON text, inserting commas and keeping members in the order they are written.
public struct JSONWriter: Sendable {
    /// The text so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let pretty: Bool
    private var depth = 0

    /// Number of levels whose members get their own lines; deeper levels stay on one line.
    private static let prettyDepth = 2

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - pretty: Whether each member of the two outermost levels is on its own line.
    ///   - capacity: The approximate length of the text, in bytes; 0 if it is not known.
    public init(pretty: Bool = false, capacity: Int = 0) {
        self.pretty = pretty
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object; `body` writes its members.
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try nest("{", "}", body)
    }

    /// Writes an array; `body` writes its values.
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try nest("[", "]", body)
    }

    /// Writes the name of a member; its value comes next.
    public mutating func key(_ name: String) { key(bytes: name.utf8Span.span) }

    /// Writes the name of a member, whether or not it is UTF-8; its value comes next.
    public mutating func key(bytes name: Span<UInt8>) {
        separate()
        JSONEscaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if pretty { bytes.append(UInt8(ascii: " ")) }
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        JSONEscaping.append(text, to: &bytes)
        needsComma = true
    }

    /// Writes bytes as a string, whether or not they are UTF-8.
    public mutating func string(bytes text: Span<UInt8>) {
        separate()
        JSONEscaping.append(text, to: &bytes)
        needsComma = true
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) {
        separate()
        JSONNumber.append(value, to: &bytes)
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { token(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { token("null") }

    /// Writes a number with a fixed number of digits after the point; one that is too large for that as it is, and `null` for
    /// what is no number.
    public mutating func decimal(_ value: Double, digits: Int) {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard let scaled = Int(exactly: (value.magnitude * scale).rounded()) else {
            token(value.isFinite ? "\(value)" : "null")
            return
        }
        let whole = scaled / Int(scale)
        let fraction = String(scaled % Int(scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        token("\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction)
    }

    /// Writes a value that is already JSON.
    public mutating func raw(_ value: Span<UInt8>) {
        separate()
        bytes.append(copying: value)
        needsComma = true
    }

    /// Writes an array of values that are already JSON; `body` appends them, separated by commas, to the text.
    public mutating func array(ofValues body: (inout [UInt8]) -> Void) {
        array { writer in body(&writer.bytes) }
    }

    /// Writes a member with a string.
    public mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member with an integer.
    public mutating func member(_ name: String, _ value: Int) {
        key(name)
        integer(value)
    }

    /// Writes a member with `true` or `false`.
    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a member with an array of strings.
    public mutating func member(_ name: String, _ values: [String]) {
        key(name)
        array { writer in
            for value in values { writer.string(value) }
        }
    }

    /// Writes a member with an array of objects; `write` writes the members of the object for an element.
    public mutating func member<Element>(
        _ name: String, objects elements: some Sequence<Element>,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array { writer in
            for element in elements { writer.object { write(element, &$0) } }
        }
    }

    private mutating func token(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if pretty, needsComma, depth > Self.prettyDepth { bytes.append(UInt8(ascii: " ")) }
        if pretty, depth > 0, depth <= Self.prettyDepth, bytes.last != UInt8(ascii: " ") || needsComma {
            newLine()
        }
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func nest<Failure: Error>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        depth += 1
        try body(&self)
        depth -= 1
        if pretty, needsComma, depth < Self.prettyDepth { newLine() }
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }
}
