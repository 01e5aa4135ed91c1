import ByteText
import SampleBatches

/// When and by what a sample was recorded, for creating a new element.
struct SampleOrigin {
    let start: Timestamp
    /// If nil, the start.
    let end: Timestamp?
    let source: Source
    let device: Device?
    let creationDate: Timestamp?

    /// Returns the element, with its attributes in Apple's order.
    func element(
        _ name: String, type: String? = nil, unit: String? = nil, value: String? = nil,
        others: [(name: String, text: String?)] = [], children: [ElementNode.Child] = []
    ) -> ElementNode {
        var element = ElementNode(name: name)
        element.add("type", type)
        for (name, text) in others { element.add(name, text) }
        element.add("sourceName", source.name)
        element.add("sourceVersion", source.version)
        element.add("device", device?.text)
        element.add("unit", unit)
        element.add("creationDate", creationDate?.apple)
        element.add("startDate", start.apple)
        element.add("endDate", (end ?? start).apple)
        element.add("value", value)
        element.children = children
        return element
    }
}

extension ElementNode {
    /// Adds an attribute, unless it has no text.
    mutating func add(_ name: String, _ text: String?) {
        guard let text else { return }
        attributes.append(Attribute(name, Array(text.utf8)))
    }

    /// Adds a quantity as a number and its unit.
    mutating func add(_ name: String, _ quantity: Quantity?, unit unitName: String) {
        add(name, quantity?.numberText)
        add(unitName, quantity?.unit.description)
    }
}

extension Quantity {
    /// The number as it was written.
    var numberText: String { text ?? "\(value)" }
}

extension Timestamp {
    /// The time in Apple's form.
    var apple: String {
        var bytes: [UInt8] = []
        appendApple(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Metadata {
    /// The entries as elements.
    var children: [ElementNode.Child] {
        entries.map { entry in
            var element = ElementNode(name: "MetadataEntry")
            element.add("key", entry.key)
            element.add("value", entry.value)
            return .element(element)
        }
    }
}
