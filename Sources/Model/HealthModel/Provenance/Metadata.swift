public import ByteText
package import SampleBatches

/// The metadata of a sample: text values for keys such as `HKTimeZone`.
///
/// An export writes all values as text; the methods convert them. A key may occur more than once.
public struct Metadata: Sendable, Hashable {
    /// One entry.
    public struct Entry: Sendable, Hashable {
        /// The key, defined by HealthKit or an app.
        public let key: String
        /// The value as written.
        public let value: String

        /// Creates an entry.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in the order written.
    public let entries: [Entry]

    /// Creates metadata from entries.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// Reads the entries among the children of an element.
    package init(content children: [ElementNode.Child]) {
        entries = children.elements("MetadataEntry").map {
            Entry(key: $0["key"] ?? "", value: $0["value"] ?? "")
        }
    }

    /// The value of a key as written; that of the first entry if the key occurs more than once.
    public subscript(_ key: String) -> String? { entries.first { $0.key == key }?.value }

    /// Returns the number of a key; nil if it has none.
    public func number(_ key: String) -> Double? {
        self[key].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the quantity of a key: `418 cm`; nil if it has none.
    public func quantity(_ key: String) -> Quantity? { self[key].flatMap { Quantity(parsing: $0) } }

    /// Returns the instant of a key: `2012-02-12 16:23:53 +0000`; nil if it has none.
    public func date(_ key: String) -> Timestamp? {
        self[key].flatMap { Timestamp(apple: Array($0.utf8).span) }
    }

    /// Returns the flag of a key, which is written as 0 or 1; nil if it has none.
    public func flag(_ key: String) -> Bool? {
        switch self[key] {
        case "1": true
        case "0": false
        default: nil
        }
    }

    /// The time zone in which the sample was recorded: `Europe/Berlin`.
    public var timeZone: String? { self["HKTimeZone"] }
    /// Whether a person entered the value.
    public var wasUserEntered: Bool? { flag("HKWasUserEntered") }
    /// The identifier that an app gave the sample.
    public var externalUUID: String? { self["HKExternalUUID"] }
}

extension Metadata: ExpressibleByDictionaryLiteral {
    /// Creates metadata from keys and values, in their order.
    public init(dictionaryLiteral entries: (String, String)...) {
        self.init(entries.map { Entry(key: $0, value: $1) })
    }
}

extension [ElementNode.Child] {
    /// Returns the elements with this name.
    package func elements(_ name: String) -> [ElementNode] {
        compactMap { child in
            if case .element(let element) = child, element.name == name { element } else { nil }
        }
    }
}

extension ElementNode {
    /// Returns the nested elements with this name.
    package func elements(_ name: String) -> [ElementNode] { children.elements(name) }

    /// The text of the first attribute with this name.
    package subscript(_ name: String) -> String? {
        attributes.first { $0.name == name }.map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// Returns the instant in an attribute; nil if it is not in Apple's form.
    package func time(_ name: String) -> Timestamp? {
        attributes.first { $0.name == name }.flatMap { Timestamp(apple: $0.text.span) }
    }

    /// Returns the number in an attribute; nil if it is not a finite number.
    package func number(_ name: String) -> Double? {
        self[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the quantity in two attributes, one with the number and one with the unit.
    package func quantity(_ name: String, unit unitName: String) -> Quantity? {
        guard let text = self[name], let unit = self[unitName].flatMap({ try? HealthUnit($0) }) else {
            return nil
        }
        return Quantity(text, unit)
    }
}
