import CivilTime
import SampleBatches

extension [ElementNode.Child] {
    /// Returns the elements with this name.
    func elements(_ name: String) -> [ElementNode] {
        compactMap { child in
            if case .element(let element) = child, element.name == name { element } else { nil }
        }
    }
}

extension ElementNode {
    /// Returns the nested elements with this name.
    func elements(_ name: String) -> [ElementNode] { children.elements(name) }

    /// The text of the first attribute with this name.
    subscript(_ name: String) -> String? {
        attributes.first { $0.name == name }.map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// Returns the instant in an attribute; nil if it is not in Apple's form.
    func time(_ name: String) -> Timestamp? {
        attributes.first { $0.name == name }.flatMap { Timestamp(apple: $0.text.span) }
    }

    /// Returns the number in an attribute; nil if it is not a finite number.
    func number(_ name: String) -> Double? {
        self[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the quantity in two attributes, one with the number and one with the unit.
    func quantity(_ name: String, unit unitName: String) -> Quantity? {
        guard let text = self[name], let unit = self[unitName].flatMap({ try? HealthUnit($0) }) else {
            return nil
        }
        return Quantity(text, unit)
    }
}
