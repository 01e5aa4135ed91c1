/// The declaration of one element and its attributes in a document type.
struct Declaration {
    /// An attribute, which is always character data.
    struct Attribute: Equatable {
        let name: String
        var isRequired: Bool
    }

    let element: String
    var content: String
    var attributes: [Attribute]

    /// The column in which the attributes' types begin.
    var width: Int

    /// A comment before the declaration.
    var note: String?

    /// The end of the attribute list, wrong in version 12.
    var closing = ">\n"

    /// Creates the declaration of an element.
    ///
    /// - Parameters:
    ///   - element: The element's name.
    ///   - content: The element's content model.
    ///   - attributes: The attribute names, separated by spaces; required ones end in `!`.
    ///   - width: The column in which the attributes' types begin.
    ///   - note: A comment before the declaration.
    init(
        _ element: String, _ content: String = "EMPTY", _ attributes: String = "", width: Int = 0,
        note: String? = nil
    ) {
        self.element = element
        self.content = content
        self.attributes = attributes.split(separator: " ").map { word in
            let isRequired = word.hasSuffix("!")
            return Attribute(name: String(isRequired ? word.dropLast() : word), isRequired: isRequired)
        }
        self.width = width
        self.note = note
    }

    mutating func remove(_ names: String...) {
        attributes.removeAll { names.contains($0.name) }
    }

    mutating func removeChild(_ name: String) {
        content = content.replacing("|\(name)", with: "")
    }

    func append(to text: inout ByteText) {
        if let note { text.append("<!-- Note: \(note) -->\n") }
        text.append("<!ELEMENT \(element) \(content)>\n")
        guard !attributes.isEmpty else { return }
        text.append("<!ATTLIST \(element)\n")
        for attribute in attributes {
            let gap = max(1, width - attribute.name.utf8.count)
            text.append("  \(attribute.name)\(String(repeating: " ", count: gap))CDATA ")
            text.append(attribute.isRequired ? "#REQUIRED\n" : "#IMPLIED\n")
        }
        text.append(closing)
    }
}
